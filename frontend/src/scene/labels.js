/**
 * The words on each box. What may change with the step is bounded here too, so that a box is as wide as it will ever
 * need to be and never moves.
 * @typedef {import("./types.js").Scene} Scene
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Pill} Pill
 * @typedef {import("./types.js").Group} Group
 * @typedef {import("../wire").Value} Value
 */
import { signOf } from "../model/names.js";
import { drawsStrip, shapeLabel, spreadText, valueText } from "./format.js";

/**
 * @typedef {object} Words  in the language of the page
 * @property {string} leaf
 * @property {string} noGrad
 * @property {string} view
 * @property {string} inplace
 * @property {(turn: string) => string} lap
 */

/** @param {Item} item */
export const opTitle = (item) => {
  const sign = signOf(item.title);
  return sign && sign !== "^" ? `${item.title} ${sign}` : item.title;
};

/** What kind of op or tensor it is, in words: colour is never the only sign. @param {Item} item @param {Words} words */
export function tagOf(item, words) {
  if (item.kind === "op") return item.flavor === "view" ? words.view : item.flavor === "inplace" ? words.inplace : "";
  const kind =
    item.look === "leaf" ? words.leaf : item.look === "constant" || item.look === "plain" ? words.noGrad : "";
  const version = item.version > 0 ? `v${item.version}` : "";
  return [kind, version].filter(Boolean).join(" · ");
}

/**
 * Lines of a tensor box below its title.
 * @param {Item} item
 * @param {Value | null} value
 * @param {number[]} shape
 * @param {Words} words
 * @returns {{ meta: string, body: string, bars: Value | null }}
 */
export function tensorLines(item, value, shape, words) {
  const tag = tagOf(item, words);
  if (shape.length === 0)
    return { meta: [value ? valueText(value) : "", tag].filter(Boolean).join(" · "), body: "", bars: null };
  const meta = [shapeLabel(shape), tag].filter(Boolean).join(" · ");
  if (!value) return { meta, body: "", bars: null };
  return drawsStrip(value) ? { meta, body: "", bars: value } : { meta, body: spreadText(value), bars: null };
}

/** @param {Scene} scene @param {Pill} pill */
export function leafName(scene, pill) {
  const item = pill.leaf === null ? undefined : scene.itemOf.get(scene.keysOfTensor.get(pill.leaf)?.[0] ?? "");
  return item?.title ?? "";
}

/** `w.grad = 28` @param {Scene} scene @param {Pill} pill @param {Value | "none" | "unknown" | null} grad */
export function gradText(scene, pill, grad) {
  if (grad === null) return "";
  return `${tail(leafName(scene, pill))}.grad = ${gradOnly(grad)}`;
}

/** @param {Value | "none" | "unknown" | null} grad */
export const gradOnly = (grad) =>
  grad === null ? "" : grad === "none" ? "None" : grad === "unknown" ? "?" : valueText(grad);

/** The end of a dotted name, which tells it apart. @param {string} name */
export const tail = (name) => (name.length <= 14 ? name : `…${name.slice(-13)}`);

/** @param {Group} group @param {Words} words */
export const groupTitle = (group, words) => (group.module === "" ? words.lap(group.title) : group.title);

/** Every text `gradText` may become. @param {Scene} scene @param {Pill} pill @returns {string[]} */
export function gradTexts(scene, pill) {
  const tensor = pill.leaf === null ? undefined : scene.index.tensors.get(pill.leaf);
  if (tensor)
    return [
      gradText(scene, pill, "none"),
      ...longest(tensor.grads.flatMap((row) => (row.value ? [gradText(scene, pill, row.value)] : []))),
    ];
  const runs = scene.index.appliesOf.get(pill.id) ?? [];
  return longest(runs.flatMap((run) => (run.grads_in ?? []).flatMap((grad) => (grad ? [valueText(grad)] : []))));
}

/** A badge has room for a number or a shape. @param {Value | "none" | "unknown" | null} grad */
export const badgeText = (grad) =>
  grad === null
    ? ""
    : typeof grad === "string"
      ? gradOnly(grad)
      : grad.shape.length > 0
        ? shapeLabel(grad.shape)
        : valueText(grad);

/** Every text `badgeText` may become. @param {Scene} scene @param {Pill} pill @returns {string[]} */
export function badgeTexts(scene, pill) {
  const tensor = pill.leaf === null ? undefined : scene.index.tensors.get(pill.leaf);
  const grads = tensor
    ? tensor.grads.map((row) => row.value)
    : (scene.index.appliesOf.get(pill.id) ?? []).flatMap((run) => run.grads_in ?? []);
  return [...(tensor ? ["None"] : []), ...longest(grads.map(badgeText))];
}

/** Every text the lines of a tensor may become. @param {Scene} scene @param {Item} item @param {Words} words */
export function tensorTexts(scene, item, words) {
  const tensor = scene.index.tensors.get(item.id);
  if (!tensor) return { metas: [], bodies: [], bars: 0 };
  const values = tensor.values.length > 0 ? tensor.values.map((row) => row.value) : [tensor.value];
  const lines = values.map((value) => tensorLines(item, value, tensor.shape, words));
  const bars = Math.max(0, ...lines.map((line) => (line.bars ? line.bars.shape.reduce((a, b) => a * b, 1) : 0)));
  return { metas: longest(lines.map((line) => line.meta)), bodies: longest(lines.map((line) => line.body)), bars };
}

/** The few longest of many texts; measuring the rest would tell nothing. @param {string[]} texts */
function longest(texts) {
  return texts.length <= 3 ? texts : [...texts].sort((a, b) => b.length - a.length).slice(0, 3);
}
