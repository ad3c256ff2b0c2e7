/**
 * The far picture: blocks of colour on a canvas. It says where things are and what is going on, not what they are.
 * Shapes of one look are one path, made once for a moment; a frame only strokes and fills them.
 * @typedef {import("./camera.js").Camera} Camera
 * @typedef {import("../layout/types.js").Placed} Placed
 * @typedef {import("../layout/types.js").Line} Line
 * @typedef {import("../scene/state.js").Moment} Moment
 * @typedef {Record<string, string>} Palette  colours by the names of the style sheet
 */
import { pieces } from "../layout/curve.js";
import { HEADER } from "../layout/forward.js";
import { groupTitle } from "../scene/labels.js";
import { SHADES } from "../scene/tint.js";
import { boxPhase, foldedPhase, linePhase } from "./look.js";

/**
 * @typedef {object} Batch  shapes of one look
 * @property {Path2D} path
 * @property {string | null} fill  name in the palette
 * @property {string} stroke
 * @property {number} alpha
 * @property {number} weight  line width in pixels on screen
 */

/**
 * @typedef {object} Sight  what there is to paint, whatever the camera
 * @property {Placed} placed
 * @property {Moment} moment
 * @property {{ boxes: string[], lines: Line[] }} visible
 * @property {ReturnType<typeof import("./look.js").edgeTable>} edges
 * @property {{ selected: Set<string>, around: Set<string> } | null} related
 * @property {(key: string) => string | null} toneOf  colour of a box that is not that of its kind
 * @property {boolean} coarse  lines as straight pieces
 */

const KINDS = ["tensor", "op", "node", "leaf", "constant"];
/** Below this zoom curves cannot be told from straight lines. */
export const COARSE = 0.15;

/** @param {Element} element @returns {Palette} */
export function paletteOf(element) {
  const style = getComputedStyle(element);
  const names = [
    ...KINDS.flatMap((kind) => [`${kind}-fill`, `${kind}-line`]),
    ...SHADES,
    "bad",
    "bad-soft",
    "panel",
    "edge",
    "backward",
    "forward",
    "line",
    "text-soft",
    "focus",
    "font-ui",
  ];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

/** @param {Sight} sight @returns {Batch[]} in the order in which they are painted */
export function batchesOf(sight) {
  /** @type {Map<string, Batch>} */
  const batches = new Map();
  /** @param {Omit<Batch, "path">} look */
  const pathFor = (look) => {
    const key = `${look.fill} ${look.stroke} ${look.alpha} ${look.weight}`;
    const found = batches.get(key) ?? { ...look, path: new Path2D() };
    batches.set(key, found);
    return found.path;
  };
  const { placed } = sight;
  const open = new Set(placed.open);
  for (const key of placed.open) {
    const { x, y, width, height } = placed.rects[key];
    pathFor({ fill: null, stroke: "line", alpha: 1, weight: 1 }).rect(x, y, width, height);
  }
  for (const line of sight.visible.lines) {
    const look = lineLook(line, sight);
    if (look) trace(pathFor(look), line, sight.coarse);
  }
  for (const key of sight.visible.boxes) {
    if (open.has(key)) continue;
    const { x, y, width, height } = placed.rects[key];
    const look = boxLook(key, sight);
    const path = pathFor(look);
    if (look.fill?.startsWith("node") && !sight.coarse) path.roundRect(x, y, width, height, height / 2);
    else path.rect(x, y, width, height);
    if (look.stroke === "op-line" && !sight.coarse) path.rect(x + 4, y + 4, width - 8, height - 8);
  }
  return [...batches.values()];
}

/** @param {Path2D} path @param {Line} line @param {boolean} coarse */
function trace(path, line, coarse) {
  path.moveTo(line.points[0].x, line.points[0].y);
  if (coarse) for (const { x, y } of line.points) path.lineTo(x, y);
  else for (const [, c, d, b] of pieces(line)) path.bezierCurveTo(c.x, c.y, d.x, d.y, b.x, b.y);
}

/** @param {Line} line @param {Sight} sight @returns {Omit<Batch, "path"> | null} null for what is not seen from afar */
function lineLook(line, { placed, moment, edges, related }) {
  if (line.kind === "saved") return null;
  const phase = linePhase(moment, line, edges);
  const bold = phase === "now" || phase === "waiting";
  if (!bold && line.kind !== "data" && (placed.mode === "badges" || (line.kind === "seed" && phase !== "done")))
    return null;
  const stroke = line.kind !== "data" ? "backward" : bold ? "forward" : "edge";
  return {
    fill: null,
    stroke,
    alpha: bold ? 1 : (phase === "future" ? 0.25 : 0.7) * (related ? 0.5 : 1),
    weight: bold ? 2.5 : 0.8,
  };
}

/** @param {string} key @param {Sight} sight @returns {Omit<Batch, "path">} */
function boxLook(key, { placed, moment, related, toneOf }) {
  const item = moment.scene.itemOf.get(key);
  const pill = moment.scene.pillOf.get(key);
  const kind = item
    ? item.look === "plain"
      ? "constant"
      : item.look
    : pill || key.endsWith("|b")
      ? "node"
      : "constant";
  const phase = item || pill ? boxPhase(moment, key) : foldedPhase(moment, placed, key);
  const selected = related?.selected.has(key) ?? false;
  const tone = toneOf(key);
  const apart = related !== null && !selected && !related.around.has(key);
  return {
    fill: tone ?? (phase === "now" ? `${kind}-line` : `${kind}-fill`),
    stroke: selected ? "focus" : tone === "bad-soft" ? "bad" : `${kind}-line`,
    alpha: (phase === "future" ? 0.3 : 1) * (apart ? 0.35 : 1),
    weight: phase === "now" || selected ? 3 : 0.8,
  };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Batch[]} batches
 * @param {{ camera: Camera, size: { width: number, height: number }, ratio: number, palette: Palette }} view
 */
export function paintFar(context, batches, { camera, size, ratio, palette }) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.setTransform(ratio * camera.k, 0, 0, ratio * camera.k, ratio * camera.x, ratio * camera.y);
  for (const { path, fill, stroke, alpha, weight } of batches) {
    context.globalAlpha = alpha;
    if (fill) {
      context.fillStyle = palette[fill];
      context.fill(path);
    }
    context.strokeStyle = palette[stroke];
    context.lineWidth = weight / camera.k;
    context.stroke(path);
  }
  context.globalAlpha = 1;
}

/**
 * Names of groups, where their heading has room for letters; a lap is named beside it.
 * @param {CanvasRenderingContext2D} context
 * @param {{ camera: Camera, ratio: number, palette: Palette, placed: Placed, moment: Moment,
 *           words: import("../scene/labels.js").Words }} view
 */
export function paintTitles(context, { camera, ratio, placed, moment, palette, words }) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = palette["text-soft"];
  const size = Math.min(HEADER * camera.k * 0.75, 11);
  for (const group of moment.scene.groups) {
    const rect = placed.rects[group.key];
    const lap = group.module === "";
    if (!rect || (lap ? rect.height * camera.k < 18 : size < 7)) continue;
    context.font = `600 ${lap ? 11 : size}px ${palette["font-ui"]}`;
    context.textAlign = lap ? "right" : "left";
    const title = groupTitle(group, words);
    if (!lap && context.measureText(title).width > rect.width * camera.k - 8) continue;
    context.fillText(title, rect.x * camera.k + camera.x + (lap ? -6 : 4), rect.y * camera.k + camera.y + 12);
  }
}
