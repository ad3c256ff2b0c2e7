/**
 * What a step does besides sending numbers along lines, as a sign with a few words: every kind of step has a picture
 * of its own.
 * @typedef {import("./state.js").Moment} Moment
 * @typedef {import("../wire").Step} Step
 * @typedef {import("../wire").Step["kind"]} StepKind
 */
import { brief } from "../model/numbers.js";

/** @typedef {{ at: string | null, kind: StepKind, text: string }} Deed  `at`: the box it stands beside; null for the whole graph */

/** Boxes that get a sign at most: an optimizer moves them all. */
const MOST = 24;

/** @type {Set<StepKind>} told at the boxes that the step is about */
const AT_BOXES = new Set(["create", "inplace", "hook", "release", "zero_grad", "optimizer_step", "backward_start"]);
/** @type {Set<StepKind>} told above the graph */
const ABOVE = new Set(["mode_enter", "mode_exit", "print", "warning", "error", "backward_end"]);

/** @param {Moment} moment @returns {Deed[]} */
export function deedsAt({ scene, step, focus }) {
  const now = scene.index.trace.steps[step];
  if (!now) return [];
  if (ABOVE.has(now.kind)) return [{ at: null, kind: now.kind, text: aboveText(now) }];
  if (!AT_BOXES.has(now.kind)) return [];
  const keys = [...focus].filter((key) => stands(now, scene.pillOf.has(key), scene.itemOf.get(key)?.kind ?? null));
  return keys.slice(0, MOST).map((at) => ({ at, kind: now.kind, text: textAt(scene, now, at) }));
}

/** Whether the sign of a step stands at a box. @param {Step} step @param {boolean} pill @param {string | null} kind */
function stands(step, pill, kind) {
  if (step.kind === "zero_grad" || step.kind === "release") return pill;
  if (step.kind === "hook") return pill || step.node == null;
  return kind === "tensor";
}

/** @param {import("./types.js").Scene} scene @param {Step} step @param {string} key */
function textAt(scene, step, key) {
  const item = scene.itemOf.get(key);
  const tensor = scene.index.tensors.get(item?.id ?? -1);
  switch (step.kind) {
    case "inplace":
      return item ? `v${item.version}` : "";
    case "hook":
      return step.before && step.after ? `${brief(step.before, 3)} → ${brief(step.after, 3)}` : (step.hook?.name ?? "");
    case "release":
      return step.bytes ? `−${step.bytes} B` : "";
    case "zero_grad":
      return step.set_to_none === false ? "0" : "None";
    case "optimizer_step": {
      const at = tensor?.values.findLastIndex((row) => row.step <= step.index) ?? -1;
      const [before, after] = [tensor?.values[at - 1]?.value, tensor?.values[at]?.value];
      return before && after && before.shape.length === 0 ? `${brief(before)} → ${brief(after)}` : (step.optimizer ?? "");
    }
    case "backward_start":
      return "1";
    default:
      return "";
  }
}

/** @param {Step} step */
function aboveText(step) {
  if (step.kind === "mode_enter" || step.kind === "mode_exit") return step.mode ?? "";
  const [first = "", ...rest] = (step.text ?? "").trim().split("\n");
  return first.length > 60 || rest.length > 0 ? `${first.slice(0, 59)}…` : first;
}
