/**
 * The forward graph placed: module calls bottom-up, equal ones once, then from the top down to page coordinates.
 * @typedef {import("./fold.js").Folded} Folded
 * @typedef {import("./block.js").Block} Block
 * @typedef {import("./block.js").BlockInput} BlockInput
 * @typedef {import("./types.js").Size} Size
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
 * @property {number[]} children
 * @property {Map<number, [number, number]>} wires  between children, by their numbers
 * @property {Map<number, Door>} entries  by the box outside that a line comes from
 * @property {Map<number, Door>} exits  by the box inside that a line comes from
 * @typedef {{ port: number, children: Set<number> }} Door  where a line crosses the border: its number there, and the children
 *   it leads to or comes from
 */

/**
 * @param {Folded} folded
 * @param {Float64Array} slots  width and height of every item and group as a box, with the room its backward twins need
 * @param {{ least: Float64Array, stacked: boolean, report?: (part: number) => void }} options  `least`: sizes of
 *   groups, whose width an open one has at least; `stacked`: laps go below each other; `report` is told how much is done
 */
export function placeForward(folded, slots, { least, stacked, report }) {
  const root = folded.children.length - 1;
  const paths = folded.links.map(({ from, to }) => climb(folded, from, to));
  const wiring = wire(folded, paths);
  const counts = { modules: 0, cached: 0 };
  const modules = wiring.reduce((sum, own) => sum + (own ? 1 : 0), 0);
  /** @type {Array<Block | undefined>} */
  const blocks = new Array(root + 1).fill(undefined);
  /** @param {number} group @returns {Size} */
  const measure = (group) => {
    const own = /** @type {Wiring} */ (wiring[group]);
    const inside = own.children.map((child) =>
      wiring[child] ? measure(child) : { width: slots[2 * child], height: slots[2 * child + 1] },
    );
    const block = group === root && stacked ? stack(inside) : cached(inputOf(own, inside), counts);
    blocks[group] = block;
    report?.(counts.modules / modules);
    return group === root ? block.size : framed(block, least[2 * group]);
  };
  const size = measure(root);
  // Places of all boxes and open groups, as x, y, width and height.
  const rects = new Float64Array(4 * root).fill(NaN);
  const origins = new Float64Array(2 * (root + 1));
  /** @param {number} group @param {number} x @param {number} y */
  const put = (group, x, y) => {
    [origins[2 * group], origins[2 * group + 1]] = [x, y];
    const block = /** @type {Block} */ (blocks[group]);
    /** @type {Wiring} */ (wiring[group]).children.forEach((child, number) => {
      const inner = blocks[child];
      const box = inner ? framed(inner, least[2 * child]) : { width: slots[2 * child], height: slots[2 * child + 1] };
      const middle = x + block.at[number].x;
      const above = y + block.at[number].y - box.height / 2;
      rects.set([middle - box.width / 2, above, box.width, box.height], 4 * child);
      if (inner) put(child, middle - inner.size.width / 2, above + HEADER);
    });
  };
  put(root, 0, 0);
  /** @param {number} link @returns {Point[]} waypoints between its two boxes, without their ends */
  const route = (link) => routeAlong({ folded, wiring, blocks, origins }, folded.links[link].from, paths[link]);
  return { rects, size, route, counts };
}

/** An open group with its title and margin. @param {Block} block @param {number} least  width of what is in it */
const framed = ({ size }, least) => ({
  width: Math.max(size.width, least) + 2 * MARGIN,
  height: size.height + HEADER + MARGIN,
});

/** @param {Folded} folded @param {Path[]} paths @returns {Array<Wiring | undefined>} by group */
function wire({ children, links, parent, place }, paths) {
  const wiring = children.map((list) => list && { children: list, wires: new Map(), entries: new Map(), exits: new Map() });
  const of = (/** @type {number} */ child) => /** @type {Wiring} */ (wiring[parent[child]]);
  paths.forEach(({ a, b, out, into }, at) => {
    const { from } = links[at];
    const top = of(a);
    top.wires.set(place[a] * top.children.length + place[b], [place[a], place[b]]);
    for (const child of out) pass(of(child).exits, from, place[child]);
    for (const child of into) pass(of(child).entries, from, place[child]);
  });
  return wiring;
}

/** @param {Map<number, Door>} doors @param {number} from @param {number} child */
function pass(doors, from, child) {
  const door = doors.get(from);
  if (door) door.children.add(child);
  else doors.set(from, { port: doors.size, children: new Set([child]) });
}

/**
 * From both ends up to the innermost group around both.
 * @typedef {object} Path
 * @property {number} a  the child of that group which holds the start
 * @property {number} b  and the one which holds the end
 * @property {number[]} out  the children of groups that are left, innermost first
 * @property {number[]} into  the children of groups that are entered, innermost first
 * @param {Folded} folded @param {number} from @param {number} to
 * @returns {Path}
 */
function climb({ parent, depth }, from, to) {
  let [a, b] = [from, to];
  const out = [];
  const into = [];
  while (parent[a] !== parent[b]) {
    const [left, right] = [depth[a], depth[b]];
    if (left >= right) {
      out.push(a);
      a = parent[a];
    }
    if (right >= left) {
      into.push(b);
      b = parent[b];
    }
  }
  return { a, b, out, into };
}

/** @param {Wiring} own @param {Size[]} sizes @returns {BlockInput} */
function inputOf(own, sizes) {
  return {
    sizes,
    wires: [...own.wires.values()].filter(([from, to]) => from !== to),
    entries: Array.from(own.entries.values(), ({ children }) => [...children]),
    exits: Array.from(own.exits.values(), ({ children }) => [...children]),
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
 * @param {{ folded: Folded, wiring: Array<Wiring | undefined>, blocks: Array<Block | undefined>, origins: Float64Array }} parts
 * @param {number} from @param {Path} path
 * @returns {Point[]}
 */
function routeAlong({ folded, wiring, blocks, origins }, from, { a, b, out, into }) {
  const { parent, place } = folded;
  /** @type {Point[]} */
  const points = [];
  /** @param {number} group @param {Point} point */
  const add = (group, point) => points.push({ x: origins[2 * group] + point.x, y: origins[2 * group + 1] + point.y });
  /** @param {number} group @param {string} wire */
  const inner = (group, wire) => {
    for (const point of blocks[group]?.routes.get(wire) ?? []) add(group, point);
  };
  /** @param {number} group @param {string} port */
  const through = (group, port) => {
    const at = blocks[group]?.ports.get(port);
    if (at) add(group, at);
  };
  for (const child of out) {
    const group = parent[child];
    const port = `o${wiring[group]?.exits.get(from)?.port}`;
    inner(group, `${place[child]}>${port}`);
    through(group, port);
  }
  inner(parent[a], `${place[a]}>${place[b]}`);
  for (const child of into.toReversed()) {
    const group = parent[child];
    const port = `i${wiring[group]?.entries.get(from)?.port}`;
    through(group, port);
    inner(group, `${port}>${place[child]}`);
  }
  return points;
}
