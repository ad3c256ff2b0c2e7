/**
 * A run as frames to flip through: the turns of a loop, each a graph of its own, or the backward calls over one graph.
 * @typedef {import("./view.js").View} View
 * @typedef {import("../scene/types.js").Scene} Scene
 */
import { effect, untracked } from "@preact/signals";
import { transition } from "../store.js";
import { lapOf, turnStarts } from "../scene/laps.js";

/** Milliseconds a turn must be stayed in before it opens, so that dragging along the timeline opens none in passing. */
const STAY = 120;

/**
 * @param {Scene} scene
 * @param {number} step
 * @returns {{ kind: "turn" | "backward", at: number, count: number } | null} null where there is only one frame
 */
export function frameAt(scene, step) {
  const { backwards } = scene.index.trace;
  if (scene.laps.length > 1) return { kind: "turn", at: lapOf(turnStarts(scene), step), count: scene.laps.length };
  if (backwards.length < 2) return null;
  const at = backwards.findLastIndex((call) => call.start_step <= step);
  return { kind: "backward", at: Math.max(at, 0), count: backwards.length };
}

/**
 * The same moment in another frame: as far from the start of its backward call as now, or the step nearest to that at
 * which the same happened.
 * @param {Scene} scene
 * @param {number} step
 * @param {number} to  frame
 */
export function sameMomentIn(scene, step, to) {
  const { steps, backwards } = scene.index.trace;
  const frame = frameAt(scene, step);
  if (!frame || to < 0 || to >= frame.count) return step;
  const starts = frame.kind === "turn" ? turnStarts(scene) : backwards.map((call) => call.start_step);
  const first = (/** @type {number} */ at) => starts[at];
  const last = (/** @type {number} */ at) => (at + 1 < frame.count ? first(at + 1) : steps.length) - 1;
  const anchor = (/** @type {number} */ at) =>
    backwards.find((call) => call.start_step >= first(at) && call.start_step <= last(at))?.start_step ?? first(at);
  const target = Math.min(Math.max(anchor(to) + step - anchor(frame.at), first(to)), last(to));
  const deed = deedOf(scene, steps[step]);
  let best = target;
  let least = Infinity;
  for (let at = first(to); at <= last(to); at += 1) {
    if (Math.abs(at - target) < least && deedOf(scene, steps[at]) === deed) [best, least] = [at, Math.abs(at - target)];
  }
  return best;
}

/** What happens at a step, the same for the same in another frame. @param {Scene} scene @param {import("../wire").Step} [step] */
function deedOf({ index }, step) {
  if (!step) return "";
  const name = (/** @type {number | null | undefined} */ tensor) => index.tensors.get(tensor ?? -1)?.names[0] ?? "";
  const [node, op] = [index.nodes.get(step.node ?? -1), index.ops.get(step.op ?? -1)];
  return [step.kind, node?.name, op?.name, name(node?.tensor ?? step.tensor ?? op?.outputs[0])].join();
}

/**
 * Opens the turn that the step comes to and folds the one it left, where the camera follows the step.
 * @param {View} view
 * @param {{ current: string | null }} anchor
 * @returns {() => void} stop
 */
export function keepFrame(view, anchor) {
  return effect(() => {
    const { from, to } = transition.value;
    const timer = untracked(() => {
      const laps = view.scene.value?.laps ?? [];
      const [left, entered] = [`lap${lapOf(laps, from)}`, `lap${lapOf(laps, to)}`];
      if (!view.follow.value || laps.length < 2 || !view.collapsed.value.has(entered)) return 0;
      return setTimeout(() => {
        const next = new Set(view.collapsed.value);
        next.delete(entered);
        if (left !== entered) next.add(left);
        // The new frame stands where the old one stood.
        anchor.current = `${left} ${entered}`;
        view.collapsed.value = next;
      }, STAY);
    });
    return () => clearTimeout(timer);
  });
}
