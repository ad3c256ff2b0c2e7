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
export const spreadEnds = (lines, rects) =>
  spread(
    lines,
    rects,
    (line) => line.to,
    (points) => points.length - 1,
    -1,
  );

/**
 * Moves the first point of each line along the edge of the box it leaves.
 * @param {Line[]} lines
 * @param {Record<string, Rect>} rects
 */
export const spreadStarts = (lines, rects) =>
  spread(
    lines,
    rects,
    (line) => line.from,
    () => 0,
    1,
  );

/**
 * @param {Line[]} lines @param {Record<string, Rect>} rects @param {(line: Line) => string} box
 * @param {(points: Point[]) => number} end  index of the point to move
 * @param {-1 | 1} inward  towards the next point of the line
 */
function spread(lines, rects, box, end, inward) {
  /** @type {Map<string, Line[]>} */
  const byBox = new Map();
  for (const line of lines) {
    const list = byBox.get(box(line));
    if (list) list.push(line);
    else byBox.set(box(line), [line]);
  }
  for (const [key, meeting] of byBox) {
    if (meeting.length < 2) continue;
    const step = Math.min(STEP, (rects[key].width - 24) / (meeting.length - 1));
    const next = (/** @type {Line} */ line) => line.points[end(line.points) + inward].x;
    const last = (/** @type {Line} */ line) => line.points[inward === 1 ? line.points.length - 1 : 0].x;
    meeting.sort((a, b) => next(a) - next(b) || last(a) - last(b));
    meeting.forEach((line, at) => {
      const index = end(line.points);
      const { x, y } = line.points[index];
      line.points[index] = { x: x + (at - (meeting.length - 1) / 2) * step, y };
    });
  }
}
