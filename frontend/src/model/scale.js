/**
 * The timeline's one axis: a step is a cell of equal width, its dot in the middle.
 * @typedef {{ count: number, width: number }} Scale  `width` in pixels
 */

/** Left edge of a step's cell. @param {Scale} scale @param {number} step */
export const edgeOf = ({ count, width }, step) => (count === 0 ? 0 : (step * width) / count);

/** Middle of a step's cell. @param {Scale} scale @param {number} step */
export const middleOf = (scale, step) => edgeOf(scale, step + 0.5);

/** The step under a horizontal position. @param {Scale} scale @param {number} x */
export function stepAt({ count, width }, x) {
  if (count === 0 || width === 0) return -1;
  return Math.max(0, Math.min(count - 1, Math.floor((x * count) / width)));
}

/**
 * The stepped line of bytes saved for backward as an SVG path: each change falls on the middle of its step.
 * @param {import("../wire").MemoryAt[]} memory in order of steps
 * @param {Scale} scale
 * @param {{ top: number, bottom: number }} room y of the most bytes and of none
 */
export function bytesPath(memory, scale, { top, bottom }) {
  const most = Math.max(...memory.map((row) => row.bytes), 1);
  /** @param {number} bytes */
  const y = (bytes) => round(bottom - ((bottom - top) * bytes) / most);
  const parts = [`M0 ${y(0)}`];
  for (const row of memory) parts.push(`H${round(middleOf(scale, row.step))}V${y(row.bytes)}`);
  return `${parts.join("")}H${round(scale.width)}`;
}

/** @param {number} number */
const round = (number) => Math.round(number * 100) / 100;
