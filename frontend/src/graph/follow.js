/**
 * What of the graph a step is about, as one rectangle.
 * @typedef {import("../layout/types.js").Placed} Placed
 * @typedef {import("../layout/types.js").Rect} Rect
 * @typedef {import("../layout/types.js").Line} Line
 */

/** @type {WeakMap<Placed, Map<string, Line>>} */
const known = new WeakMap();

/** The line that draws each edge. @param {Placed} placed @returns {Map<string, Line>} */
export function lineOf(placed) {
  let lines = known.get(placed);
  if (!lines) {
    lines = new Map(placed.lines.flatMap((line) => line.members.map((member) => [member, line])));
    known.set(placed, lines);
  }
  return lines;
}

/**
 * @param {Placed} placed
 * @param {Iterable<string>} keys
 * @param {Iterable<string>} edges  lines in motion, whose senders belong to the scene
 * @returns {Rect | null}
 */
export function areaOf(placed, keys, edges) {
  const boxes = [...keys].map((key) => placed.rects[placed.shownAs[key] ?? key]).filter(Boolean);
  for (const edge of edges) {
    const line = lineOf(placed).get(edge);
    if (line) boxes.push(...[line.from, line.to].map((key) => placed.rects[key]).filter(Boolean));
  }
  if (boxes.length === 0) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}
