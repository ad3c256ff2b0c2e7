/**
 * Where what was shown of one run is in the next, when the program was changed in between.
 * @typedef {import("../wire").Trace} Trace
 * @typedef {import("../store.js").Thing} Thing
 */

/** How far from its old place a step is looked for. */
const REACH = 200;

/** @param {Trace} trace @param {Thing} thing @returns {string | undefined}  undefined where there is no such thing */
function called(trace, { kind, id }) {
  const row = { tensor: trace.tensors, op: trace.ops, node: trace.nodes }[kind][id];
  if (row?.id !== id) return undefined; // a recorded run has them in order
  return "name" in row ? row.name : row.names.join(" ");
}

/** Whether a thing of one run is, by its number and its name, a thing of the next. @param {Trace} before @param {Thing} thing @param {Trace} after */
export function isThere(before, thing, after) {
  const name = called(after, thing);
  return name !== undefined && name === called(before, thing);
}

/** What a step is about, in a word that two runs can be compared by. @param {Trace} trace @param {number} at */
function aboutWhat(trace, at) {
  const step = trace.steps[at];
  if (!step) return "";
  const parts = /** @type {const} */ (["op", "node", "tensor"]).map((kind) => {
    const id = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (step))[kind];
    return typeof id === "number" ? called(trace, { kind, id }) : "";
  });
  return [step.kind, ...parts].join(" ");
}

/**
 * The step of the next run that shows what a step showed: the last for the last, else the nearest about the same.
 * @param {Trace} before
 * @param {number} at
 * @param {Trace} after
 * @returns {number | null}  null where it shows nothing of the kind
 */
export function stepAgain(before, at, after) {
  const last = after.steps.length - 1;
  if (at >= before.steps.length - 1) return last;
  const sought = aboutWhat(before, at);
  for (let away = 0; away <= REACH; away += 1) {
    for (const to of [at + away, at - away]) if (to >= 0 && to <= last && aboutWhat(after, to) === sought) return to;
  }
  return null;
}
