/**
 * A plain layered layout for blocks too large for dagre: ranks by longest path, order by a few barycentre sweeps,
 * places by pushing boxes apart around the mean of their neighbours. Linear in boxes and edges but for sorting.
 * @typedef {import("./types.js").Size} Size
 * @typedef {import("./curve.js").Point} Point
 */

const SWEEPS = 6;

/**
 * @param {Array<{ key: string, size: Size }>} nodes
 * @param {Array<{ from: string, to: string, least: number }>} edges
 * @param {{ nodesep: number, edgesep: number, ranksep: number }} spacing
 */
export function layered(nodes, edges, spacing) {
  const rank = ranksOf(nodes, edges);
  const cells = nodes.map(({ key, size }) => ({
    key,
    width: size.width,
    height: size.height,
    x: 0,
    rank: rank.get(key) ?? 0,
    links: /** @type {number[]} */ ([]),
    dummy: false,
  }));
  const number = new Map(cells.map((cell, at) => [cell.key, at]));
  /** @type {Map<string, number[]>} */
  const bends = new Map();
  for (const { from, to } of edges) {
    const chain = [/** @type {number} */ (number.get(from))];
    const end = /** @type {number} */ (number.get(to));
    for (let at = cells[chain[0]].rank + 1; at < cells[end].rank; at += 1) {
      chain.push(cells.length);
      cells.push({ key: "", width: 2, height: 0, x: 0, rank: at, links: [], dummy: true });
    }
    bends.set(`${from}>${to}`, chain.slice(1));
    chain.push(end);
    for (let at = 1; at < chain.length; at += 1) {
      cells[chain[at - 1]].links.push(chain[at]);
      cells[chain[at]].links.push(chain[at - 1]);
    }
  }
  /** @type {number[][]} */
  const rows = [];
  cells.forEach((cell, at) => (rows[cell.rank] ??= []).push(at));
  for (let row = 0; row < rows.length; row += 1) rows[row] ??= [];
  for (const row of rows) pack(row, cells, spacing);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const order = sweep % 2 === 0 ? rows.keys() : [...rows.keys()].reverse();
    for (const at of order) settle(rows[at], cells, spacing, sweep % 2 === 0 ? -1 : 1);
  }
  return finish(rows, cells, bends, spacing);
}

/**
 * @typedef {{ key: string, width: number, height: number, x: number, rank: number, links: number[],
 *             dummy: boolean }} Cell
 */

/** @param {Array<{ key: string }>} nodes @param {Array<{ from: string, to: string, least: number }>} edges */
function ranksOf(nodes, edges) {
  /** @type {Map<string, Array<{ to: string, least: number }>>} */
  const after = new Map(nodes.map(({ key }) => [key, []]));
  const waits = new Map(nodes.map(({ key }) => [key, 0]));
  for (const { from, to, least } of edges) {
    after.get(from)?.push({ to, least });
    waits.set(to, (waits.get(to) ?? 0) + 1);
  }
  const rank = new Map(nodes.map(({ key }) => [key, 0]));
  const ready = nodes.filter(({ key }) => waits.get(key) === 0).map(({ key }) => key);
  /** @type {string[]} */
  const order = [];
  for (let key = ready.pop(); key !== undefined; key = ready.pop()) {
    order.push(key);
    for (const { to, least } of after.get(key) ?? []) {
      rank.set(to, Math.max(rank.get(to) ?? 0, (rank.get(key) ?? 0) + least));
      const wait = (waits.get(to) ?? 0) - 1;
      waits.set(to, wait);
      if (wait === 0) ready.push(to);
    }
  }
  // A source hangs just above its first user rather than at the very top.
  for (const key of order.reverse()) {
    const below = (after.get(key) ?? []).map(({ to, least }) => (rank.get(to) ?? 0) - least);
    if (below.length > 0 && key[0] !== "i") rank.set(key, Math.max(rank.get(key) ?? 0, Math.min(...below)));
  }
  return rank;
}

/** @param {number[]} row @param {Cell[]} cells @param {{ nodesep: number, edgesep: number }} spacing */
function pack(row, cells, { nodesep, edgesep }) {
  let x = 0;
  for (const at of row) {
    cells[at].x = x + cells[at].width / 2;
    x += cells[at].width + (cells[at].dummy ? edgesep : nodesep);
  }
}

/**
 * Orders a row by the mean place of its neighbours on one side and moves it there without overlaps.
 * @param {number[]} row
 * @param {Cell[]} cells
 * @param {{ nodesep: number, edgesep: number }} spacing
 * @param {-1 | 1} side
 */
function settle(row, cells, { nodesep, edgesep }, side) {
  const wish = new Map(
    row.map((at) => {
      const beside = cells[at].links.filter((other) => cells[other].rank === cells[at].rank + side);
      const mean = beside.reduce((sum, other) => sum + cells[other].x, 0) / beside.length;
      return [at, beside.length > 0 ? mean : cells[at].x];
    }),
  );
  row.sort((a, b) => /** @type {number} */ (wish.get(a)) - /** @type {number} */ (wish.get(b)));
  let edge = -Infinity;
  let shift = 0;
  for (const at of row) {
    const cell = cells[at];
    const wanted = /** @type {number} */ (wish.get(at));
    cell.x = Math.max(wanted, edge + cell.width / 2);
    shift += cell.x - wanted;
    edge = cell.x + cell.width / 2 + (cell.dummy ? edgesep : nodesep);
  }
  // Pushing went one way only; the row as a whole moves back by the mean of it.
  const back = shift / Math.max(row.length, 1);
  for (const at of row) cells[at].x -= back;
}

/**
 * @param {number[][]} rows
 * @param {Cell[]} cells
 * @param {Map<string, number[]>} bends
 * @param {{ ranksep: number }} spacing
 */
function finish(rows, cells, bends, { ranksep }) {
  let left = Infinity;
  let right = -Infinity;
  for (const cell of cells) {
    left = Math.min(left, cell.x - cell.width / 2);
    right = Math.max(right, cell.x + cell.width / 2);
  }
  /** @type {number[]} */
  const tops = [];
  let y = 0;
  for (const row of rows) {
    const height = row.reduce((most, at) => Math.max(most, cells[at].height), 0);
    tops.push(y + height / 2);
    y += height + ranksep;
  }
  /** @param {Cell} cell */
  const point = (cell) => ({ x: cell.x - left, y: tops[cell.rank] });
  const at = new Map(cells.filter((cell) => !cell.dummy).map((cell) => [cell.key, point(cell)]));
  const routes = new Map([...bends].map(([key, chain]) => [key, chain.map((each) => point(cells[each]))]));
  return { size: { width: Math.max(right - left, 0), height: Math.max(y - ranksep, 0) }, at, routes };
}
