/**
 * Predict, then reveal: the gradient a leaf is about to receive.
 * @typedef {import("./index.js").Index} Index
 * @typedef {object} Question
 * @property {number} tensor  id of the leaf
 * @property {string} suffix  which element is asked for: "" for a scalar, "[0, 0]" else
 * @property {number} answer
 * @property {number} answerStep  the accumulate step that shows it
 */
import { elementsOf } from "./numbers.js";

/**
 * The question at a step: asked only when the very next step is a node that hands a gradient to a leaf.
 * @param {Index} index
 * @param {number} step
 * @returns {Question | null}
 */
export function questionAt(index, step) {
  const next = index.trace.steps[step + 1];
  const node = next?.kind === "node_apply" && next.node != null ? index.nodes.get(next.node) : undefined;
  if (!node) return null;
  for (const edge of node.next_functions) {
    const leaf = edge && edge[0] !== null ? index.nodes.get(edge[0])?.tensor : null;
    if (leaf == null) continue;
    const arrival = index.accumulatesOf.get(leaf)?.find((item) => item.index > step && item.backward === next.backward);
    const answer = arrival?.after ? elementsOf(arrival.after)[0] : undefined;
    if (!arrival?.after || typeof answer !== "number" || !isShort(answer)) continue;
    const suffix = arrival.after.shape.length ? `[${arrival.after.shape.map(() => 0).join(", ")}]` : "";
    return { tensor: leaf, suffix, answer, answerStep: arrival.index };
  }
  return null;
}

/** Whether a number can be found by thinking: at most three significant digits. @param {number} number */
const isShort = (number) => Math.abs(number - Number(number.toPrecision(3))) <= 1e-6 * Math.abs(number);

/**
 * Where a first visit stops: the last question of the first backward call, the one furthest from the loss; without
 * one, the node whose gradient is the first to arrive at a leaf.
 * @param {Index} index
 * @returns {number | null}
 */
export function guessStep(index) {
  const call = index.trace.backwards[0];
  if (!call) return null;
  for (let step = call.end_step ?? index.trace.steps.length - 1; step >= call.start_step; step -= 1) {
    if (questionAt(index, step)) return step;
  }
  const arrival = index.trace.steps.find((step) => step.kind === "accumulate");
  if (!arrival) return null;
  return index.trace.steps.slice(0, arrival.index).findLast((step) => step.kind === "node_apply")?.index ?? arrival.index - 1;
}

/**
 * Whether a typed guess is right, within a thousandth; null when it is no number.
 * @param {string} guess
 * @param {number} answer
 */
export function grade(guess, answer) {
  const number = Number(guess.trim().replace(/^\+/, "").replace("−", "-"));
  if (guess.trim() === "" || Number.isNaN(number)) return null;
  return Math.abs(number - answer) <= Math.max(1e-4, 1e-3 * Math.abs(answer));
}
