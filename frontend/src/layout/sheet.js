/**
 * A plan in numbers alone, and the places in numbers alone: what goes to the worker and comes back. A graph of ten
 * thousand boxes is forty thousand texts; copied from thread to thread, and looked up by text, they would cost more than
 * the layout.
 *
 * Everything has one number: items first, then groups, then the page itself (the root), then for each group the pill
 * that stands for its backward nodes while it is folded, then the pills.
 * @typedef {import("./types.js").Plan} Plan
 * @typedef {import("./types.js").Placed} Placed
 * @typedef {import("./types.js").Line} Line
 */

/**
 * @typedef {object} Sheet
 * @property {number} items  how many
 * @property {number} groups
 * @property {number} pills
 * @property {Int32Array} parent  of items and groups: the group around it, or the root
 * @property {Float64Array} size  width and height of everything
 * @property {Float64Array} badge  width and height of everything that is a pill, as a badge
 * @property {Uint8Array} collapsed  of items and groups
 * @property {Int32Array} twin  of pills: an item, or -1
 * @property {Int32Array} data  from and to
 * @property {Int32Array} nexts  from, to, and the data edge it goes along, or -1
 * @property {Int32Array} seeds  from and to
 * @property {Int32Array} saved  from, to, slot and slots
 * @property {boolean} stacked  laps go below each other
 * @property {Plan["mode"]} mode
 * @property {number} room
 */

/**
 * @typedef {object} Places
 * @property {Float64Array} rects  x, y, width and height of everything; x is NaN for what is not drawn
 * @property {Uint8Array} kinds  of lines, in `KINDS`
 * @property {Uint8Array} bends  of lines, in `BENDS`
 * @property {Int32Array} ends  from and to of lines
 * @property {Int32Array} members  edges of lines, by their number among edges of one kind; `memberEnds` says where each ends
 * @property {Int32Array} memberEnds
 * @property {Float64Array} points  x and y of all points of lines; `pointEnds` says where those of each end
 * @property {Int32Array} pointEnds
 * @property {Int32Array} shownAs  what stands for it; its own number where nothing else does
 * @property {number[]} open
 * @property {Placed["mode"]} mode
 * @property {number} axis
 * @property {Placed["counts"]} counts
 */

export const KINDS = /** @type {const} */ (["data", "next", "seed", "saved"]);
export const BENDS = /** @type {const} */ (["upright", "sideways", "corner"]);

/** Number of the pill of a folded group. @param {Sheet} sheet @param {number} group */
export const groupPill = (sheet, group) => group + sheet.groups + 1;
/** Number of the page. @param {Sheet} sheet */
export const rootOf = (sheet) => sheet.items + sheet.groups;
/** Number of the first pill of a node. @param {Sheet} sheet */
export const firstPill = (sheet) => sheet.items + 2 * sheet.groups + 1;
/** @param {Sheet} sheet */
export const countOf = (sheet) => firstPill(sheet) + sheet.pills;

/** Keys by number; the page has none. @param {Plan} plan */
function keysOf(plan) {
  const groups = plan.groups.map(({ key }) => key);
  return [...plan.items.map(({ key }) => key), ...groups, "", ...groups.map((key) => `${key}|b`), ...plan.pills.map(({ key }) => key)];
}

