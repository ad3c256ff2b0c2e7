/**
 * A training loop goes round: forward, backward, update. Each turn is a lap, drawn below the one before, so that
 * a parameter updated a hundred times is a hundred small graphs of one shape and not one knot.
 * @typedef {import("../model/index.js").Index} Index
 */

/**
 * First step of every lap; the first is 0. A lap ends where, after a backward call, the program updates a leaf in
 * place, calls an optimizer, or clears gradients.
 * @param {Index} index
 * @returns {number[]}
 */
export function lapStarts(index) {
  const starts = [0];
  let swept = false;
  for (const step of index.trace.steps) {
    if (step.kind === "backward_end") swept = true;
    if (!swept || !closes(index, step)) continue;
    swept = false;
    if (forwardFollows(index, step.index)) starts.push(step.index);
  }
  return starts;
}

/** @param {Index} index @param {import("../wire").Step} step */
function closes(index, step) {
  if (step.kind === "optimizer_step" || step.kind === "zero_grad") return true;
  if (step.kind !== "inplace" || step.tensor == null) return false;
  const tensor = index.tensors.get(step.tensor);
  return Boolean(tensor?.is_leaf && tensor.requires_grad);
}

/** @param {Index} index @param {number} from */
function forwardFollows(index, from) {
  return index.trace.ops.some((op) => op.step >= from && op.grad_fn !== null);
}

/** @param {number[]} starts @param {number} step @returns {number} */
export function lapOf(starts, step) {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= step) low = middle + 1;
    else high = middle;
  }
  return Math.max(low - 1, 0);
}

/** @type {WeakMap<number[], number[]>} by the first steps of laps */
const known = new WeakMap();

/**
 * First step of every turn of the program's loop. A lap begins with the update, whose result belongs to its graph; the
 * turn ends with all that the program does after it, and the next begins where the program goes back to an earlier line.
 * @param {import("./types.js").Scene} scene
 * @returns {number[]}
 */
export function turnStarts({ laps, index }) {
  let starts = known.get(laps);
  if (!starts) {
    starts = laps.map((first, at) => (at === 0 ? first : turnedAt(index, first)));
    known.set(laps, starts);
  }
  return starts;
}

/** @param {Index} index @param {number} first  step of a lap */
function turnedAt({ trace: { steps } }, first) {
  const from = steps[first].line ?? 0;
  for (let at = first; at < steps.length && steps[at].kind !== "backward_start"; at += 1)
    if ((steps[at].line ?? from) < from) return at;
  return first;
}
