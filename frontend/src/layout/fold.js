/**
 * The graph as seen with some groups collapsed: a collapsed group is one box, and edges end at it.
 * @typedef {import("./types.js").Plan} Plan
 */

/**
 * @typedef {object} Folded
 * @property {Map<string | null, string[]>} children  group -> its visible boxes and open groups, in order
 * @property {Map<string, string | null>} parentOf  of visible boxes and of all groups
 * @property {Map<string, string>} shownAs  every item and hidden group -> the box that stands for it
 * @property {Map<string, { from: string, to: string, members: string[] }>} edges  by `from>to`
 * @property {Set<string>} open
 */

/**
 * @param {Plan} plan
 * @returns {Folded}
 */
export function fold(plan) {
  const collapsed = new Set(plan.collapsed);
  /** @type {Map<string, string | null>} */
  const parentOf = new Map(plan.groups.map((group) => [group.key, group.parent]));
  /** @type {Map<string, string>} */
  const shownAs = new Map();
  /** @type {Map<string | null, string[]>} */
  const children = new Map([[null, []]]);
  const open = new Set();
  for (const group of plan.groups) {
    const cover = outermost(parentOf, collapsed, group.key);
    if (cover !== null) shownAs.set(group.key, cover);
    if (cover !== null && cover !== group.key) continue;
    if (cover === null) {
      open.add(group.key);
      children.set(group.key, []);
    }
  }
  // Boxes and groups are put in the order in which their first box appears, which is the order of the program.
  const placed = new Set();
  /** @param {string} key */
  const place = (key) => {
    if (placed.has(key)) return;
    placed.add(key);
    const parent = parentOf.get(key) ?? null;
    if (parent !== null) place(parent);
    children.get(parent)?.push(key);
  };
  for (const item of plan.items) {
    const cover = outermost(parentOf, collapsed, item.group);
    shownAs.set(item.key, cover ?? item.key);
    if (cover === null) parentOf.set(item.key, item.group);
    place(cover ?? item.key);
  }
  return { children, parentOf, shownAs, edges: liftEdges(plan, shownAs), open };
}

/**
 * The outermost collapsed group around `key`, itself included.
 * @param {Map<string, string | null>} parents
 * @param {Set<string>} collapsed
 * @param {string | null} key
 */
function outermost(parents, collapsed, key) {
  let cover = null;
  for (let at = key; at !== null && at !== undefined; at = parents.get(at) ?? null) if (collapsed.has(at)) cover = at;
  return cover;
}

/** @param {Plan} plan @param {Map<string, string>} shownAs */
function liftEdges(plan, shownAs) {
  /** @type {Folded["edges"]} */
  const edges = new Map();
  for (const edge of plan.data) {
    const from = shownAs.get(edge.from);
    const to = shownAs.get(edge.to);
    if (from === undefined || to === undefined || from === to) continue;
    const found = edges.get(`${from}>${to}`);
    if (found) found.members.push(edge.key);
    else edges.set(`${from}>${to}`, { from, to, members: [edge.key] });
  }
  return edges;
}
