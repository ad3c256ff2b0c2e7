/**
 * Where a move along the timeline leads: over a module call, out of it, to a line, to a thing. Pure; a step index in,
 * a step index out, null where there is nowhere to go.
 * @typedef {import("./index.js").Index} Index
 * @typedef {import("../store.js").Thing} Thing
 */
import { rowOf } from "./index.js";

/**
 * The module calls around every step, innermost first. A backward step lies in the call whose op it answers; what
 * has no op of its own, such as AccumulateGrad, lies where the step before it does.
 * @param {Index} index
 * @returns {number[][]}
 */
export function callsAround(index) {
  const parents = new Map(index.trace.scopes.map((scope) => [scope.id, scope.parent]));
  /** @type {Map<number | null, number[]>} */
  const known = new Map([[null, []]]);
  /** @param {number | null} scope @returns {number[]} */
  const up = (scope) => {
    const found = known.get(scope);
    if (found) return found;
    const path = [];
    for (let at = scope; at !== null && at !== undefined; at = parents.get(at) ?? null) path.push(at);
    known.set(scope, path);
    return path;
  };
  /** @type {number[]} */
  let before = [];
  return index.trace.steps.map((step) => {
    const node = step.node == null ? undefined : index.nodes.get(step.node);
    const op = node?.op == null ? undefined : index.ops.get(node.op);
    if (node && !op) return before;
    before = up(op ? op.scope : (step.scope ?? null));
    return before;
  });
}

/**
 * On, but over the module call that comes next: to the last step of it.
 * @param {Index} index @param {number} step
 */
export function overModule(index, step) {
  const calls = callsAround(index);
  if (step + 1 >= calls.length) return null;
  const around = new Set(calls[step] ?? []);
  const entered = calls[step + 1].findLast((call) => !around.has(call));
  if (entered === undefined) return step + 1;
  let at = step + 1;
  while (at + 1 < calls.length && calls[at + 1].includes(entered)) at += 1;
  return at;
}

/**
 * Out of the innermost module call around a step: to what comes after it; null outside of all.
 * @param {Index} index @param {number} step
 */
export function outOfModule(index, step) {
  const calls = callsAround(index);
  const inner = calls[step]?.[0];
  if (inner === undefined) return null;
  for (let at = step; at < calls.length; at += 1) if (!calls[at].includes(inner)) return at;
  return calls.length - 1;
}

/**
 * The next step of a line, going round; where the line has none, null. Steps of one visit count as one.
 * @param {import("../wire").Trace} trace @param {number} step @param {number} line
 */
export function nextOfLine({ steps }, step, line) {
  const starts = steps.filter((each, at) => each.line === line && steps[at - 1]?.line !== line).map((each) => each.index);
  return starts.find((start) => start > step) ?? starts[0] ?? null;
}

/**
 * The next step that a thing takes part in, going round.
 * @param {Index} index @param {number} step @param {Thing} thing
 */
export function nextOfThing(index, step, thing) {
  const row = rowOf(index, thing);
  if (!row) return null;
  const made = thing.kind === "tensor" ? /** @type {import("../wire").TensorInfo} */ (row).created_step : -1;
  const steps = index.trace.steps.filter(
    (each) => each.index === made || each[thing.kind] === thing.id || (thing.kind === "tensor" && each.tensors?.includes(thing.id)),
  );
  return (steps.find((each) => each.index > step) ?? steps[0])?.index ?? null;
}

/** The backward call that starts before a step, going round to the last. @param {import("../wire").Trace} trace @param {number} step */
export function previousBackward({ backwards }, step) {
  const starts = backwards.map((call) => call.start_step);
  return starts.findLast((start) => start < step) ?? starts.at(-1) ?? null;
}
