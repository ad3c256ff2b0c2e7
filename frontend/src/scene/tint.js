/**
 * Colours of boxes by something else than their kind. Every colour comes with a text, shown beside the box and in the
 * legend, so that colour is never the only sign.
 * @typedef {import("./types.js").Scene} Scene
 * @typedef {import("../wire").Value} Value
 * @typedef {"kind" | "dtype" | "grad" | "bytes" | "requires"} Paint
 * @typedef {{ shade: string, text: string }} Tint  `shade`: the name of a colour of the style sheet
 * @typedef {{ of: (key: string) => Tint | null, legend: Tint[] }} Tints
 */
import { gradAt, savedAt } from "../model/moment.js";
import { elementsOf, plain } from "../model/numbers.js";

/** @type {Paint[]} */
export const PAINTS = ["kind", "dtype", "grad", "bytes", "requires"];

/** Colours without an order, and with one. */
const CATEGORIES = 8;
export const SHADES = [
  ...Array.from({ length: CATEGORIES }, (_, at) => `cat-${at}`),
  ...Array.from({ length: 6 }, (_, at) => `seq-${at}`),
  "diff-added",
  "diff-removed",
  "diff-changed",
];

/** Norms from which on the next shade begins: vanishing on the left, exploding on the right. */
const NORMS = [0, 1e-4, 1e-2, 1, 100];
const BYTES = [0, 64, 1024, 64 * 1024, 1024 * 1024];

/**
 * @param {Scene} scene
 * @param {number} step
 * @param {Paint} by
 * @param {{ yes: string, no: string }} words  whether something needs a gradient
 * @returns {Tints | null} null for the colours of kinds
 */
export function tintsAt(scene, step, by, words) {
  if (by === "kind") return null;
  if (by === "dtype") return dtypes(scene);
  if (by === "requires") return needs(scene, words);
  if (by === "grad")
    return scaled(NORMS, (key) => gradNorm(scene, step, key), (number) => plain(number, 3));
  return scaled(BYTES, (key) => savedBytes(scene, step, key), bytesText);
}

/** @param {Scene} scene @returns {Tints} */
function dtypes(scene) {
  const names = [...new Set(scene.index.trace.tensors.map((tensor) => tensor.dtype.replace("torch.", "")))];
  const shade = new Map(names.map((name, at) => [name, `cat-${Math.min(at, CATEGORIES - 1)}`]));
  return {
    of: (key) => {
      const text = tensorOf(scene, key)?.dtype.replace("torch.", "");
      return text === undefined ? null : { shade: shade.get(text) ?? "cat-0", text };
    },
    legend: names.map((text) => ({ shade: shade.get(text) ?? "cat-0", text })),
  };
}

/** @param {Scene} scene @param {{ yes: string, no: string }} words @returns {Tints} */
function needs(scene, words) {
  const [yes, no] = [
    { shade: "cat-0", text: words.yes },
    { shade: "cat-6", text: words.no },
  ];
  return { of: (key) => (scene.pillOf.has(key) || tensorOf(scene, key)?.requires_grad ? yes : no), legend: [yes, no] };
}

/**
 * @param {number[]} bounds @param {(key: string) => number | null} measure @param {(number: number) => string} say
 * @returns {Tints}
 */
function scaled(bounds, measure, say) {
  return {
    of: (key) => {
      const number = measure(key);
      if (number === null) return null;
      const above = bounds.filter((bound, at) => (at === 0 ? number > bound : number >= bound)).length;
      return { shade: `seq-${Number.isNaN(number) ? 5 : above}`, text: say(number) };
    },
    legend: [
      { shade: "seq-0", text: "0" },
      ...bounds.slice(1).map((bound, at) => ({ shade: `seq-${at + 1}`, text: `< ${say(bound)}` })),
      { shade: "seq-5", text: `≥ ${say(bounds[bounds.length - 1])}` },
    ],
  };
}

/** The tensor a box stands for: its own, or the first that its op made. @param {Scene} scene @param {string} key */
function tensorOf(scene, key) {
  const { index, itemOf, pillOf } = scene;
  const item = itemOf.get(key);
  if (item?.kind === "tensor") return index.tensors.get(item.id);
  const pill = pillOf.get(key);
  if (pill?.leaf != null) return index.tensors.get(pill.leaf);
  const op = index.ops.get(item?.id ?? index.nodes.get(pill?.id ?? -1)?.op ?? -1);
  return op ? index.tensors.get(op.outputs[0]) : undefined;
}

/** The norm of the gradient that a box has received by a step. @param {Scene} scene @param {number} step @param {string} key */
function gradNorm(scene, step, key) {
  const { index, itemOf, pillOf } = scene;
  const item = itemOf.get(key);
  const tensor = tensorOf(scene, key);
  if (tensor?.is_leaf && item?.kind !== "op") return normOf(gradAt(tensor, step));
  const node = pillOf.get(key)?.id ?? item?.gradFn ?? tensor?.grad_fn ?? null;
  const ran = node === null ? undefined : (index.appliesOf.get(node) ?? []).findLast((each) => each.index <= step);
  const slot = item?.kind === "tensor" ? (tensor?.output_nr ?? 0) : 0;
  return normOf(ran?.grads_in?.[slot] ?? null);
}

/** @param {Value | null} value @returns {number | null} NaN where an element is none */
export function normOf(value) {
  if (!value) return null;
  if (value.stats) {
    if (value.stats.nan > 0) return NaN;
    if (value.stats.inf > 0) return Infinity;
    return typeof value.stats.norm === "number" ? value.stats.norm : null;
  }
  const numbers = elementsOf(value).map((each) => (each === "inf" || each === "-inf" ? Infinity : Number(each)));
  return Math.hypot(...numbers);
}

/** Bytes that a box keeps for backward at a step. @param {Scene} scene @param {number} step @param {string} key */
function savedBytes(scene, step, key) {
  const { index, itemOf, pillOf } = scene;
  const item = itemOf.get(key);
  if (item?.kind === "tensor") return null;
  const node = index.nodes.get(pillOf.get(key)?.id ?? item?.gradFn ?? -1);
  if (!node || node.created_step > step) return null;
  return node.saved.reduce((sum, saved) => sum + (savedAt(node, saved, step) === "held" ? saved.bytes : 0), 0);
}

/** @param {number} bytes */
function bytesText(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${plain(bytes / 1024, 3)} KB` : `${plain(bytes / 1024 / 1024, 3)} MB`;
}
