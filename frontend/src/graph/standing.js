/**
 * Where on its line a packet comes to rest: before its receiver, and where neither it nor its label lies over a box.
 * @typedef {import("../layout/types.js").Line} Line
 * @typedef {import("../layout/types.js").Placed} Placed
 * @typedef {import("../layout/types.js").Rect} Rect
 */
import { lengthOf, pointAt } from "../layout/curve.js";
import { visibleIn } from "./sight.js";

/** How far before the receiver, in pixels: the first that is free. A line may run under another box, or far to one side. */
const BEFORE = { door: [22, 15, 28, 34, 44, 58, 74, 92], wait: [40, 27, 33, 22, 15, 50, 62, 78, 96, 120] };
/** It keeps to the second half of a line, one that waits may stay further back. */
const LEAST = { door: 0.5, wait: 0.4 };
/** Where a packet comes from, as a fraction of the line. */
const SENDER = 0.04;
/** From the middle of a packet to its label, and the label's height. */
export const LABEL = { beside: 13, height: 22 };

/**
 * @typedef {{ along: number, left: boolean }} Standing  fraction of the line; whether the label is at the left
 */

/**
 * @param {Placed} placed
 * @param {Line} line
 * @param {object} packet
 * @param {"sender" | "wait" | "door"} packet.place
 * @param {number} packet.radius  pixels
 * @param {number} packet.width  of its label, 0 for none
 * @param {boolean} packet.leans  whether its label is better at the left
 * @param {number} packet.scale  of both
 * @returns {Standing}
 */
export function standing(placed, line, { place, radius, width, leans, scale }) {
  if (place === "sender") return { along: SENDER, left: leans };
  const length = Math.max(lengthOf(line), 1);
  const places = BEFORE[place].map((before) => Math.max(1 - before / length, LEAST[place]));
  const sides = width > 0 ? [leans, !leans] : [leans];
  const choices = places.flatMap((along) => sides.map((left) => ({ along, left })));
  const open = new Set(placed.open);
  const free = choices.find(({ along, left }) => {
    const at = pointAt(line, along);
    const taken = around(at, { radius, width, left, scale });
    return taken.every((area) => visibleIn(placed, area).boxes.every((key) => open.has(key)));
  });
  return free ?? choices[0];
}

/** The packet itself and its label. @param {{ x: number, y: number }} at @param {{ radius: number, width: number, left: boolean, scale: number }} packet @returns {Rect[]} */
function around({ x, y }, { radius, width, left, scale }) {
  const [side, high] = [radius * scale, (LABEL.height * scale) / 2];
  const disc = { x: x - side, y: y - side, width: 2 * side, height: 2 * side };
  if (width === 0) return [disc];
  const start = x + scale * (left ? -LABEL.beside - width : LABEL.beside);
  return [disc, { x: start, y: y - high, width: width * scale, height: 2 * high }];
}
