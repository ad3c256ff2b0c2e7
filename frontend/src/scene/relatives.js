/**
 * What a box was made of and what it led to, and the twins of all of these in the other graph.
 * @typedef {import("./types.js").Scene} Scene
 */
import { put } from "../model/gather.js";
import { reach } from "./reach.js";

/**
 * Keys from which `keys` can be reached and keys they reach, without themselves. Forward boxes follow data
 * edges, backward boxes follow next_functions.
 * @param {Scene} scene
 * @param {string[]} keys
 * @param {"all" | "before" | "after"} [way]  ancestors and descendants, or one of them
 * @returns {Set<string>}
 */
export function relativesOf(scene, keys, way = "all") {
  const edges = [...scene.data, ...scene.nexts];
  /** @type {Map<string, string[]>} */
  const before = new Map();
  /** @type {Map<string, string[]>} */
  const after = new Map();
  for (const edge of edges) {
    put(after, edge.from, edge.to);
    put(before, edge.to, edge.from);
  }
  const related = new Set([
    ...(way === "after" ? [] : reach(before, keys)),
    ...(way === "before" ? [] : reach(after, keys)),
  ]);
  for (const key of keys) related.delete(key);
  const origin = new Set(keys);
  const all = new Set([...related, ...keys]);
  for (const pill of scene.pills) {
    if (pill.twin === null) continue;
    if (all.has(pill.twin) && !origin.has(pill.key)) related.add(pill.key);
    if (all.has(pill.key) && !origin.has(pill.twin)) related.add(pill.twin);
  }
  return related;
}
