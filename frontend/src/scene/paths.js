/**
 * All paths between two things. The forward graph leads along data edges to where a backward call starts, from there
 * along next_functions: a path may run through both.
 * @typedef {import("./types.js").Scene} Scene
 */
import { put } from "../model/gather.js";
import { reach } from "./reach.js";

/**
 * Boxes on any path between the two sets, ends included, and how many paths there are; looked for in the other
 * direction where there is none in this one.
 * @param {Scene} scene
 * @param {string[]} from
 * @param {string[]} to
 * @returns {{ keys: Set<string>, count: number }}
 */
export function pathsBetween(scene, from, to) {
  const after = new Map();
  const before = new Map();
  for (const edge of [...scene.data, ...scene.seeds, ...scene.nexts]) {
    put(after, edge.from, edge.to);
    put(before, edge.to, edge.from);
  }
  const there = along(after, before, from, to);
  return there.count > 0 ? there : along(after, before, to, from);
}

/** @param {Map<string, string[]>} after @param {Map<string, string[]>} before @param {string[]} from @param {string[]} to */
function along(after, before, from, to) {
  const ahead = reach(after, from);
  const behind = reach(before, to);
  const keys = new Set([...ahead].filter((key) => behind.has(key)));
  return { keys, count: keys.size === 0 ? 0 : countPaths(after, keys, from, to) };
}

/**
 * Each box counts the paths that lead to it, once all before it have.
 * @param {Map<string, string[]>} after @param {Set<string>} keys @param {string[]} from @param {string[]} to
 */
function countPaths(after, keys, from, to) {
  /** @param {string} key */
  const next = (key) => (after.get(key) ?? []).filter((each) => keys.has(each));
  const waits = new Map([...keys].map((key) => [key, 0]));
  for (const key of keys) for (const each of next(key)) waits.set(each, (waits.get(each) ?? 0) + 1);
  const ways = new Map([...keys].map((key) => [key, from.includes(key) ? 1 : 0]));
  const ready = [...keys].filter((key) => waits.get(key) === 0);
  for (let key = ready.pop(); key !== undefined; key = ready.pop()) {
    for (const each of next(key)) {
      ways.set(each, (ways.get(each) ?? 0) + (ways.get(key) ?? 0));
      const left = (waits.get(each) ?? 0) - 1;
      waits.set(each, left);
      if (left === 0) ready.push(each);
    }
  }
  return to.reduce((sum, key) => sum + (ways.get(key) ?? 0), 0);
}
