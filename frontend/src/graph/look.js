/**
 * What a line or box looks like at a moment, in words that are also its CSS classes.
 * @typedef {import("../scene/state.js").Moment} Moment
 * @typedef {import("../layout/types.js").Line} Line
 * @typedef {import("../layout/types.js").Placed} Placed
 */
import { dataPhase, gradPhase, itemPhase, pillPhase, savedPhase } from "../scene/state.js";

const RANK = ["future", "idle", "done", "past", "waiting", "held", "freed", "now"];

/** The most telling of several phases. @param {string[]} phases */
const strongest = (phases) =>
  phases.reduce((best, phase) => (RANK.indexOf(phase) > RANK.indexOf(best) ? phase : best), "future");

/**
 * Lookups by edge key, built once for a scene.
 * @param {import("../scene/types.js").Scene} scene
 */
export function edgeTable(scene) {
  return new Map([...scene.data, ...scene.nexts, ...scene.seeds, ...scene.saved].map((edge) => [edge.key, edge]));
}

/** @param {Moment} moment @param {Line} line @param {ReturnType<typeof edgeTable>} edges */
export function linePhase(moment, line, edges) {
  return strongest(
    line.members.map((member) => {
      const edge = edges.get(member);
      if (!edge) return "future";
      if (edge.kind === "data") return dataPhase(moment, edge);
      if (edge.kind !== "saved") return gradPhase(moment, edge);
      // What a running node reads is shown even where the same step frees it.
      if (moment.focus.has(edge.to) && moment.step > edge.born && releasedAt(moment, edge) >= moment.step) return "now";
      return savedPhase(moment, edge, releasedAt(moment, edge));
    }),
  );
}

/** @param {Moment} moment @param {import("../scene/types.js").Edge} edge */
const releasedAt = (moment, edge) => moment.scene.pillOf.get(edge.to)?.slots[edge.slot]?.released ?? Infinity;

/** @param {Moment} moment @param {string} key */
export function boxPhase(moment, key) {
  const item = moment.scene.itemOf.get(key);
  if (item) return itemPhase(moment, item);
  const pill = moment.scene.pillOf.get(key);
  return pill ? pillPhase(moment, pill) : "past";
}

/**
 * A collapsed group shows what happens inside it.
 * @param {Moment} moment
 * @param {Placed} placed
 * @param {string} key  group or its pill
 */
export function foldedPhase(moment, placed, key) {
  for (const each of moment.focus) if (placed.shownAs[each] === key) return "now";
  const group = moment.scene.groupOf.get(key.replace(/\|b$/, ""));
  if (!group || moment.step < group.first) return "future";
  if (!key.endsWith("|b")) return "past";
  return moment.since > group.last ? "done" : "idle";
}
