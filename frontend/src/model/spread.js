/**
 * How the elements of a value are spread: over bins, and over the rows and columns of a picture.
 * @typedef {import("../wire").Value} Value
 * @typedef {import("../wire").Histogram} Histogram
 */
import { countOf, elementsOf } from "./numbers.js";

/** Fewer elements are read one by one; so many bins at most. */
const FEWEST = 8;
const BINS = 24;
/** Rows and columns a picture has room for. */
const SIDE = 64;

/**
 * The value's own histogram, else one of its elements where all were sent; null where there is nothing to tell.
 * @param {Value} value
 * @returns {Histogram | null}
 */
export function histogramOf(value) {
  if (value.histogram) return value.histogram;
  if (value.kind !== "full") return null;
  const finite = elementsOf(value).filter((each) => typeof each === "number");
  if (finite.length < FEWEST) return null;
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  if (!(most > least)) return null;
  const bins = Math.min(BINS, Math.max(FEWEST, Math.ceil(Math.sqrt(finite.length) * 1.5)));
  const counts = new Array(bins).fill(0);
  for (const each of finite) counts[Math.min(Math.floor(((each - least) / (most - least)) * bins), bins - 1)] += 1;
  return { edges: Array.from({ length: bins + 1 }, (_, at) => least + ((most - least) * at) / bins), counts };
}

/**
 * Elements as rows of numbers between -1 and 1, by the largest of them; of more than two dimensions the last is the
 * row. "odd" where there is no finite number. Null for values that are no table, or too large for one.
 * @param {Value} value
 * @returns {Array<Array<number | "odd">> | null}
 */
export function heatRows(value) {
  const { shape } = value;
  const width = shape[shape.length - 1] ?? 0;
  if (value.kind !== "full" || shape.length === 0 || width === 0 || countOf(shape) < 2) return null;
  const height = countOf(shape) / width;
  if (width > SIDE || height > SIDE) return null;
  const flat = elementsOf(value).map((each) => (typeof each === "boolean" ? Number(each) : each));
  const most = Math.max(...flat.map((each) => (typeof each === "number" ? Math.abs(each) : 0)), Number.MIN_VALUE);
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => {
      const each = flat[row * width + column];
      return typeof each === "number" ? each / most : "odd";
    }),
  );
}
