/** The small map of a graph that is not all on screen: how large it is, and what it leaves of the stage. */
import { seen } from "./camera.js";

/** Largest width and height in pixels, and the least of either. */
const MOST = { width: 148, height: 132 };
const LEAST = 24;
/** A stage narrower than this has no room for it. */
const NARROW = 520;
/** Pixels from it to the edges of the stage, and to what it may not cover. */
const GAP = 8;

/**
 * @typedef {{ scale: number, width: number, height: number }} Map  width and height in pixels
 * @typedef {import("./camera.js").Room & { x: number, y: number }} Room
 */

/** @param {import("../layout/types.js").Rect} bounds @returns {Map} */
export function mapOf(bounds) {
  const scale = Math.min(MOST.width / Math.max(bounds.width, 1), MOST.height / Math.max(bounds.height, 1));
  return { scale, width: Math.max(bounds.width * scale, LEAST), height: Math.max(bounds.height * scale, LEAST) };
}

/** Whether a part of the graph is out of sight. @param {import("../layout/types.js").Rect} bounds @param {import("../layout/types.js").Size} size @param {import("./camera.js").Camera} camera */
export function needsMap(bounds, size, camera) {
  if (size.width < NARROW) return false;
  const window = seen(camera, size);
  return (
    bounds.x < window.x - 1 ||
    bounds.y < window.y - 1 ||
    bounds.x + bounds.width > window.x + window.width + 1 ||
    bounds.y + bounds.height > window.y + window.height + 1
  );
}

/**
 * What a map in the lower right corner leaves of a room: all beside it, if the graph has its place there, else all beside
 * it or all above it, whichever is more.
 * @param {Room} room @param {Map} map
 * @param {{ past: number, wide: number }} other  pixels from the room to the right edge of the stage, and of the graph's width
 * @returns {Room}
 */
export function besideMap(room, map, { past, wide }) {
  const width = room.width - Math.max(map.width + 2 * GAP - past, 0);
  const height = room.height - map.height - 2 * GAP;
  return wide <= width || width * room.height >= room.width * height ? { ...room, width } : { ...room, height };
}
