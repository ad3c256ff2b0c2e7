/**
 * What of the graph a step is about, as one rectangle.
 * @typedef {import("../layout/types.js").Placed} Placed
 * @typedef {import("../layout/types.js").Rect} Rect
 */

/**
 * @param {Placed} placed
 * @param {Iterable<string>} keys
 * @param {Iterable<string>} edges  lines in motion, whose senders belong to the scene
 * @returns {Rect | null}
 */
export function areaOf(placed, keys, edges) {
  const boxes = [...keys].map((key) => placed.rects[placed.shownAs[key] ?? key]).filter(Boolean);
  const moving = new Set(edges);
  for (const line of placed.lines) {
    if (moving.size > 0 && line.members.some((member) => moving.has(member)))
      boxes.push(...[line.from, line.to].map((key) => placed.rects[key]).filter(Boolean));
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
