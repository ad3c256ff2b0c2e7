/**
 * One module call laid out on its own. A block knows its children only by size and by number, so two calls of one
 * shape are one block, and the second costs nothing.
 * @typedef {import("./types.js").Size} Size
 * @typedef {import("./curve.js").Point} Point
 */
import { Graph, layout } from "@dagrejs/dagre";
import { layered } from "./layered.js";
import { ordered } from "./order.js";

/**
 * @typedef {object} BlockInput
 * @property {Size[]} sizes  of the children
 * @property {Array<[number, number]>} wires  from child to child
 * @property {number[][]} entries  for each line from outside: the children it leads to
 * @property {number[][]} exits  for each line to outside: the children it comes from
 */

/**
 * @typedef {object} Block
 * @property {Size} size
 * @property {Point[]} at  centre of each child
 * @property {Map<string, Point[]>} routes  `from>to` -> inner waypoints; ends are `0`, `i0` (entry) or `o0` (exit)
 * @property {Map<string, Point>} ports  where entry `i0` crosses the top and exit `o0` the bottom
 */

/** Above this many boxes in one block dagre's ordering takes seconds, and a plainer one is used. */
const DAGRE_LIMIT = 700;
export const SPACING = { nodesep: 26, edgesep: 16, ranksep: 42 };

/**
 * @param {BlockInput} input
 * @returns {Block}
 */
export function layoutBlock(input) {
  const { nodes, edges } = withPorts(input);
  const drawn = nodes.length > DAGRE_LIMIT ? layered(nodes, edges, SPACING) : dagre(nodes, edges);
  const at = input.sizes.map((_, child) => /** @type {Point} */ (drawn.at.get(String(child))));
  const ports = new Map(
    nodes.slice(input.sizes.length).map(({ key }) => [key, /** @type {Point} */ (drawn.at.get(key))]),
  );
  for (const [key, point] of ports) ports.set(key, { x: point.x, y: key.startsWith("i") ? 0 : drawn.size.height });
  return { size: drawn.size, at, routes: drawn.routes, ports };
}

/**
 * Entries are held at the top rank and exits at the bottom, so that a line through the block gets a lane of its own.
 * @param {BlockInput} input
 */
function withPorts({ sizes, wires, entries, exits }) {
  const depth = depths(sizes.length, wires);
  const height = depths(
    sizes.length,
    wires.map(([from, to]) => /** @type {[number, number]} */ ([to, from])),
  );
  const port = { width: 12, height: 1 };
  const nodes = [
    ...sizes.map((size, child) => ({ key: String(child), size })),
    ...entries.map((_, number) => ({ key: `i${number}`, size: port })),
    ...exits.map((_, number) => ({ key: `o${number}`, size: port })),
  ];
  const edges = [
    ...wires.map(([from, to]) => ({ from: String(from), to: String(to), least: 1 })),
    ...entries.flatMap((targets, number) =>
      targets.map((to) => ({ from: `i${number}`, to: String(to), least: Math.max(depth[to], 1) })),
    ),
    ...exits.flatMap((sources, number) =>
      sources.map((from) => ({ from: String(from), to: `o${number}`, least: Math.max(height[from], 1) })),
    ),
  ];
  return { nodes, edges };
}

/** Longest path from a source, in edges. @param {number} count @param {Array<[number, number]>} wires */
function depths(count, wires) {
  /** @type {number[][]} */
  const after = Array.from({ length: count }, () => []);
  const waits = new Array(count).fill(0);
  for (const [from, to] of wires) {
    after[from].push(to);
    waits[to] += 1;
  }
  const depth = new Array(count).fill(0);
  const ready = waits.flatMap((wait, child) => (wait === 0 ? [child] : []));
  for (let child = ready.pop(); child !== undefined; child = ready.pop()) {
    for (const to of after[child]) {
      depth[to] = Math.max(depth[to], depth[child] + 1);
      waits[to] -= 1;
      if (waits[to] === 0) ready.push(to);
    }
  }
  return depth;
}

/**
 * @param {Array<{ key: string, size: Size }>} nodes
 * @param {Array<{ from: string, to: string, least: number }>} edges
 */
function dagre(nodes, edges) {
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", ...SPACING, ranker: nodes.length > 150 ? "tight-tree" : "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { key, size } of nodes) graph.setNode(key, { width: size.width, height: size.height });
  for (const { from, to, least } of edges) graph.setEdge(from, to, { minlen: least });
  layout(graph, { customOrder: putInOrder });
  const at = new Map(nodes.map(({ key }) => [key, { x: graph.node(key).x, y: graph.node(key).y }]));
  /** @type {Map<string, Point[]>} */
  const routes = new Map();
  for (const edge of graph.edges()) {
    const points = /** @type {Point[]} */ (graph.edge(edge).points ?? []);
    routes.set(`${edge.v}>${edge.w}`, points.slice(1, -1));
  }
  const { width = 0, height = 0 } = graph.graph();
  return { size: { width: Math.max(width, 0), height: Math.max(height, 0) }, at, routes };
}

/** dagre's own step of this name, on its graph of boxes and bends, each with its rank. @param {Graph} graph */
function putInOrder(graph) {
  const keys = graph.nodes();
  const number = new Map(keys.map((key, at) => [key, at]));
  const numbers = (/** @type {string[] | void} */ list) => (list ?? []).map((key) => /** @type {number} */ (number.get(key)));
  /** @type {number[][]} */
  const rows = [];
  keys.forEach((key, at) => (rows[graph.node(key).rank] ??= []).push(at));
  const found = ordered({
    rows,
    above: keys.map((key) => numbers(graph.predecessors(key))),
    below: keys.map((key) => numbers(graph.successors(key))),
  });
  for (const row of found) row.forEach((box, at) => (graph.node(keys[box]).order = at));
}
