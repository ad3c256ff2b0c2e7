/**
 * The order of boxes within their ranks, by sweeps of barycentres over rows of numbers. dagre does the same on a graph
 * it builds for every rank and every sweep, which for the small blocks of a module call was half of its time.
 */

/** Sweeps without fewer crossings after which the best order so far is taken. */
const PATIENCE = 4;

/**
 * @typedef {object} Ranked  boxes by number
 * @property {number[][]} rows  boxes of each rank, in the order in which they were added
 * @property {number[][]} above  neighbours of each box in the rank above
 * @property {number[][]} below  and in the rank below
 */

/**
 * @param {Ranked} ranked
 * @returns {number[][]} the boxes of each rank from left to right
 */
export function ordered(ranked) {
  const { rows, above, below } = ranked;
  const place = new Int32Array(above.length);
  let best = asFound(ranked);
  settle(best, place);
  let least = Infinity;
  for (let [sweep, idle] = [0, 0]; idle < PATIENCE; sweep += 1, idle += 1) {
    const [down, turning] = [sweep % 2 === 1, sweep % 4 >= 2];
    let leftmost = false;
    const next = [...(sweep === 0 ? best : rowsBy(rows, place))];
    for (let step = 1; step < rows.length; step += 1) {
      const rank = down ? step : rows.length - 1 - step;
      const sorted = sortedRow(rows[rank], down ? above : below, place, leftmost);
      next[rank] = sorted.row;
      sorted.row.forEach((box, at) => (place[box] = at));
      if (turning && sorted.tie) leftmost = !leftmost;
    }
    const now = crossings(next, below, place);
    if (now > least) continue;
    if (now < least) idle = 0;
    [best, least] = [next, now];
  }
  return best;
}

/** Boxes in the order in which they are met on the way down from each box of the first rank. @param {Ranked} ranked */
function asFound({ rows, below }) {
  /** @type {number[][]} */
  const found = rows.map(() => []);
  const rank = new Int32Array(below.length);
  rows.forEach((row, at) => row.forEach((box) => (rank[box] = at)));
  const met = new Uint8Array(below.length);
  for (const start of rows.flat()) {
    const ahead = [start];
    for (let box = ahead.pop(); box !== undefined; box = ahead.pop()) {
      if (met[box]) continue;
      met[box] = 1;
      found[rank[box]].push(box);
      for (let at = below[box].length - 1; at >= 0; at -= 1) ahead.push(below[box][at]);
    }
  }
  return found;
}

/** @param {number[][]} rows @param {Int32Array} place  is told where each box is in its row */
function settle(rows, place) {
  for (const row of rows) row.forEach((box, at) => (place[box] = at));
}

/** @param {number[][]} rows @param {Int32Array} place */
const rowsBy = (rows, place) => rows.map((row) => [...row].sort((a, b) => place[a] - place[b]));

/**
 * A row by the mean place of the neighbours of each box; a box without any keeps its number in the row.
 * @param {number[]} row @param {number[][]} beside @param {Int32Array} place
 * @param {boolean} leftmost  whether of two boxes with one mean the one added first goes left
 */
function sortedRow(row, beside, place, leftmost) {
  const mean = row.map((box) => {
    let sum = 0;
    for (const other of beside[box]) sum += place[other];
    return sum / beside[box].length;
  });
  const numbers = row.map((_, at) => at);
  const bound = numbers.filter((at) => !Number.isNaN(mean[at]));
  bound.sort((a, b) => mean[a] - mean[b] || (leftmost ? a - b : b - a));
  const tie = bound.some((at, number) => number > 0 && mean[at] > 0 && mean[at] === mean[bound[number - 1]]);
  const free = numbers.filter((at) => Number.isNaN(mean[at]));
  /** @type {number[]} */
  const sorted = [];
  for (const at of bound) {
    while (free.length > 0 && free[0] <= sorted.length) sorted.push(row[/** @type {number} */ (free.shift())]);
    sorted.push(row[at]);
  }
  for (const at of free) sorted.push(row[at]);
  return { row: sorted, tie };
}

/** How many pairs of lines between neighbouring ranks cross. @param {number[][]} rows @param {number[][]} below @param {Int32Array} place */
function crossings(rows, below, place) {
  let count = 0;
  for (const row of rows) {
    /** @type {number[]} */
    const ends = [];
    for (const box of row) {
      const own = below[box].map((other) => place[other]);
      for (const end of own) for (const before of ends) if (before > end) count += 1;
      ends.push(...own);
    }
  }
  return count;
}
