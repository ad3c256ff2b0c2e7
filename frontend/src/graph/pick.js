/**
 * Which box lies under a point. On the canvas there is nothing else to ask.
 * @param {import("../layout/types.js").Placed} placed
 * @param {import("../layout/curve.js").Point} point  in the world
 * @param {number} slack  in world units, so that a small block can still be hit
 * @returns {string | null}
 */
export function boxAt(placed, point, slack) {
  const open = new Set(placed.open);
  let best = null;
  let least = Infinity;
  for (const [key, rect] of Object.entries(placed.rects)) {
    if (open.has(key)) continue;
    const dx = Math.max(rect.x - point.x, 0, point.x - rect.x - rect.width);
    const dy = Math.max(rect.y - point.y, 0, point.y - rect.y - rect.height);
    const distance = Math.hypot(dx, dy);
    if (distance <= slack && distance < least) {
      least = distance;
      best = key;
    }
  }
  return best;
}
