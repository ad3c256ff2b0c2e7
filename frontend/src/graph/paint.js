/**
 * The far picture: blocks of colour on a canvas. It says where things are and what is going on, not what they are.
 * @typedef {import("./camera.js").Camera} Camera
 * @typedef {import("../layout/types.js").Placed} Placed
 * @typedef {import("../scene/state.js").Moment} Moment
 * @typedef {Record<string, string>} Palette  colours by the names of the style sheet
 */
import { pieces } from "../layout/curve.js";
import { HEADER } from "../layout/forward.js";
import { groupTitle } from "../scene/labels.js";
import { boxPhase, foldedPhase, linePhase } from "./look.js";

const NAMES = ["tensor", "op", "node", "leaf", "constant"];

/** @param {Element} element @returns {Palette} */
export function paletteOf(element) {
  const style = getComputedStyle(element);
  const read = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const pairs = NAMES.flatMap((name) => [[`${name}-fill`, read(`${name}-fill`)], [`${name}-line`, read(`${name}-line`)]]);
  const plain = ["edge", "backward", "forward", "line", "text-soft", "panel", "focus", "font-ui"].map((name) => [name, read(name)]);
  return Object.fromEntries([...pairs, ...plain]);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ camera: Camera, size: { width: number, height: number }, ratio: number, placed: Placed, moment: Moment,
 *           visible: { boxes: string[], lines: import("../layout/types.js").Line[] },
 *           edges: ReturnType<typeof import("./look.js").edgeTable>, palette: Palette, words: import("../scene/labels.js").Words,
 *           related: { selected: Set<string>, around: Set<string> } | null }} view
 */
export function paintFar(context, view) {
  const { camera, size, ratio, placed, palette } = view;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.setTransform(ratio * camera.k, 0, 0, ratio * camera.k, ratio * camera.x, ratio * camera.y);
  const open = new Set(placed.open);
  context.lineWidth = 1 / camera.k;
  context.strokeStyle = palette.line;
  for (const key of placed.open) {
    const rect = placed.rects[key];
    context.strokeRect(rect.x, rect.y, rect.width, rect.height);
  }
  paintLines(context, view);
  for (const key of view.visible.boxes) if (!open.has(key)) paintBox(context, key, view);
  paintTitles(context, view);
}

/** Lines of one look are one path. @param {CanvasRenderingContext2D} context @param {Parameters<typeof paintFar>[1]} view */
function paintLines(context, { camera, visible, moment, edges, palette, placed, related }) {
  /** @type {Map<string, import("../layout/types.js").Line[]>} */
  const looks = new Map();
  for (const line of visible.lines) {
    if (line.kind === "saved" || (placed.mode === "badges" && line.kind !== "data" && linePhase(moment, line, edges) !== "now")) continue;
    const phase = linePhase(moment, line, edges);
    const look = `${line.kind === "data" ? "edge" : "backward"} ${phase === "future" ? "faint" : phase === "now" || phase === "waiting" ? "bold" : "plain"}`;
    const list = looks.get(look);
    if (list) list.push(line);
    else looks.set(look, [line]);
  }
  for (const [look, lines] of looks) {
    const [colour, weight] = look.split(" ");
    context.beginPath();
    for (const line of lines) {
      context.moveTo(line.points[0].x, line.points[0].y);
      if (camera.k < 0.15) for (const { x, y } of line.points) context.lineTo(x, y);
      else for (const [, c, d, b] of pieces(line)) context.bezierCurveTo(c.x, c.y, d.x, d.y, b.x, b.y);
    }
    context.strokeStyle = colour === "edge" && weight === "bold" ? palette.forward : palette[colour];
    context.globalAlpha = (weight === "faint" ? 0.25 : weight === "bold" ? 1 : 0.7) * (related ? 0.5 : 1);
    context.lineWidth = (weight === "bold" ? 2.5 : 1) / Math.max(camera.k, 0.02);
    if (camera.k > 0.15 || weight !== "bold") context.lineWidth = Math.min(context.lineWidth, weight === "bold" ? 8 : 3);
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} context @param {string} key @param {Parameters<typeof paintFar>[1]} view */
function paintBox(context, key, { camera, placed, moment, palette, related }) {
  const rect = placed.rects[key];
  const item = moment.scene.itemOf.get(key);
  const pill = moment.scene.pillOf.get(key);
  const name = item ? ({ leaf: "leaf", tensor: "tensor", op: "op", constant: "constant", plain: "constant" })[item.look] : pill || key.endsWith("|b") ? "node" : "constant";
  const phase = item || pill ? boxPhase(moment, key) : foldedPhase(moment, placed, key);
  const apart = related && !related.selected.has(key) && !related.around.has(key);
  context.globalAlpha = (phase === "future" ? 0.3 : 1) * (apart ? 0.35 : 1);
  context.fillStyle = phase === "now" ? palette[`${name}-line`] : palette[`${name}-fill`];
  context.strokeStyle = related?.selected.has(key) ? palette.focus : palette[`${name}-line`];
  context.lineWidth = (phase === "now" || related?.selected.has(key) ? 3 : 1) / Math.max(camera.k, 0.1);
  context.beginPath();
  if (name === "node") context.roundRect(rect.x, rect.y, rect.width, rect.height, rect.height / 2);
  else context.rect(rect.x, rect.y, rect.width, rect.height);
  context.fill();
  context.stroke();
  if (item?.kind === "op") context.strokeRect(rect.x + 4, rect.y + 4, rect.width - 8, rect.height - 8);
  context.globalAlpha = 1;
}

/** Names of groups, where their heading has room for letters; a lap is named beside it. @param {CanvasRenderingContext2D} context @param {Parameters<typeof paintFar>[1]} view */
function paintTitles(context, { camera, ratio, placed, moment, palette, words }) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = palette["text-soft"];
  const size = Math.min(HEADER * camera.k * 0.75, 11);
  for (const [key, rect] of Object.entries(placed.rects)) {
    const group = moment.scene.groupOf.get(key);
    if (!group) continue;
    const lap = group.module === "";
    if (lap ? rect.height * camera.k < 18 : size < 7) continue;
    context.font = `600 ${lap ? 11 : size}px ${palette["font-ui"]}`;
    context.textAlign = lap ? "right" : "left";
    const title = groupTitle(group, words);
    if (!lap && context.measureText(title).width > rect.width * camera.k - 8) continue;
    context.fillText(title, rect.x * camera.k + camera.x + (lap ? -6 : 4), rect.y * camera.k + camera.y + 12);
  }
}
