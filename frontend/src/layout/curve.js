/**
 * Lines as chains of cubic curves through waypoints. They leave and enter boxes straight and pass waypoints without
 * swinging out. The same pieces serve SVG, canvas, and the packet that moves along.
 * @typedef {{ x: number, y: number }} Point
 * @typedef {"upright" | "sideways" | "corner"} Bend  between ranks, across the middle, or from a side to a bottom
 * @typedef {{ points: Point[], bend: Bend }} Curve
 * @typedef {[Point, Point, Point, Point]} Piece  start, two controls, end
 */

/** Waypoints closer than this to the straight line between their neighbours are left out, in pixels. */
const STRAIGHT = 3;

/**
 * Drops waypoints that do not change the direction of a line.
 * @param {Point[]} points
 * @returns {Point[]}
 */
export function simplify(points) {
  const kept = [points[0]];
  for (let at = 1; at < points.length - 1; at += 1) {
    const before = kept[kept.length - 1];
    const after = points[at + 1];
    const share = after.y === before.y ? 0.5 : (points[at].y - before.y) / (after.y - before.y);
    if (Math.abs(before.x + (after.x - before.x) * share - points[at].x) > STRAIGHT) kept.push(points[at]);
  }
  kept.push(points[points.length - 1]);
  return kept;
}

/** @type {WeakMap<Curve, Piece[]>} */
const known = new WeakMap();

/** @param {Curve} curve @returns {Piece[]} */
export function pieces(curve) {
  const found = known.get(curve);
  if (found) return found;
  const { points, bend } = curve;
  const slopes = points.map((_, at) =>
    at === 0 || at === points.length - 1 ? null : slopeAt(points[at - 1], points[at], points[at + 1]),
  );
  const made = points.slice(1).map((b, at) => {
    const a = points[at];
    if (bend === "corner") return /** @type {Piece} */ ([a, { x: b.x, y: a.y }, { x: b.x, y: a.y }, b]);
    const dy = b.y - a.y;
    if (bend === "sideways" || (points.length === 2 && Math.abs(dy) < Math.abs(a.x - b.x) / 4)) {
      const middle = (a.x + b.x) / 2;
      return /** @type {Piece} */ ([a, { x: middle, y: a.y }, { x: middle, y: b.y }, b]);
    }
    return /** @type {Piece} */ ([a, handle(a, slopes[at], dy), handle(b, slopes[at + 1], -dy), b]);
  });
  known.set(curve, made);
  return made;
}

/**
 * An end leaves upright and keeps so for half the way.
 * @param {Point} point
 * @param {number | null} slope
 * @param {number} dy
 */
const handle = (point, slope, dy) =>
  slope === null ? { x: point.x, y: point.y + dy / 2 } : { x: point.x + (slope * dy) / 3, y: point.y + dy / 3 };

/**
 * Change of x for each y at a waypoint: the harmonic mean of both sides, upright where the line turns back, so that
 * it never passes beyond a waypoint.
 * @param {Point} a @param {Point} b @param {Point} c
 */
function slopeAt(a, b, c) {
  const before = (b.x - a.x) / (b.y - a.y);
  const after = (c.x - b.x) / (c.y - b.y);
  return before * after > 0 && Number.isFinite(before + after) ? (2 * before * after) / (before + after) : 0;
}

/** SVG path data. @param {Curve} curve */
export function pathOf(curve) {
  const start = curve.points[0];
  return `M${round(start.x)} ${round(start.y)}${pieces(curve)
    .map(([, c, d, b]) => `C${[c.x, c.y, d.x, d.y, b.x, b.y].map(round).join(" ")}`)
    .join("")}`;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** Length of a line along its waypoints, in pixels. @param {Curve} curve */
export const lengthOf = ({ points }) =>
  points.slice(1).reduce((sum, point, at) => sum + Math.hypot(point.x - points[at].x, point.y - points[at].y), 0);

/**
 * The point a fraction `t` of the way along, measured by straight distance between waypoints.
 * @param {Curve} curve
 * @param {number} t  0 to 1
 * @returns {Point}
 */
export function pointAt(curve, t) {
  const all = pieces(curve);
  const lengths = all.map(([a, , , b]) => Math.hypot(b.x - a.x, b.y - a.y));
  let left = t * lengths.reduce((a, b) => a + b, 0);
  for (let at = 0; at < all.length; at += 1) {
    if (left <= lengths[at] || at === all.length - 1)
      return cubic(all[at], lengths[at] ? Math.min(left / lengths[at], 1) : 0);
    left -= lengths[at];
  }
  return curve.points[0];
}

/** @param {Piece} piece @param {number} t @returns {Point} */
function cubic([a, c, d, b], t) {
  const s = 1 - t;
  const mix = (/** @type {number} */ p, /** @type {number} */ q, /** @type {number} */ r, /** @type {number} */ u) =>
    s * s * s * p + 3 * s * s * t * q + 3 * s * t * t * r + t * t * t * u;
  return { x: mix(a.x, c.x, d.x, b.x), y: mix(a.y, c.y, d.y, b.y) };
}
