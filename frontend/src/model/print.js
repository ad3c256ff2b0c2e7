/**
 * A small tensor as `print(tensor)` writes it in PyTorch. The trace carries that text for what a tensor holds at the
 * end of a run; for what it held before, the page writes it.
 * @typedef {import("../wire").Value} Value
 */
import { elementsOf } from "./numbers.js";

const LINE = 80;
const DIGITS = 4;
const OPENING = "tensor(";
/** Types whose name PyTorch leaves out. */
const USUAL = new Set(["torch.float32", "torch.int64", "torch.bool", "torch.complex64"]);

/** @param {Value} value a whole one: `kind` is "full" */
export function printed(value) {
  const format = formatter(elementsOf(value), value.dtype);
  const body = value.shape.length === 0 ? format.write(value.data) : nested(value.data, value.shape.length, OPENING.length, format);
  const suffix = USUAL.has(value.dtype) ? "" : `, dtype=${value.dtype}`;
  return `${OPENING}${body}${suffix})`;
}

/**
 * How every element is written: all alike, all as wide as the widest.
 * @param {unknown[]} items @param {string} dtype
 */
function formatter(items, dtype) {
  const one = /float/.test(dtype) ? floatText(items) : plainText;
  const width = Math.max(0, ...items.map((item) => one(item).length));
  return { width, write: (/** @type {unknown} */ item) => one(item).padStart(width) };
}

/** @param {unknown} item */
const plainText = (item) => (typeof item === "boolean" ? (item ? "True" : "False") : String(item));

/**
 * Whole numbers with a point, else four digits behind it, else powers of ten, as the sizes ask for.
 * @param {unknown[]} items
 * @returns {(item: unknown) => string}
 */
function floatText(items) {
  const sizes = items.filter((item) => typeof item === "number" && item !== 0).map((item) => Math.abs(/** @type {number} */ (item)));
  const [most, least] = [Math.max(...sizes), Math.min(...sizes)];
  const whole = sizes.every(Number.isInteger);
  const powers = sizes.length > 0 && (most / least > 1000 || most > 1e8 || (!whole && least < 1e-4));
  return (item) => {
    if (typeof item !== "number") return String(item);
    if (powers) return item.toExponential(DIGITS).replace(/e([+-])(\d)$/, "e$10$2");
    const text = whole ? `${item}.` : item.toFixed(DIGITS);
    return Object.is(item, -0) ? `-${text.replace("-", "")}` : text;
  };
}

/**
 * @param {unknown} data @param {number} depth dimensions left @param {number} indent
 * @param {ReturnType<typeof formatter>} format
 * @returns {string}
 */
function nested(data, depth, indent, format) {
  const items = /** @type {unknown[]} */ (data);
  const gap = " ".repeat(indent + 1);
  if (depth > 1) {
    return `[${items.map((item) => nested(item, depth - 1, indent + 1, format)).join(`,${"\n".repeat(depth - 1)}${gap}`)}]`;
  }
  const fit = Math.max(1, Math.floor((LINE - indent) / (format.width + 2)));
  const lines = [];
  for (let at = 0; at < items.length; at += fit) lines.push(items.slice(at, at + fit).map(format.write).join(", "));
  return `[${lines.join(`,\n${gap}`)}]`;
}

/**
 * A printed tensor in shorter lines, as PyTorch prints it after `set_printoptions(linewidth=columns)`.
 * @param {string} text @param {number} columns
 */
export function narrowed(text, columns) {
  const lines = text.split("\n");
  if (lines.every((line) => line.length <= columns)) return text;
  const out = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, head, first] = /^(.*\[)?(.*)$/.exec(lines[at]) ?? ["", "", lines[at]];
    let row = first;
    // A row goes on below its own bracket.
    while (head && !row.includes("]") && at + 1 < lines.length) row += ` ${lines[++at].slice(head.length)}`;
    out.push(head ? head + rowIn(row, columns, head.length) : row);
  }
  return out.join("\n");
}

/** @param {string} row  elements and what follows them @param {number} columns @param {number} indent */
function rowIn(row, columns, indent) {
  const end = row.indexOf("]");
  if (end < 0) return row;
  const items = row.slice(0, end).split(", ");
  const fit = Math.max(1, Math.floor((columns - indent + 1) / (Math.max(...items.map((item) => item.length)) + 2)));
  const lines = [];
  for (let at = 0; at < items.length; at += fit) lines.push(items.slice(at, at + fit).join(", "));
  const last = indent + lines[lines.length - 1].length + row.length - end;
  const after = last > columns ? row.slice(end).replace("], ", `],\n${" ".repeat(OPENING.length)}`) : row.slice(end);
  return lines.join(`,\n${" ".repeat(indent)}`) + after;
}
