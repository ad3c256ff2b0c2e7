/**
 * Where we look from: an immutable value. A world point (x, y) is seen at (x * k + camera.x, y * k + camera.y).
 * @typedef {{ x: number, y: number, k: number }} Camera  pixels, pixels, zoom
 * @typedef {import("../layout/types.js").Rect} Rect
 * @typedef {import("../layout/types.js").Size} Size
 * @typedef {import("../layout/curve.js").Point} Point
 */

export const ZOOM = { least: 0.02, most: 3 };
/** Below this zoom the graph is painted as blocks on a canvas, above it drawn as SVG. */
export const FAR = 0.45;
/** From this zoom on boxes show values and not only names. */
export const NEAR = 0.62;

/** @param {number} k @returns {"far" | "middle" | "near"} */
export const detailAt = (k) => (k < FAR ? "far" : k < NEAR ? "middle" : "near");

/** @param {Camera} camera @param {number} dx @param {number} dy @returns {Camera} */
export const pan = (camera, dx, dy) => ({ ...camera, x: camera.x + dx, y: camera.y + dy });

/**
 * Zoom by a factor with the screen point held still.
 * @param {Camera} camera @param {number} factor @param {Point} at
 * @returns {Camera}
 */
export function zoomAt(camera, factor, at) {
  const k = Math.min(Math.max(camera.k * factor, ZOOM.least), ZOOM.most);
  const ratio = k / camera.k;
  return { k, x: at.x - (at.x - camera.x) * ratio, y: at.y - (at.y - camera.y) * ratio };
}

/** @param {Camera} camera @param {Point} point @returns {Point} */
export const toWorld = (camera, point) => ({ x: (point.x - camera.x) / camera.k, y: (point.y - camera.y) / camera.k });

/** @param {Camera} camera @param {Point} point @returns {Point} */
export const toScreen = (camera, point) => ({ x: point.x * camera.k + camera.x, y: point.y * camera.k + camera.y });

/** The part of the world on screen. @param {Camera} camera @param {Size} size @returns {Rect} */
export function seen(camera, size) {
  const { x, y } = toWorld(camera, { x: 0, y: 0 });
  return { x, y, width: size.width / camera.k, height: size.height / camera.k };
}

/** A part of the screen, from its top left where nothing else is said. @typedef {Size & { x?: number, y?: number }} Room */

/**
 * The whole of a rectangle, in the middle of a room and no larger than `most`.
 * @param {Rect} rect @param {Room} room @param {{ margin?: number, most?: number }} [options]  pixels, zoom
 * @returns {Camera}
 */
export function fit(rect, room, { margin = 40, most = 1.15 } = {}) {
  const across = Math.max(room.width - 2 * margin, 40) / Math.max(rect.width, 1);
  const down = Math.max(room.height - 2 * margin, 40) / Math.max(rect.height, 1);
  const k = Math.min(Math.max(Math.min(across, down), ZOOM.least), most);
  return centred(rect, room, k);
}

/** @param {Rect} rect @param {Room} room @param {number} k @returns {Camera} */
export const centred = (rect, { x = 0, y = 0, width, height }, k) => ({
  k,
  x: x + width / 2 - (rect.x + rect.width / 2) * k,
  y: y + height / 2 - (rect.y + rect.height / 2) * k,
});

/**
 * The least pan that brings a rectangle inside the margins of a room; one too large for them is centred.
 * @param {Camera} camera @param {Rect} rect @param {Room} room @param {number} margin  pixels
 * @returns {Camera}
 */
export function reveal(camera, rect, { x = 0, y = 0, width, height }, margin) {
  const start = toScreen(camera, rect);
  const dx = shift(start.x - x, rect.width * camera.k, width, margin);
  const dy = shift(start.y - y, rect.height * camera.k, height, margin);
  return dx === 0 && dy === 0 ? camera : pan(camera, dx, dy);
}

/** @param {number} start @param {number} length @param {number} room @param {number} margin */
function shift(start, length, room, margin) {
  const inset = Math.min(margin, room / 4);
  if (length > room - 2 * inset) return (room - length) / 2 - start;
  if (start < inset) return inset - start;
  return Math.min(room - inset - length - start, 0);
}

/**
 * The least pan after which a rectangle leaves no more of a room empty than it must: all of it is inside, or, along a
 * side on which it is too long for that, it reaches from end to end.
 * @param {Camera} camera @param {Rect} rect @param {Room} room
 * @returns {Camera}
 */
export function held(camera, rect, { x = 0, y = 0, width, height }) {
  const start = toScreen(camera, rect);
  const dx = hold(start.x - x, rect.width * camera.k, width);
  const dy = hold(start.y - y, rect.height * camera.k, height);
  return dx === 0 && dy === 0 ? camera : pan(camera, dx, dy);
}

/** @param {number} start @param {number} length @param {number} room */
function hold(start, length, room) {
  const spare = room - length;
  return Math.min(Math.max(start, Math.min(spare, 0)), Math.max(spare, 0)) - start;
}

/** Between two cameras. @param {Camera} a @param {Camera} b @param {number} t @returns {Camera} */
export const mix = (a, b, t) => ({
  x: a.x + (b.x - a.x) * t,
  y: a.y + (b.y - a.y) * t,
  k: a.k + (b.k - a.k) * t,
});
