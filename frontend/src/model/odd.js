/**
 * Where the first NaN or infinity comes from.
 * @typedef {import("../wire").Value} Value
 * @typedef {import("./index.js").Index} Index
 * @typedef {import("../store.js").Thing} Thing
 * @typedef {"nan" | "inf"} Odd
 */
import { existsAt, valueAt } from "./moment.js";
import { elementsOf } from "./numbers.js";

/** @type {WeakMap<Value, Odd | "none">} */
const known = new WeakMap();

/**
 * The worst a value holds: NaN before infinities; null when every element is a finite number.
 * @param {Value | null | undefined} value
 * @returns {Odd | null}
 */
export function oddIn(value) {
  if (!value) return null;
  let found = known.get(value);
  if (!found) {
    found = look(value) ?? "none";
    known.set(value, found);
  }
  return found === "none" ? null : found;
}

/** @param {Value} value @returns {Odd | null} */
function look(value) {
  if (value.stats) return value.stats.nan > 0 ? "nan" : value.stats.inf > 0 ? "inf" : null;
  /** @type {Odd | null} */
  let worst = null;
  for (const each of elementsOf(value)) {
    if (typeof each !== "string") continue;
    if (/nan/.test(each)) return "nan";
    if (/inf/.test(each)) worst = "inf";
  }
  return worst;
}

/**
 * The step at which a NaN first appears, or else the first infinity, and what it appears in. A NaN is never meant, so
 * it goes first; an infinity that the program itself writes, as into a mask, is, and so is what is computed of it.
 * @param {Index} index
 * @returns {{ step: number, thing: Thing, odd: Odd } | null}
 */
export function firstOdd(index) {
  /** @type {{ step: number, thing: Thing, odd: Odd } | null} */
  let infinite = null;
  for (const step of index.trace.steps) {
    for (const { thing, value } of madeAt(index, step)) {
      const odd = oddIn(value);
      if (odd === "nan") return { step: step.index, thing, odd };
      if (odd === "inf" && !infinite && !wasInfinite(index, step)) infinite = { step: step.index, thing, odd };
    }
  }
  return infinite;
}

/**
 * Whether the operation of a step was given an infinity, as a number or in a tensor, which may be one that is seen there
 * for the first time: the mask that a module makes for itself.
 * @param {Index} index
 * @param {import("../wire").Step} step
 */
function wasInfinite(index, step) {
  const { inputs = [], outputs = [] } = index.ops.get(step.op ?? -1) ?? {};
  return inputs.some(({ constant, tensor, tensors }) => {
    if (constant && /\binf\b/.test(constant)) return true;
    return (tensor != null ? [tensor] : (tensors ?? [])).some((id) => {
      const given = id != null && index.tensors.get(id);
      if (!given) return false;
      const at = outputs.includes(given.id) || existsAt(given, step.index - 1) ? step.index - 1 : step.index;
      return oddIn(valueAt(given, at)) === "inf";
    });
  });
}

/**
 * The values that came to be at a step.
 * @param {Index} index
 * @param {import("../wire").Step} step
 * @returns {Array<{ thing: Thing, value: Value | null | undefined }>}
 */
function madeAt(index, step) {
  if (step.kind === "node_apply" && step.node != null) {
    const thing = /** @type {Thing} */ ({ kind: "node", id: step.node });
    return [...(step.grads_in ?? []), ...(step.grads_out ?? [])].map((value) => ({ thing, value }));
  }
  if (step.kind === "accumulate" && step.tensor != null)
    return [{ thing: { kind: "tensor", id: step.tensor }, value: step.after }];
  const ids = step.op != null ? (index.ops.get(step.op)?.outputs ?? []) : step.tensor != null ? [step.tensor] : [];
  const changed = step.kind === "create" || step.kind === "op" || step.kind === "inplace";
  if (!changed) return [];
  return ids.flatMap((id) => {
    const tensor = index.tensors.get(id);
    return tensor ? [{ thing: /** @type {Thing} */ ({ kind: "tensor", id }), value: valueAt(tensor, step.index) }] : [];
  });
}
