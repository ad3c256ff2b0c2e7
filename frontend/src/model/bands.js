/**
 * The timeline's bands: runs of steps of one phase.
 * @typedef {import("../wire").Trace} Trace
 * @typedef {"forward" | "backward" | "rest"} Phase
 * @typedef {{ phase: Phase, from: number, to: number }} Band
 */

const AFTERWARDS = new Set(["print", "warning", "error", "zero_grad", "optimizer_step"]);
const UNRECORDED = new Set(["no_grad", "inference_mode"]);

/**
 * The phase of every step. What runs under no_grad is part of neither graph, so it counts as the rest.
 * @param {Trace} trace
 * @returns {Phase[]}
 */
export function phasesOf(trace) {
  let depth = 0;
  let inBackward = false;
  return trace.steps.map((step) => {
    if (step.kind === "backward_start") inBackward = true;
    const entering = step.kind === "mode_enter" && UNRECORDED.has(step.mode ?? "");
    const leaving = step.kind === "mode_exit" && UNRECORDED.has(step.mode ?? "");
    if (entering) depth += 1;
    const quiet = depth > 0;
    if (leaving) depth = Math.max(0, depth - 1);
    const backward = inBackward && step.kind !== "print";
    if (step.kind === "backward_end" || step.kind === "error") inBackward = false;
    if (backward) return "backward";
    return quiet || AFTERWARDS.has(step.kind) ? "rest" : "forward";
  });
}

/** @param {Trace} trace @returns {Band[]} */
export function bandsOf(trace) {
  /** @type {Band[]} */
  const bands = [];
  phasesOf(trace).forEach((phase, at) => {
    const last = bands.at(-1);
    if (last?.phase === phase) last.to = at;
    else bands.push({ phase, from: at, to: at });
  });
  return bands;
}

/**
 * The next backward call after a step, going round to the first; null without any.
 * @param {Trace} trace
 * @param {number} step
 * @returns {number | null}
 */
export function nextBackward(trace, step) {
  const starts = trace.backwards.map((call) => call.start_step);
  return starts.find((start) => start > step) ?? starts[0] ?? null;
}

/**
 * The other side of a step: from an op to the run of its grad_fn, and back. Null when there is none.
 * @param {import("./index.js").Index} index
 * @param {number} step
 * @returns {number | null}
 */
export function twinStep(index, step) {
  const now = index.trace.steps[step];
  if (!now) return null;
  if (now.node != null) {
    const node = index.nodes.get(now.node);
    if (!node) return null;
    if (node.tensor !== null) return index.tensors.get(node.tensor)?.created_step ?? null;
    return node.op === null ? null : index.ops.get(node.op)?.step ?? null;
  }
  if (now.op != null) {
    const node = index.ops.get(now.op)?.grad_fn;
    return node == null ? null : index.appliesOf.get(node)?.[0]?.index ?? null;
  }
  return now.tensor == null ? null : index.accumulatesOf.get(now.tensor)?.[0]?.index ?? null;
}
