/**
 * Values in the few characters a box or a packet has room for.
 * @typedef {import("../wire").Value} Value
 */
import { countOf, elementsOf, plain, shapeText } from "../model/numbers.js";

/** Elements drawn as a strip of bars at most. */
export const STRIP_LIMIT = 32;

/** @param {Value} value */
export const isScalar = (value) => value.shape.length === 0;

/** @param {readonly number[]} shape */
export const shapeLabel = (shape) => (shape.length === 1 ? `[${shape[0]}]` : shapeText([...shape]));

/** Whether `valueText` gives the elements and not only the shape. @param {Value} value */
export const isWritten = (value) =>
  isScalar(value) || (value.kind === "full" && value.shape.length === 1 && value.shape[0] <= 3);

/**
 * One line for a value: the number, a short vector, or its shape.
 * @param {Value} value
 */
export function valueText(value) {
  if (isScalar(value)) return plain(value.data);
  if (isWritten(value)) {
    return `[${elementsOf(value)
      .map((each) => plain(each, 3))
      .join(", ")}]`;
  }
  return shapeLabel(value.shape);
}

/** Whether a value is drawn as a strip rather than written. @param {Value} value */
export const drawsStrip = (value) =>
  value.kind === "full" && value.shape.length > 0 && countOf(value.shape) > 0 && countOf(value.shape) <= STRIP_LIMIT;

/**
 * Elements as heights between -1 and 1, scaled by the largest; null where there is nothing to draw.
 * @param {Value} value
 * @returns {Array<number | null>}
 */
export function strip(value) {
  const numbers = elementsOf(value).map((each) => (typeof each === "boolean" ? Number(each) : each));
  const finite = numbers.filter((each) => typeof each === "number");
  const most = Math.max(...finite.map((each) => Math.abs(/** @type {number} */ (each))), Number.MIN_VALUE);
  return numbers.map((each) => (typeof each === "number" ? each / most : null));
}

/**
 * Mean and spread of a value too large to draw; the empty text when it has no finite elements.
 * @param {Value} value
 */
export function spreadText(value) {
  const { mean, std } = value.stats ?? moments(elementsOf(value));
  if (typeof mean !== "number") return "";
  return typeof std === "number" ? `${plain(mean, 2)} ± ${plain(std, 2)}` : plain(mean, 2);
}

/** @param {unknown[]} items */
function moments(items) {
  const finite = /** @type {number[]} */ (items.filter((each) => typeof each === "number"));
  if (finite.length === 0) return { mean: null, std: null };
  const mean = finite.reduce((sum, each) => sum + each, 0) / finite.length;
  const variance = finite.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(finite.length - 1, 1);
  return { mean, std: finite.length > 1 ? Math.sqrt(variance) : null };
}
