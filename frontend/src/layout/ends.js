/**
 * Where lines meet the top of a box: spread over its width, in the order in which they come, so that they do not cross
 * at the door. Boxes are known by number; `rects` holds x, y, width and height of each.
 * @typedef {import("./curve.js").Point} Point
 */

/**
 * @typedef {object} Stroke  a line between two boxes, drawn for several edges where a group is collapsed
 * @property {typeof import("./sheet.js").KINDS[number]} kind
 * @property {import("./curve.js").Bend} bend
 * @property {number} from
 * @property {number} to
 * @property {number[]} members  edges, by their number among those of this kind
 * @property {Point[]} points
 */

const STEP = 26;

/** @param {Float64Array} rects @param {number} box */
export const drawn = (rects, box) => box >= 0 && !Number.isNaN(rects[4 * box]);
/** @param {Float64Array} rects @param {number} box */
export const centre = (rects, box) => ({ x: middle(rects, box), y: rects[4 * box + 1] + rects[4 * box + 3] / 2 });
/** @param {Float64Array} rects @param {number} box */
export const top = (rects, box) => ({ x: middle(rects, box), y: rects[4 * box + 1] });
/** @param {Float64Array} rects @param {number} box */
export const bottom = (rects, box) => ({ x: middle(rects, box), y: rects[4 * box + 1] + rects[4 * box + 3] });
/** @param {Float64Array} rects @param {number} box */
export const right = (rects, box) => ({ x: rects[4 * box] + rects[4 * box + 2], y: rects[4 * box + 1] + rects[4 * box + 3] / 2 });

/** @param {Float64Array} rects @param {number} box */
const middle = (rects, box) => rects[4 * box] + rects[4 * box + 2] / 2;

/** Moves the last point of each line along the edge of the box it leads to. @param {Stroke[]} lines @param {Float64Array} rects */
export const spreadEnds = (lines, rects) => spread(lines, rects, "to");

/** Moves the first point of each line along the edge of the box it leaves. @param {Stroke[]} lines @param {Float64Array} rects */
export const spreadStarts = (lines, rects) => spread(lines, rects, "from");

/** @param {Stroke[]} lines @param {Float64Array} rects @param {"from" | "to"} side */
function spread(lines, rects, side) {
  /** @type {Map<number, Stroke[]>} */
  const byBox = new Map();
  for (const line of lines) {
    const list = byBox.get(line[side]);
    if (list) list.push(line);
    else byBox.set(line[side], [line]);
  }
  const [end, inward] = side === "to" ? [-1, -2] : [0, 1];
  for (const [box, meeting] of byBox) {
    if (meeting.length < 2) continue;
    const step = Math.min(STEP, (rects[4 * box + 2] - 24) / (meeting.length - 1));
    const x = (/** @type {Stroke} */ line, /** @type {number} */ place) => /** @type {Point} */ (line.points.at(place)).x;
    const far = side === "to" ? 0 : -1;
    meeting.sort((a, b) => x(a, inward) - x(b, inward) || x(a, far) - x(b, far));
    meeting.forEach(({ points }, at) => {
      const point = /** @type {Point} */ (points.at(end));
      points[end < 0 ? points.length - 1 : 0] = { x: point.x + (at - (meeting.length - 1) / 2) * step, y: point.y };
    });
  }
}
