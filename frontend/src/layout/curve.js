/**
 * Lines as chains of cubic curves through waypoints, upright at each of them, so that a line leaves and enters
 * boxes straight. The same points serve SVG, canvas, and the packet that moves along.
 * @typedef {{ x: number, y: number }} Point
 */

/**
 * Drops waypoints that do not change the direction of a line.
 * @param {Point[]} points
 * @returns {Point[]}
 */
export function simplify(points) {
  return points.filter((point, at) => {
    if (at === 0 || at === points.length - 1) return true;
    return Math.abs(points[at - 1].x - point.x) > 2 || Math.abs(points[at + 1].x - point.x) > 2;
  });
}

/** Control points of the piece between two waypoints. @param {Point} a @param {Point} b */
export function controls(a, b) {
  if (Math.abs(a.y - b.y) < Math.abs(a.x - b.x) / 4) {
    const middle = (a.x + b.x) / 2;
    return [{ x: middle, y: a.y }, { x: middle, y: b.y }];
  }
  const middle = (a.y + b.y) / 2;
  return [{ x: a.x, y: middle }, { x: b.x, y: middle }];
}

/** SVG path data. @param {Point[]} points */
export function pathOf(points) {
  let path = `M${round(points[0].x)} ${round(points[0].y)}`;
  for (let at = 1; at < points.length; at += 1) {
    const [c, d] = controls(points[at - 1], points[at]);
    path += `C${[c.x, c.y, d.x, d.y, points[at].x, points[at].y].map(round).join(" ")}`;
  }
  return path;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/**
 * The point a fraction `t` of the way along, measured by straight distance between waypoints.
 * @param {Point[]} points
 * @param {number} t  0 to 1
 * @returns {Point}
 */
export function pointAt(points, t) {
  const lengths = points.slice(1).map((point, at) => Math.hypot(point.x - points[at].x, point.y - points[at].y));
  let left = t * lengths.reduce((a, b) => a + b, 0);
  for (let at = 0; at < lengths.length; at += 1) {
    if (left <= lengths[at] || at === lengths.length - 1) return cubic(points[at], points[at + 1], lengths[at] ? Math.min(left / lengths[at], 1) : 0);
    left -= lengths[at];
  }
  return points[0];
}

/** @param {Point} a @param {Point} b @param {number} t */
function cubic(a, b, t) {
  const [c, d] = controls(a, b);
  const s = 1 - t;
  const mix = (/** @type {number} */ p, /** @type {number} */ q, /** @type {number} */ r, /** @type {number} */ u) =>
    s * s * s * p + 3 * s * s * t * q + 3 * s * t * t * r + t * t * t * u;
  return { x: mix(a.x, c.x, d.x, b.x), y: mix(a.y, c.y, d.y, b.y) };
}
