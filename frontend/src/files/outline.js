/**
 * The graph as text formats see it: boxes with lines of text, joined by edges, in nested groups.
 * @typedef {import("../scene/types.js").Scene} Scene
 * @typedef {{ key: string, look: "op" | "leaf" | "tensor" | "constant" | "node", lines: string[], group: string | null }} Entry
 */
import { valueText } from "../scene/format.js";
import { opTitle } from "../scene/labels.js";
import { lastAt } from "../model/moment.js";

/** @param {Scene} scene @returns {Entry[]} */
export function entriesOf(scene) {
  const boxes = scene.items.map((item) => {
    const look = item.look === "plain" ? "constant" : item.look;
    if (item.kind === "op")
      return { key: item.key, look, lines: [[opTitle(item), ...item.chips.map((chip) => chip.text)].join(" ")], group: item.group };
    const tensor = scene.index.tensors.get(item.id);
    const value = tensor && (lastAt(tensor.values, item.until - 1)?.value ?? tensor.value);
    return { key: item.key, look, lines: [item.title, value ? valueText(value) : ""].filter(Boolean), group: item.group };
  });
  const pills = scene.pills.map((pill) => {
    const leaf = pill.leaf === null ? undefined : scene.itemOf.get(scene.keysOfTensor.get(pill.leaf)?.[0] ?? "");
    return { key: pill.key, look: /** @type {const} */ ("node"), lines: [pill.title, leaf?.title ?? ""].filter(Boolean), group: null };
  });
  return [...boxes, ...pills];
}

/** Solid for data, dashed for next_functions and where backward starts, dotted for what was saved. @param {Scene} scene */
export const edgesOf = (scene) => [...scene.data, ...scene.seeds, ...scene.nexts, ...scene.saved];

/**
 * Entries by group, each group by its parent.
 * @param {Scene} scene
 * @param {(entry: Entry) => string} box
 * @param {(group: import("../scene/types.js").Group, inside: string[]) => string[]} frame
 * @returns {string[]} lines
 */
export function nested(scene, box, frame) {
  const entries = gathered(entriesOf(scene), (entry) => entry.group);
  const groups = gathered(scene.groups, (group) => group.parent);
  /** @param {string | null} parent @returns {string[]} */
  const inside = (parent) => [
    ...(groups.get(parent) ?? []).flatMap((group) => frame(group, inside(group.key))),
    ...(entries.get(parent) ?? []).map(box),
  ];
  return inside(null);
}

/**
 * @template T, K
 * @param {T[]} rows
 * @param {(row: T) => K} keyOf
 * @returns {Map<K, T[]>}
 */
function gathered(rows, keyOf) {
  /** @type {Map<K, T[]>} */
  const found = new Map();
  for (const row of rows) {
    const list = found.get(keyOf(row));
    if (list) list.push(row);
    else found.set(keyOf(row), [row]);
  }
  return found;
}
