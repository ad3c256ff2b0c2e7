/** The run as a moving picture: each step with the numbers on their way, under it what happens. */
import { packetsAt } from "../scene/packets.js";
import { momentOf } from "../scene/state.js";
import { gifInWorker } from "./gifClient.js";
import { MOST_MOVING, stepsShown } from "./moments.js";
import { imageOf, wholeGraph } from "./picture.jsx";

/** Pixels of the picture at most. */
const MOST = { width: 1200, height: 900 };
const CAPTION = 44;
/** How much of a motion has passed in the pictures of it, and how long pictures stay, in hundredths of a second. */
const MOTION = [0.2, 0.45, 0.7, 0.9];
const DELAY = { motion: 7, step: 70, end: 250 };

/**
 * @param {import("../graph/shown.js").Shown} shown
 * @param {{ step: number, speed: number, captionOf: (step: number) => string, colours: { ground: string, text: string, font: string },
 *           tell: (share: number) => void }} options  `tell`: how much is done, 0 to 1
 * @returns {Promise<Blob>} a GIF
 */
export async function animationOf(shown, { step, speed, captionOf, colours, tell }) {
  const drawn = shown.view.drawn.value;
  if (!drawn) throw new Error("nothing is drawn");
  const { first, last } = stepsShown(drawn.scene.index.trace.steps.length, step, Object.keys(drawn.placed.rects).length);
  const shots = Array.from({ length: last - first + 1 }, (_, number) => first + number).flatMap((at) => {
    const moving = at > first && last - first < MOST_MOVING && packetsAt(momentOf(drawn.scene, at)).length > 0;
    return [...(moving ? MOTION.map((progress) => ({ at, progress, delay: DELAY.motion })) : []), { at, progress: 1, delay: DELAY.step }];
  });
  shots[shots.length - 1].delay = DELAY.end;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("no canvas");
  const known = new Map();
  /** @param {typeof shots[number]} shot */
  const pixels = async ({ at, progress }) => {
    const picture = wholeGraph(shown, "", { step: at, progress }, known);
    if (!picture) throw new Error("nothing is drawn");
    const scale = Math.min(1, MOST.width / picture.width, MOST.height / picture.height);
    const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    if (canvas.width !== width) Object.assign(canvas, { width, height: height + CAPTION });
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(await imageOf(picture), 0, 0, width, height);
    context.fillStyle = colours.text;
    context.font = `600 15px ${colours.font}`;
    context.textAlign = "center";
    context.fillText(captionOf(at), width / 2, height + 22, width - 24);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const samples = [];
  for (const share of [0, 0.5, 0.75, 1]) samples.push(await pixels(shots[Math.round((shots.length - 1) * share)]));
  const gif = gifInWorker();
  try {
    await gif.begin(canvas.width, canvas.height, samples);
    for (const [number, shot] of shots.entries()) {
      await gif.add({ pixels: await pixels(shot), delay: Math.max(2, Math.round(shot.delay / speed)) });
      tell((number + 1) / shots.length);
    }
    return await gif.end();
  } finally {
    gif.stop();
  }
}