/** @param {Plan} plan @returns {Sheet} */
export function sheetOf(plan) {
  const keys = keysOf(plan);
  const number = new Map(keys.map((key, at) => [key, at]));
  const numberOf = (/** @type {string | null} */ key) => (key === null ? -1 : (number.get(key) ?? -1));
  const [items, groups, pills] = [plan.items.length, plan.groups.length, plan.pills.length];
  const root = items + groups;
  const first = root + groups + 1;
  const parent = new Int32Array(root);
  const size = new Float64Array(2 * keys.length);
  const badge = new Float64Array(2 * keys.length);
  const collapsed = new Uint8Array(root);
  /** @param {Float64Array} into @param {number} at @param {import("./types.js").Size} of */
  const put = (into, at, of) => {
    into[2 * at] = of.width;
    into[2 * at + 1] = of.height;
  };
  plan.items.forEach((item, at) => {
    parent[at] = item.group === null ? root : numberOf(item.group);
    put(size, at, item.size);
  });
  plan.groups.forEach((group, at) => {
    parent[items + at] = group.parent === null ? root : numberOf(group.parent);
    put(size, items + at, group.size);
    put(size, root + 1 + at, group.pill);
    put(badge, root + 1 + at, GROUP_BADGE);
  });
  plan.pills.forEach((pill, at) => {
    put(size, first + at, pill.size);
    put(badge, first + at, pill.badge);
  });
  for (const key of plan.collapsed) if (numberOf(key) >= 0) collapsed[numberOf(key)] = 1;
  const edge = new Map(plan.data.map(({ key }, at) => [key, at]));
  return {
    items,
    groups,
    pills,
    parent,
    size,
    badge,
    collapsed,
    twin: Int32Array.from(plan.pills, ({ twin }) => numberOf(twin)),
    data: Int32Array.from(plan.data.flatMap(({ from, to }) => [numberOf(from), numberOf(to)])),
    nexts: Int32Array.from(
      plan.nexts.flatMap(({ from, to, via }) => [numberOf(from), numberOf(to), via === null ? -1 : (edge.get(via) ?? -1)]),
    ),
    seeds: Int32Array.from(plan.seeds.flatMap(({ from, to }) => [numberOf(from), numberOf(to)])),
    saved: Int32Array.from(plan.saved.flatMap(({ from, to, slot, slots }) => [numberOf(from), numberOf(to), slot, slots])),
    stacked: plan.groups.some((group) => group.lap),
    mode: plan.mode,
    room: plan.room,
  };
}

/** A folded group's backward nodes, as a badge. */
const GROUP_BADGE = { width: 34, height: 20 };

/** Whether two plans ask for one picture. @param {Sheet} a @param {Sheet} b */
export function sameSheet(a, b) {
  for (const key of /** @type {Array<keyof Sheet>} */ (Object.keys(a))) {
    const [one, other] = [a[key], b[key]];
    if (typeof one !== "object") {
      if (one !== other) return false;
    } else {
      const list = /** @type {Int32Array} */ (other);
      if (one.length !== list.length || !one.every((each, at) => each === list[at])) return false;
    }
  }
  return true;
}

/** The arrays of an answer, which need not be copied. @param {Places} places */
export const buffersOf = (places) => Object.values(places).flatMap((each) => (ArrayBuffer.isView(each) ? [each.buffer] : []));

/** @param {Plan} plan @param {Places} places @returns {Placed} */
export function placedOf(plan, places) {
  const keys = keysOf(plan);
  /** @type {Placed["rects"]} */
  const rects = {};
  /** @type {Placed["shownAs"]} */
  const shownAs = {};
  let [left, above, past, below] = [Infinity, Infinity, -Infinity, -Infinity];
  keys.forEach((key, at) => {
    const [x, y, width, height] = places.rects.subarray(4 * at, 4 * at + 4);
    if (places.shownAs[at] !== at) shownAs[key] = keys[places.shownAs[at]];
    if (Number.isNaN(x)) return;
    rects[key] = { x, y, width, height };
    left = Math.min(left, x);
    above = Math.min(above, y);
    past = Math.max(past, x + width);
    below = Math.max(below, y + height);
  });
  const empty = left > past;
  return {
    rects,
    lines: linesOf(plan, places, keys),
    shownAs,
    open: places.open.map((group) => keys[group]),
    mode: places.mode,
    axis: places.axis,
    bounds: empty ? { x: 0, y: 0, width: 0, height: 0 } : { x: left, y: above, width: past - left, height: below - above },
    counts: places.counts,
  };
}

/** @param {Plan} plan @param {Places} places @param {string[]} keys @returns {Line[]} */
function linesOf(plan, places, keys) {
  const edges = [plan.data, plan.nexts, plan.seeds, plan.saved];
  let [member, point] = [0, 0];
  return Array.from(places.kinds, (kind, at) => {
    const [from, to] = [keys[places.ends[2 * at]], keys[places.ends[2 * at + 1]]];
    const members = [];
    for (; member < places.memberEnds[at]; member += 1) members.push(edges[kind][places.members[member]].key);
    const points = [];
    for (; point < places.pointEnds[at]; point += 1) points.push({ x: places.points[2 * point], y: places.points[2 * point + 1] });
    const key = KINDS[kind] === "data" || KINDS[kind] === "next" ? `${from}>${to}` : members[0];
    return { key, kind: KINDS[kind], bend: BENDS[places.bends[at]], from, to, members, points };
  });
}
