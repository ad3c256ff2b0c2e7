/**
 * The forward graph placed: module calls bottom-up, equal ones once, then from the top down to page coordinates.
 * @typedef {import("./fold.js").Folded} Folded
 * @typedef {import("./block.js").Block} Block
 * @typedef {import("./block.js").BlockInput} BlockInput
 * @typedef {import("./types.js").Size} Size
 * @typedef {import("./types.js").Rect} Rect
 * @typedef {import("./curve.js").Point} Point
 */
import { layoutBlock, SPACING } from "./block.js";

/** Room inside an expanded group: the title above, a margin around. */
export const HEADER = 26;
export const MARGIN = 12;

/**
 * Blocks by their shape; outlives one layout, since a rerun of a program has the same shapes.
 * @type {Map<string, Block>}
 */
const cache = new Map();
const CACHE_LIMIT = 500;

/**
 * @typedef {object} Wiring  how the children of one group hang together
 * @property {string[]} children
 * @property {Map<string, number>} place  child -> its number
 * @property {Map<string, [number, number]>} wires
 * @property {Map<string, Set<number>>} entries  outside source -> children
 * @property {Map<string, Set<number>>} exits  inside source -> child
 */

/**
 * @param {Folded} folded
 * @param {Map<string, Size>} sizes  of boxes, with the room their backward twins need
 * @param {{ least: Map<string, number>, stacked: boolean, report?: (part: number) => void }} options  `least` width of
 *   open groups; `stacked`: laps go below each other; `report` is told how much is done
 */
export function placeForward(folded, sizes, { least, stacked, report }) {
  const wiring = wire(folded);
  const counts = { modules: 0, cached: 0 };
  /** @type {Map<string | null, Block>} */
  const blocks = new Map();
  /** @param {string | null} group @returns {Size} */
  const measure = (group) => {
    const own = /** @type {Wiring} */ (wiring.get(group));
    const inside = own.children.map((child) =>
      folded.open.has(child) ? measure(child) : /** @type {Size} */ (sizes.get(child)),
    );
    const block = group === null && stacked ? stack(inside) : cached(inputOf(own, inside), counts);
    blocks.set(group, block);
    report?.(blocks.size / wiring.size);
    if (group === null) return block.size;
    return {
      width: Math.max(block.size.width, least.get(group) ?? 0) + 2 * MARGIN,
      height: block.size.height + HEADER + MARGIN,
    };
  };
  const size = measure(null);
  /** @type {Map<string, Rect>} */
  const slots = new Map();
  /** @type {Map<string | null, Point>} origin of each block */
  const origins = new Map();
  /** @param {string | null} group @param {Point} origin */
  const place = (group, origin) => {
    origins.set(group, origin);
    const block = /** @type {Block} */ (blocks.get(group));
    const own = /** @type {Wiring} */ (wiring.get(group));
    own.children.forEach((child, number) => {
      const inner = blocks.get(child);
      const centre = { x: origin.x + block.at[number].x, y: origin.y + block.at[number].y };
      const box = inner
        ? {
            width: Math.max(inner.size.width, least.get(child) ?? 0) + 2 * MARGIN,
            height: inner.size.height + HEADER + MARGIN,
          }
        : /** @type {Size} */ (sizes.get(child));
      const rect = { x: centre.x - box.width / 2, y: centre.y - box.height / 2, ...box };
      slots.set(child, rect);
      if (inner) place(child, { x: centre.x - inner.size.width / 2, y: rect.y + HEADER });
    });
  };
  place(null, { x: 0, y: 0 });
  /** @param {string} from @param {string} to @returns {Point[]} waypoints between two boxes, without their ends */
  const route = (from, to) => routeBetween({ folded, wiring, blocks, origins }, from, to);
  return { slots, size, route, counts };
}

/** @param {Folded} folded @returns {Map<string | null, Wiring>} */
function wire(folded) {
  /** @type {Map<string | null, Wiring>} */
  const wiring = new Map();
  for (const [group, children] of folded.children) {
    wiring.set(group, {
      children,
      place: new Map(children.map((child, at) => [child, at])),
      wires: new Map(),
      entries: new Map(),
      exits: new Map(),
    });
  }
  for (const { from, to } of folded.edges.values()) {
    const { shared, out, into, a, b } = climb(folded, from, to);
    const top = /** @type {Wiring} */ (wiring.get(shared));
    const pair = /** @type {[number, number]} */ ([top.place.get(a), top.place.get(b)]);
    top.wires.set(pair.join(">"), pair);
    for (const [group, child] of out)
      note(/** @type {Wiring} */ (wiring.get(group)).exits, from, wiring.get(group)?.place.get(child));
    for (const [group, child] of into)
      note(/** @type {Wiring} */ (wiring.get(group)).entries, from, wiring.get(group)?.place.get(child));
  }
  return wiring;
}

