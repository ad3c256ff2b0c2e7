/**
 * Where lines meet the top of a box: spread over its width, in the order in which they come, so that they do not cross
 * at the door.
 * @typedef {import("./types.js").Rect} Rect
 * @typedef {import("./types.js").Line} Line
 * @typedef {import("./curve.js").Point} Point
 */
const STEP = 26;

/** @param {Rect} rect */
export const centre = (rect) => ({ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 });
/** @param {Rect} rect */
export const top = (rect) => ({ x: rect.x + rect.width / 2, y: rect.y });
/** @param {Rect} rect */
export const bottom = (rect) => ({ x: rect.x + rect.width / 2, y: rect.y + rect.height });
/** @param {Rect} rect */
export const right = (rect) => ({ x: rect.x + rect.width, y: rect.y + rect.height / 2 });

/**
 * Moves the last point of each line along the edge of the box it leads to.
 * @param {Line[]} lines
 * @param {Record<string, Rect>} rects
 */
export function spreadEnds(lines, rects) {
  /** @type {Map<string, Line[]>} */
  const into = new Map();
  for (const line of lines) {
    const list = into.get(line.to);
    if (list) list.push(line);
    else into.set(line.to, [line]);
  }
  for (const [key, arriving] of into) {
    if (arriving.length < 2) continue;
    const { width } = rects[key];
    const step = Math.min(STEP, (width - 16) / (arriving.length - 1));
    const from = (/** @type {Line} */ line) => line.points[line.points.length - 2];
    arriving.sort((a, b) => from(a).x - from(b).x || a.points[0].x - b.points[0].x);
    arriving.forEach((line, at) => {
      const end = line.points[line.points.length - 1];
      line.points[line.points.length - 1] = { x: end.x + (at - (arriving.length - 1) / 2) * step, y: end.y };
    });
  }
}
