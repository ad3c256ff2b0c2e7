/**
 * The two-way link between lines of the program and what they made.
 * @typedef {import("./index.js").Index} Index
 * @typedef {import("../store.js").Thing} Thing
 */
import { rowOf } from "./index.js";

/**
 * The line that made a thing; for an AccumulateGrad the line of its leaf.
 * @param {Index} index
 * @param {Thing | null} thing
 * @returns {number | null}
 */
export function lineOf(index, thing) {
  const row = thing ? rowOf(index, thing) : undefined;
  if (!row) return null;
  if (row.line !== null) return row.line;
  return "next_functions" in row && row.tensor !== null ? index.tensors.get(row.tensor)?.line ?? null : null;
}

/**
 * What a click on a line selects: the last named tensor it made, else its last op.
 * @param {Index} index
 * @param {number} line
 * @returns {Thing | null}
 */
export function thingOfLine(index, line) {
  const things = index.byLine.get(line) ?? [];
  const named = things.filter(({ kind, id }) => kind === "tensor" && (index.tensors.get(id)?.names.length ?? 0) > 0);
  return named.at(-1) ?? things.findLast((thing) => thing.kind === "op") ?? things.at(-1) ?? null;
}

/**
 * What the run was last about at a step: a print or the end of a call is about nothing new.
 * @param {import("../wire").Trace} trace
 * @param {number} step
 * @returns {Thing | null}
 */
export function lastThing(trace, step) {
  for (let at = step; at >= 0; at -= 1) {
    const thing = thingOfStep(trace.steps[at]);
    if (thing) return thing;
  }
  return null;
}

/**
 * What a step is about.
 * @param {import("../wire").Step | null} step
 * @returns {Thing | null}
 */
export function thingOfStep(step) {
  if (!step) return null;
  if (step.kind === "accumulate" && step.tensor != null) return { kind: "tensor", id: step.tensor };
  if (step.node != null) return { kind: "node", id: step.node };
  if (step.op != null) return { kind: "op", id: step.op };
  if (step.tensor != null) return { kind: "tensor", id: step.tensor };
  return null;
}