/** @param {Map<string, Set<number>>} map @param {string} key @param {number | undefined} child */
function note(map, key, child) {
  const set = map.get(key);
  if (set) set.add(child ?? 0);
  else map.set(key, new Set([child ?? 0]));
}

/**
 * From both ends up to the innermost group around both: the groups left, the groups entered, the children at the top.
 * @param {Folded} folded @param {string} from @param {string} to
 */
function climb(folded, from, to) {
  const pathOf = (/** @type {string} */ key) => {
    /** @type {Array<[string | null, string]>} */
    const path = [];
    for (let child = key; ;) {
      const group = folded.parentOf.get(child) ?? null;
      path.push([group, child]);
      if (group === null) return path;
      child = group;
    }
  };
  const left = pathOf(from);
  const right = pathOf(to);
  const at = new Map(right.map(([group], index) => [group, index]));
  const up = left.findIndex(([group]) => at.has(group));
  const down = /** @type {number} */ (at.get(left[up][0]));
  return { shared: left[up][0], a: left[up][1], b: right[down][1], out: left.slice(0, up), into: right.slice(0, down) };
}

/** @param {Wiring} own @param {Size[]} sizes @returns {BlockInput} */
function inputOf(own, sizes) {
  return {
    sizes,
    wires: [...own.wires.values()].filter(([from, to]) => from !== to),
    entries: [...own.entries.values()].map((set) => [...set]),
    exits: [...own.exits.values()].map((set) => [...set]),
  };
}

/** @param {BlockInput} input @param {{ modules: number, cached: number }} counts */
function cached(input, counts) {
  counts.modules += 1;
  const shape = JSON.stringify([
    input.sizes.map(({ width, height }) => [Math.round(width), Math.round(height)]),
    input.wires,
    input.entries,
    input.exits,
  ]);
  const found = cache.get(shape);
  if (found) {
    counts.cached += 1;
    return found;
  }
  const block = layoutBlock(input);
  if (cache.size >= CACHE_LIMIT) cache.delete(/** @type {string} */ (cache.keys().next().value));
  cache.set(shape, block);
  return block;
}

/** Laps one below the other. @param {Size[]} sizes @returns {Block} */
function stack(sizes) {
  const width = sizes.reduce((most, size) => Math.max(most, size.width), 0);
  let y = 0;
  const at = sizes.map((size) => {
    const centre = { x: width / 2, y: y + size.height / 2 };
    y += size.height + SPACING.ranksep;
    return centre;
  });
  return { size: { width, height: Math.max(y - SPACING.ranksep, 0) }, at, routes: new Map(), ports: new Map() };
}

/**
 * @param {{ folded: Folded, wiring: Map<string | null, Wiring>, blocks: Map<string | null, Block>,
 *           origins: Map<string | null, Point> }} parts
 * @param {string} from @param {string} to
 * @returns {Point[]}
 */
function routeBetween({ folded, wiring, blocks, origins }, from, to) {
  const { shared, out, into, a, b } = climb(folded, from, to);
  /** @type {Point[]} */
  const points = [];
  /** @param {string | null} group @param {string} start @param {string} end */
  const inner = (group, start, end) => {
    const origin = /** @type {Point} */ (origins.get(group));
    for (const point of blocks.get(group)?.routes.get(`${start}>${end}`) ?? [])
      points.push({ x: origin.x + point.x, y: origin.y + point.y });
  };
  /** @param {string | null} group @param {string} port */
  const through = (group, port) => {
    const origin = /** @type {Point} */ (origins.get(group));
    const at = blocks.get(group)?.ports.get(port);
    if (at) points.push({ x: origin.x + at.x, y: origin.y + at.y });
  };
  for (const [group, child] of out) {
    const own = /** @type {Wiring} */ (wiring.get(group));
    const port = `o${[...own.exits.keys()].indexOf(from)}`;
    inner(group, String(own.place.get(child)), port);
    through(group, port);
  }
  const top = /** @type {Wiring} */ (wiring.get(shared));
  inner(shared, String(top.place.get(a)), String(top.place.get(b)));
  for (const [group, child] of into.toReversed()) {
    const own = /** @type {Wiring} */ (wiring.get(group));
    const port = `i${[...own.entries.keys()].indexOf(from)}`;
    through(group, port);
    inner(group, port, String(own.place.get(child)));
  }
  return points;
}
