/**
 * Trace to scene: what there is to draw, without positions and without a moment.
 * @typedef {import("./types.js").Scene} Scene
 */
import { put } from "../model/gather.js";
import { forwardGraph } from "./forward.js";
import { lapStarts } from "./laps.js";
import { groupItems } from "./groups.js";
import { withRepeats } from "./repeats.js";
import { backwardGraph } from "./backward.js";
import { historyOf } from "./history.js";

/**
 * @param {import("../model/index.js").Index} index
 * @returns {Scene}
 */
export function buildScene(index) {
  const laps = lapStarts(index);
  const forward = forwardGraph(index, laps);
  const groups = withRepeats(groupItems(index, laps, forward.items, forward.data), forward.items);
  const backward = backwardGraph(index, laps, forward);
  const parts = {
    index,
    laps,
    groups,
    ...forward,
    ...backward,
    itemOf: new Map(forward.items.map((item) => [item.key, item])),
    pillOf: new Map(backward.pills.map((pill) => [pill.key, pill])),
    groupOf: new Map(groups.map((group) => [group.key, group])),
    inputsOf: gather(forward.data),
  };
  return { ...parts, history: historyOf(index, parts) };
}

/** Edges by the box they lead to. @param {import("./types.js").Edge[]} edges */
function gather(edges) {
  /** @type {Map<string, import("./types.js").Edge[]>} */
  const into = new Map();
  for (const edge of edges) put(into, edge.to, edge);
  return into;
}
