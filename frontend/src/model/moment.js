/**
 * What was true at a step. Every function here takes the step and looks back; none remembers anything, so
 * dragging the timeline backwards un-does by itself.
 * @typedef {import("../wire").Value} Value
 * @typedef {import("../wire").TensorInfo} TensorInfo
 * @typedef {import("../wire").NodeInfo} NodeInfo
 * @typedef {import("../wire").SavedInfo} SavedInfo
 * @typedef {import("../wire").Trace} Trace
 * @typedef {import("./index.js").Index} Index
 */

/**
 * The last row whose `step` is not after the given one; rows are in order of steps.
 * @template {{ step: number }} T
 * @param {T[]} rows
 * @param {number} step
 * @returns {T | null}
 */
export function lastAt(rows, step) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].step <= step) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? rows[low - 1] : null;
}

/** @param {TensorInfo} tensor @param {number} step */
export const existsAt = (tensor, step) => tensor.created_step <= step;

/**
 * What the tensor held, or null when it did not exist yet. Of what it held last more is known than of the rest.
 * @param {TensorInfo} tensor
 * @param {number} step
 * @returns {Value | null}
 */
export function valueAt(tensor, step) {
  if (!existsAt(tensor, step)) return null;
  const row = lastAt(tensor.values, step);
  return row && row !== tensor.values.at(-1) ? row.value : tensor.value;
}

/** `_version` at a step. @param {TensorInfo} tensor @param {number} step */
export const versionAt = (tensor, step) => lastAt(tensor.values, step)?.version ?? 0;

/** `.grad` at a step. @param {TensorInfo} tensor @param {number} step @returns {Value | null} */
export function gradAt(tensor, step) {
  const row = lastAt(tensor.grads, step);
  return row && row === tensor.grads.at(-1) && tensor.grad ? tensor.grad : (row?.value ?? null);
}

/** @param {Trace} trace @param {number} step */
export const consoleAt = (trace, step) => trace.console.filter((row) => row.step <= step);

/** Bytes saved for backward. @param {Trace} trace @param {number} step */
export const bytesAt = (trace, step) => lastAt(trace.memory, step)?.bytes ?? 0;

/**
 * Whether a saved slot is not filled yet, filled, or emptied.
 * @param {NodeInfo} node
 * @param {SavedInfo} saved
 * @param {number} step
 * @returns {"empty" | "held" | "released"}
 */
export function savedAt(node, saved, step) {
  if (step < node.created_step) return "empty";
  return saved.released_step !== null && saved.released_step <= step ? "released" : "held";
}

/**
 * The backward call a step lies in, or null.
 * @param {Trace} trace
 * @param {number} step
 */
export function backwardAt(trace, step) {
  return trace.backwards.find((call) => call.start_step <= step && step <= (call.end_step ?? Infinity)) ?? null;
}

/**
 * A node as the engine sees it at a step: not made yet, made, waiting for gradients, next to run, running, done.
 * Outside a backward call a node that ran before counts as done.
 * @param {Index} index
 * @param {NodeInfo} node
 * @param {number} step
 * @returns {"absent" | "made" | "waiting" | "ready" | "running" | "done"}
 */
export function nodeStateAt(index, node, step) {
  if (step < node.created_step) return "absent";
  const now = index.trace.steps[step];
  const running = now?.node === node.id && (now.kind === "node_apply" || now.kind === "accumulate");
  if (running) return "running";
  const call = backwardAt(index.trace, step);
  const ran = call ? ranBetween(index, node, call.start_step, step) : ranBetween(index, node, 0, step);
  if (ran) return "done";
  const engine = engineAt(index, step);
  if (engine?.ready.includes(node.id)) return "ready";
  if (engine?.waiting.some(([id]) => id === node.id)) return "waiting";
  return "made";
}

/** @param {Index} index @param {NodeInfo} node @param {number} from @param {number} to */
function ranBetween(index, node, from, to) {
  const runs = (node.tensor === null ? index.appliesOf.get(node.id) : index.accumulatesOf.get(node.tensor)) ?? [];
  return runs.some((run) => from <= run.index && run.index <= to);
}

/**
 * The engine's queue within the backward call of a step; null outside of one. `ready` is as the engine last reported
 * it, the roots before its first report. `waiting` lists every node of the call that is still to come with the
 * gradients it waits for, in the order they will run.
 * @param {Index} index
 * @param {number} step
 * @returns {{ ready: number[], waiting: Array<[number, number]>, done: number[] } | null}
 */
export function engineAt(index, step) {
  const { trace } = index;
  const call = backwardAt(trace, step);
  if (!call) return null;
  const past = trace.steps.slice(call.start_step, step + 1);
  const runs = past.filter((item) => item.kind === "node_apply" || item.kind === "accumulate");
  const done = [...new Set(runs.flatMap((item) => (item.node == null ? [] : [item.node])))];
  const ready = past.findLast((item) => item.queue)?.queue?.ready ?? call.roots;
  const settled = new Set([...done, ...ready]);
  // A call that failed left no full order: then everything its roots lead to is still to come.
  const all = call.end_step === null ? reachableFrom(index, call.roots) : call.order;
  const ran = new Set(done);
  const coming = new Set(all.filter((id) => !ran.has(id)));
  const waiting = all
    .filter((id) => !settled.has(id))
    .map((id) => /** @type {[number, number]} */ ([id, (index.feeders.get(id) ?? []).filter((edge) => coming.has(edge.node)).length]));
  return { ready, waiting, done };
}

/** Every node a walk along next_functions meets, nearest first. @param {Index} index @param {number[]} roots */
function reachableFrom(index, roots) {
  const met = new Set(roots);
  for (const id of met) {
    for (const edge of index.nodes.get(id)?.next_functions ?? []) if (edge && edge[0] !== null) met.add(edge[0]);
  }
  return [...met];
}
