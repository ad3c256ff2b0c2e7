/**
 * Equal blocks called one after the other, as a transformer's: a group around them, "Block × 12", which folds into one.
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Group} Group
 */
import { put } from "../model/gather.js";

/** Fewer equal blocks than this are no pattern, and blocks of fewer ops are as small as what would stand for them. */
const LEAST = { blocks: 3, ops: 2 };

/**
 * Groups with those around equal blocks, each before its blocks. What the program did between two blocks goes in with
 * them: all of one stretch of the run in one group cannot lead in a circle.
 * @param {Group[]} groups
 * @param {Item[]} items  those between blocks get another group
 * @returns {Group[]}
 */
export function withRepeats(groups, items) {
  const { shapeOf, opsOf } = shapes(groups, items);
  /** @type {Map<string | null, Group[]>} */
  const children = new Map();
  for (const group of groups) if (group.module !== "") put(children, group.parent, group);
  /** @type {Map<string | null, Item[]>} */
  const within = new Map();
  for (const item of items) put(within, item.group, item);
  /** @type {Map<string, Group>} first block -> the group around it and those like it */
  const made = new Map();
  for (const [parent, blocks] of children) {
    blocks.sort((a, b) => a.first - b.first);
    for (const run of runsOf(blocks, (block) => shapeOf.get(block.key) ?? "")) {
      const [first, last] = [run[0], run[run.length - 1]];
      if (run.length < LEAST.blocks || (opsOf.get(first.key) ?? 0) < LEAST.ops) continue;
      const around = {
        key: `r${first.key}`,
        parent,
        title: `${first.module} × ${run.length}`,
        module: first.title === last.title ? first.module : `${first.title} … ${last.title}`,
        first: first.first,
        last: last.last,
        blocks: run.map((block) => block.key),
      };
      made.set(first.key, around);
      for (const block of run) block.parent = around.key;
      for (const item of within.get(parent) ?? [])
        if (around.first <= item.born && item.born <= around.last) item.group = around.key;
    }
  }
  return groups.flatMap((group) => [...(made.has(group.key) ? [/** @type {Group} */ (made.get(group.key))] : []), group]);
}

/**
 * Stretches of equal neighbours.
 * @template T
 * @param {T[]} list @param {(each: T) => string} shape
 */
function runsOf(list, shape) {
  /** @type {T[][]} */
  const runs = [];
  for (const each of list) {
    const run = runs.at(-1);
    if (run && shape(run[0]) === shape(each)) run.push(each);
    else runs.push([each]);
  }
  return runs;
}

/** What a group consists of, as one text, and how many ops that is. @param {Group[]} groups @param {Item[]} items */
function shapes(groups, items) {
  /** @type {Map<string | null, Array<{ at: number, text: string, ops: number }>>} */
  const inside = new Map();
  for (const item of items) if (item.kind === "op") put(inside, item.group, { at: item.born, text: item.title, ops: 1 });
  const shapeOf = new Map();
  const opsOf = new Map();
  // A call comes after the call around it, so from the end on every group is met before its parent.
  for (const group of groups.toReversed()) {
    const parts = (inside.get(group.key) ?? []).sort((a, b) => a.at - b.at);
    const text = `${group.module}(${parts.map((part) => part.text).join()})`;
    const ops = parts.reduce((sum, part) => sum + part.ops, 0);
    shapeOf.set(group.key, text);
    opsOf.set(group.key, ops);
    put(inside, group.parent, { at: group.first, text, ops });
  }
  return { shapeOf, opsOf };
}
