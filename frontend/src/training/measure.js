/**
 * One point of the loss surface: the program run anew with other starting values, up to where its first loss is known.
 * @typedef {import("../model/index.js").Index} Index
 * @typedef {import("./iterations.js").Training} Training
 * @typedef {import("./iterations.js").Coordinate} Coordinate
 */
import { postRun } from "../api.js";
import { elementsOf } from "../model/numbers.js";
import { startingValue } from "./iterations.js";

/**
 * The overrides that put two numbers of the program to other values; null where a parameter is too large to be given.
 * @param {Index} index @param {[Coordinate, Coordinate]} axes @param {{ x: number, y: number }} at
 */
export function overridesAt(index, axes, at) {
  /** @type {Map<string, Map<number, number>>} */
  const replaced = new Map();
  axes.forEach(({ name, element }, axis) => {
    const elements = replaced.get(name) ?? new Map();
    elements.set(element, axis === 0 ? at.x : at.y);
    replaced.set(name, elements);
  });
  const overrides = [...replaced].flatMap(([name, elements]) => {
    const value = startingValue(index, name, elements);
    return value === null ? [] : [{ name, value }];
  });
  return overrides.length === replaced.size ? overrides : null;
}

/**
 * @param {{ index: Index, training: Training, axes: [Coordinate, Coordinate], program: string, seed: number, signal: AbortSignal }} of
 * @returns {(at: { x: number, y: number }) => Promise<import("./survey.js").Answer>}
 */
export function lossAt({ index, training, axes, program, seed, signal }) {
  const loss = index.tensors.get(training.lossTensors[0]);
  return async (at) => {
    const overrides = overridesAt(index, axes, at);
    if (!loss || !overrides) return { value: null };
    /** @type {Partial<import("../wire").RunOptions>} */
    const options = { overrides, until: { step: loss.created_step }, steps: "final_graph", saved: false };
    const { ok, refusal } = await postRun(program, seed, signal, options);
    if (refusal) return refusal.kind === "busy" ? { wait: refusal.retryAfter ?? 1 } : { problem: refusal };
    // A program that took another way with these values has another tensor there, or none.
    const found = ok.tensors.find((tensor) => tensor.id === loss.id && tensor.line === loss.line && tensor.shape.length === 0);
    const used = (ok.overrides ?? []).every((override) => override.problem === null);
    const value = found && used ? elementsOf(found.value)[0] : null;
    return { value: typeof value === "number" ? value : null };
  };
}
