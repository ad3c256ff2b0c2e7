/**
 * How every box and line looks at a step: a pure function of (scene, step). Nothing is remembered, so stepping
 * back un-does by itself.
 * @typedef {import("./types.js").Scene} Scene
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Pill} Pill
 * @typedef {import("./types.js").Edge} Edge
 * @typedef {"future" | "now" | "past"} Phase
 * @typedef {"future" | "idle" | "now" | "done"} PillPhase
 */
import { backwardAt, gradAt, lastAt } from "../model/moment.js";

/**
 * @typedef {object} Moment
 * @property {Scene} scene
 * @property {number} step
 * @property {Set<string>} focus  keys the step is about
 * @property {{ start: number, end: number } | null} call  backward call the step lies in
 * @property {number} since  start of the latest backward call, -1 before any
 */

/**
 * @param {Scene} scene
 * @param {number} step
 * @returns {Moment}
 */
export function momentOf(scene, step) {
  const { trace } = scene.index;
  const call = backwardAt(trace, step);
  let since = -1;
  for (const each of trace.backwards) if (each.start_step <= step) since = Math.max(since, each.start_step);
  return {
    scene,
    step,
    focus: new Set(scene.history.focus.get(step) ?? []),
    since,
    call: call && { start: call.start_step, end: call.end_step ?? Infinity },
  };
}

/** @param {Moment} moment @param {Item} item @returns {Phase} */
export function itemPhase(moment, item) {
  if (moment.step < item.born) return "future";
  return moment.focus.has(item.key) ? "now" : "past";
}

/** @param {Moment} moment @param {Pill} pill @returns {PillPhase} */
export function pillPhase(moment, pill) {
  if (moment.step < pill.born) return "future";
  if (moment.focus.has(pill.key)) return "now";
  return ranBy(moment, pill) ? "done" : "idle";
}

/** Whether the node ran within the latest backward call. @param {Moment} moment @param {Pill} pill */
function ranBy(moment, pill) {
  const end = lapEnd(moment.scene, pill.lap);
  // A lap that is over keeps the look it had when it ended.
  const step = Math.min(moment.step, end);
  const since = step === moment.step ? moment.since : latestStart(moment.scene, step);
  return runsOf(moment.scene, pill).some((run) => since <= run.index && run.index <= step);
}

/** @param {Scene} scene @param {number} step */
function latestStart(scene, step) {
  let since = -1;
  for (const each of scene.index.trace.backwards) if (each.start_step <= step) since = Math.max(since, each.start_step);
  return since;
}

/** @param {Scene} scene @param {Pill} pill */
function runsOf(scene, pill) {
  const { appliesOf, accumulatesOf } = scene.index;
  return (pill.leaf === null ? appliesOf.get(pill.id) : accumulatesOf.get(pill.leaf)) ?? [];
}

/** Last step of a lap. @param {Scene} scene @param {number} lap */
export const lapEnd = (scene, lap) => (scene.laps[lap + 1] ?? Infinity) - 1;

/** @param {Moment} moment @param {Edge} edge @returns {Phase} of a data edge */
export function dataPhase(moment, edge) {
  if (moment.step < edge.born) return "future";
  return moment.step === edge.born && moment.scene.index.trace.steps[moment.step]?.op != null ? "now" : "past";
}

/**
 * A line of the backward graph: not made yet, made, carrying a gradient that waits, in motion now, done.
 * @param {Moment} moment
 * @param {Edge} edge
 * @returns {"future" | "idle" | "waiting" | "now" | "done"}
 */
export function gradPhase(moment, edge) {
  if (moment.step < edge.born) return "future";
  const delivery = latestDelivery(moment, edge);
  if (!delivery) return "idle";
  if (delivery.received === moment.step) return "now";
  return delivery.received < moment.step ? "done" : moment.call ? "waiting" : "idle";
}

/**
 * The gradient this line carried last, if within the latest backward call.
 * @param {Moment} moment
 * @param {Edge} edge
 */
export function latestDelivery(moment, edge) {
  const lap = moment.scene.pillOf.get(edge.to)?.lap ?? 0;
  const step = Math.min(moment.step, lapEnd(moment.scene, lap));
  const since = step === moment.step ? moment.since : latestStart(moment.scene, step);
  const found = (moment.scene.history.byEdge.get(edge.key) ?? []).findLast((each) => each.sent <= step);
  return found && found.sent >= since ? found : null;
}

/**
 * A saved tensor's bridge: not built, holding, just freed, freed (only the empty slot is left).
 * @param {Moment} moment
 * @param {{ born: number }} edge
 * @param {number} released
 * @returns {"future" | "held" | "freed"}
 */
export const savedPhase = (moment, edge, released) =>
  moment.step < edge.born ? "future" : moment.step >= released ? "freed" : "held";

/**
 * What a tensor box shows: the last value of its version, or null while it does not exist.
 * @param {Moment} moment
 * @param {Item} item
 */
export function itemValue(moment, item) {
  if (item.kind !== "tensor" || moment.step < item.born) return null;
  const tensor = moment.scene.index.tensors.get(item.id);
  if (!tensor) return null;
  return lastAt(tensor.values, Math.min(moment.step, item.until - 1))?.value ?? tensor.value;
}

/**
 * `.grad` as an AccumulateGrad pill shows it: a value, None, or unknown while a gradient is on its way to it.
 * @param {Moment} moment
 * @param {Pill} pill
 * @returns {import("../wire").Value | "none" | "unknown" | null} null for any other node
 */
export function pillGrad(moment, pill) {
  const tensor = pill.leaf === null ? undefined : moment.scene.index.tensors.get(pill.leaf);
  if (!tensor) return null;
  const value = gradAt(tensor, Math.min(moment.step, lapEnd(moment.scene, pill.lap)));
  if (value) return value;
  return moment.call && moment.step >= pill.born && pillPhase(moment, pill) === "idle" ? "unknown" : "none";
}

/** What a node received when it last ran, or null. @param {Moment} moment @param {Pill} pill */
export function pillReceived(moment, pill) {
  if (pill.leaf !== null || moment.step < pill.born || !ranBy(moment, pill)) return null;
  const step = Math.min(moment.step, lapEnd(moment.scene, pill.lap));
  return (
    runsOf(moment.scene, pill)
      .findLast((run) => run.index <= step)
      ?.grads_in?.find((grad) => grad !== null) ?? null
  );
}
