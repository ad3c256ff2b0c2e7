/**
 * Numbers of a trace as text and as TeX. On the wire a number may be a string: "nan", "inf", big integers, complex.
 * @typedef {import("../wire").Value} Value
 */

/**
 * A number as a reader wants it: whole numbers whole, others to `digits` significant digits.
 * @param {unknown} number
 * @param {number} [digits]
 * @returns {string}
 */
export function plain(number, digits = 4) {
  if (typeof number === "boolean") return number ? "True" : "False";
  if (typeof number !== "number") return String(number);
  if (Object.is(number, -0)) return "0";
  const size = Math.abs(number);
  if (Number.isInteger(number) && size < 1e6) return String(number);
  if (size >= 1e6 || size < 1e-4) return number.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(number.toPrecision(Math.max(digits, Math.floor(Math.log10(size)) + 1))));
}

/** @param {unknown} number */
export function plainTex(number) {
  const text = plain(number);
  const power = /^(-?[\d.]+)e(-?\d+)$/.exec(text);
  if (power) return `${power[1]} \\cdot 10^{${power[2]}}`;
  if (text === "inf" || text === "-inf") return text.replace("inf", "\\infty");
  return /^-?[\d.]+$/.test(text) ? text : `\\mathrm{${texText(text)}}`;
}

/** Text safe inside TeX's \mathrm, \mathit and \text. @param {string} text */
export const texText = (text) =>
  text.replace(/[\\{}$&#%_^~]/g, (sign) => ({ "\\": "\\backslash ", "^": "\\hat{}", "~": "\\sim " })[sign] ?? `\\${sign}`);

/** `2×3`; the empty text for a scalar. @param {number[]} shape */
export const shapeText = (shape) => shape.join("×");

/** As PyTorch writes a shape: `(2, 3)`, `(3,)`, `()`. @param {number[]} shape */
export const shapeTuple = (shape) => (shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`);

/** @param {number[]} shape */
export const countOf = (shape) => shape.reduce((total, size) => total * size, 1);

/**
 * The elements that were sent, flat.
 * @param {Value} value
 * @returns {unknown[]}
 */
export function elementsOf(value) {
  return Array.isArray(value.data) ? value.data.flat(Infinity) : [value.data];
}

/**
 * One short line: the number of a scalar, a few elements, else shape and mean.
 * @param {Value} value
 * @param {number} [limit] elements shown at most
 */
export function brief(value, limit = 4) {
  if (value.shape.length === 0) return plain(value.data);
  if (value.kind === "full" && countOf(value.shape) <= limit) return nested(value.data);
  const mean = value.stats ? value.stats.mean : meanOf(elementsOf(value));
  return mean === null ? `[${shapeText(value.shape)}]` : `[${shapeText(value.shape)}] μ ${plain(mean, 3)}`;
}

/** @param {unknown} data @returns {string} */
function nested(data) {
  return Array.isArray(data) ? `[${data.map(nested).join(", ")}]` : plain(data);
}

/** @param {unknown[]} elements @returns {number | null} */
function meanOf(elements) {
  const numbers = elements.filter((item) => typeof item === "number");
  return numbers.length === elements.length && numbers.length > 0
    ? numbers.reduce((total, item) => total + item, 0) / numbers.length
    : null;
}

/** Whether a value is small enough to be typeset whole. @param {Value} value */
export const typesets = (value) =>
  value.kind === "full" && value.shape.length <= 2 && value.shape.every((size) => size > 0 && size <= 4);

/**
 * A scalar as a number, a small vector or matrix in brackets, anything larger as its shape.
 * @param {Value} value
 */
export function valueTex(value) {
  if (!typesets(value)) return `[${value.shape.join("{\\times}")}]`;
  if (!Array.isArray(value.data)) return plainTex(value.data);
  const rows = value.shape.length === 1 ? [value.data] : value.data;
  return `\\begin{bmatrix}${rows.map((row) => row.map(plainTex).join(" & ")).join(" \\\\ ")}\\end{bmatrix}`;
}
