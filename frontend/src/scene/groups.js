/**
 * Module calls as groups, a tree. Grouping is by call, not by module: a module used twice would otherwise make the
 * graph of modules cyclic.
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Edge} Edge
 * @typedef {import("./types.js").Group} Group
 * @typedef {import("../model/index.js").Index} Index
 */
import { put } from "../model/gather.js";
import { lapOf } from "./laps.js";

/**
 * Builds the groups and sets `group` on every item.
 * @param {Index} index
 * @param {number[]} laps
 * @param {Item[]} items
 * @param {Edge[]} data
 * @returns {Group[]}
 */
export function groupItems(index, laps, items, data) {
  const last = index.trace.steps.length - 1;
  /** @type {Group[]} */
  const groups =
    laps.length === 1
      ? []
      : laps.map((first, lap) => ({
          key: `lap${lap}`,
          parent: null,
          title: String(lap + 1),
          module: "",
          first,
          last: (laps[lap + 1] ?? last + 1) - 1,
        }));
  /** @param {number} step */
  const lapKey = (step) => (laps.length === 1 ? null : `lap${lapOf(laps, step)}`);
  for (const scope of index.trace.scopes) {
    groups.push({
      key: `s${scope.id}`,
      parent: scope.parent === null ? lapKey(scope.first_step) : `s${scope.parent}`,
      title: scope.call > 1 ? `${scope.name}#${scope.call}` : scope.name,
      module: scope.module,
      first: scope.first_step,
      last: scope.last_step ?? last,
    });
  }
  const parents = new Map(groups.map((group) => [group.key, group.parent]));
  for (const item of items) {
    const row = item.kind === "op" ? index.ops.get(item.id) : index.tensors.get(item.id);
    const op =
      item.kind === "tensor" && item.flavor !== "create"
        ? index.ops.get(index.tensors.get(item.id)?.op ?? -1)
        : undefined;
    const scope = (op ?? row)?.scope ?? null;
    item.group = scope !== null && parents.has(`s${scope}`) ? `s${scope}` : laps.length === 1 ? null : `lap${item.lap}`;
  }
  settleParameters(index, items, data, parents);
  return prune(groups, items);
}

/**
 * A parameter is created outside the call that uses it; it is drawn inside, so equal layers have equal shapes.
 * @param {Index} index @param {Item[]} items @param {Edge[]} data @param {Map<string, string | null>} parents
 */
function settleParameters(index, items, data, parents) {
  const groupOf = new Map(items.map((item) => [item.key, item.group]));
  /** @type {Map<string, Array<string | null>>} */
  const users = new Map();
  for (const edge of data) put(users, edge.from, groupOf.get(edge.to) ?? null);
  for (const item of items) {
    if (item.kind !== "tensor" || !index.tensors.get(item.id)?.is_parameter) continue;
    const homes = users.get(item.key);
    if (homes) item.group = homes.reduce((a, b) => commonGroup(parents, a, b));
  }
}

/**
 * The innermost group around both; null is the page itself.
 * @param {Map<string, string | null>} parents
 * @param {string | null} a
 * @param {string | null} b
 */
export function commonGroup(parents, a, b) {
  const around = new Set(pathUp(parents, a));
  return pathUp(parents, b).find((key) => around.has(key)) ?? null;
}

/**
 * A group and all around it, innermost first.
 * @param {Map<string, string | null>} parents
 * @param {string | null} key
 */
export function pathUp(parents, key) {
  const path = [];
  for (let at = key; at !== null && at !== undefined; at = parents.get(at) ?? null) path.push(at);
  return path;
}

/** Drops calls in which nothing was recorded. @param {Group[]} groups @param {Item[]} items */
function prune(groups, items) {
  const parents = new Map(groups.map((group) => [group.key, group.parent]));
  const used = new Set(items.flatMap((item) => pathUp(parents, item.group)));
  return groups.filter((group) => used.has(group.key));
}
