/**
 * The graph as a list of rows for reading in order: module calls with what is in them, then the backward graph in the
 * order in which it ran.
 * @typedef {import("./types.js").Scene} Scene
 */
import { put } from "../model/gather.js";

/** Keys of the two parts of the outline. */
export const FORWARD = "forward";
export const BACKWARD = "backward";

/**
 * @typedef {object} Row
 * @property {string} key  of an item, a pill, a group, or one of the two parts
 * @property {number} level  1 for the parts
 * @property {boolean | null} expanded  null for a row that holds nothing
 * @property {string | null} parent
 */

/**
 * Rows that are not inside anything folded.
 * @param {Scene} scene
 * @param {{ has: (key: string) => boolean }} folded
 * @returns {Row[]}
 */
export function outlineRows(scene, folded) {
  /** @type {Map<string | null, Array<{ key: string, born: number }>>} */
  const children = new Map();
  for (const item of scene.items) put(children, item.group, { key: item.key, born: item.born });
  for (const group of scene.groups) put(children, group.parent, { key: group.key, born: group.first });
  /** @type {Row[]} */
  const rows = [{ key: FORWARD, level: 1, expanded: !folded.has(FORWARD), parent: null }];
  /** @param {string | null} group @param {number} level @param {string} parent */
  const walk = (group, level, parent) => {
    for (const { key } of (children.get(group) ?? []).sort((a, b) => a.born - b.born)) {
      const isGroup = scene.groupOf.has(key);
      rows.push({ key, level, expanded: isGroup ? !folded.has(key) : null, parent });
      if (isGroup && !folded.has(key)) walk(key, level + 1, key);
    }
  };
  if (!folded.has(FORWARD)) walk(null, 2, FORWARD);
  if (scene.pills.length === 0) return rows;
  rows.push({ key: BACKWARD, level: 1, expanded: !folded.has(BACKWARD), parent: null });
  if (folded.has(BACKWARD)) return rows;
  const ran = (/** @type {import("./types.js").Pill} */ pill) =>
    scene.index.appliesOf.get(pill.id)?.[0]?.index ??
    (pill.leaf === null ? undefined : scene.index.accumulatesOf.get(pill.leaf)?.[0]?.index) ??
    Infinity;
  const order = scene.pills
    .map((pill) => ({ key: pill.key, at: ran(pill), lap: pill.lap }))
    .sort((a, b) => a.lap - b.lap || a.at - b.at || 0);
  for (const { key } of order) rows.push({ key, level: 2, expanded: null, parent: BACKWARD });
  return rows;
}

/**
 * The row a key of the tree pattern leads to, or what it does to the row.
 * @param {Row[]} rows @param {string | null} active @param {string} key
 * @returns {{ move?: string, toggle?: string, select?: string } | null}
 */
export function outlineKey(rows, active, key) {
  const at = Math.max(
    rows.findIndex((row) => row.key === active),
    0,
  );
  const row = rows[at];
  if (!row) return null;
  const to = (/** @type {number} */ index) => ({ move: rows[Math.min(Math.max(index, 0), rows.length - 1)].key });
  switch (key) {
    case "ArrowDown":
      return to(at + 1);
    case "ArrowUp":
      return to(at - 1);
    case "Home":
      return to(0);
    case "End":
      return to(rows.length - 1);
    case "PageDown":
      return to(at + 10);
    case "PageUp":
      return to(at - 10);
    case "ArrowRight":
      return row.expanded === false ? { toggle: row.key } : row.expanded ? to(at + 1) : null;
    case "ArrowLeft":
      return row.expanded ? { toggle: row.key } : row.parent ? { move: row.parent } : null;
    case "Enter":
    case " ":
      return row.expanded === null ? { select: row.key } : { toggle: row.key };
    default:
      return null;
  }
}
