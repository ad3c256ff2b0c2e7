/**
 * The loss over two numbers of the program: where it is measured, and the lines of equal loss between.
 * @typedef {{ from: number, to: number }} Range
 * @typedef {{ x: Range, y: Range, side: number }} Grid  `side` points each way
 */

/** Points each way at first, and after looking closer: every second of the finer grid is known already. */
export const SIDES = [9, 17];
/** Room around the path, as a part of its extent. */
const AROUND = 0.4;

/**
 * Room for a path, the same number of points each way.
 * @param {Array<number | null>} xs @param {Array<number | null>} ys @param {number} side
 * @returns {Grid}
 */
export const gridAround = (xs, ys, side) => ({ x: around(xs), y: around(ys), side });

/** @param {Array<number | null>} numbers @returns {Range} */
function around(numbers) {
  const finite = numbers.filter((each) => each !== null);
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  const extent = most - least || Math.max(Math.abs(most), 1);
  return { from: least - AROUND * extent, to: most + AROUND * extent };
}

/**
 * Round numbers within a range, at most so many.
 * @param {Range} range @param {number} most
 */
export function ticksIn({ from, to }, most) {
  const least = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (/** @type {number} */ ([1, 2, 5, 10].find((each) => each * power >= least * (1 - 1e-9))));
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  return Array.from({ length: count }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** Coordinates of a point of the grid. @param {Grid} grid @param {number} column @param {number} row */
export const pointOf = ({ x, y, side }, column, row) => ({
  x: x.from + ((x.to - x.from) * column) / (side - 1),
  y: y.from + ((y.to - y.from) * row) / (side - 1),
});

/** Where a measured point is kept, whatever the grid's side. @param {number} side @param {number} column @param {number} row */
export const placeOf = (side, column, row) => `${column / (side - 1)},${row / (side - 1)}`;

/**
 * Heights row by row; null where nothing was measured.
 * @param {ReadonlyMap<string, number | null>} measured @param {number} side
 */
export const heightsOf = (measured, side) =>
  Array.from({ length: side }, (_, row) => Array.from({ length: side }, (_, column) => measured.get(placeOf(side, column, row)) ?? null));

/**
 * Points of a grid that are not measured yet, from the middle outwards so that the picture begins where the path is.
 * @param {ReadonlyMap<string, unknown>} measured @param {number} side
 */
export function missing(measured, side) {
  const centre = (side - 1) / 2;
  return Array.from({ length: side * side }, (_, at) => ({ column: at % side, row: Math.floor(at / side) }))
    .filter(({ column, row }) => !measured.has(placeOf(side, column, row)))
    .sort((a, b) => Math.hypot(a.column - centre, a.row - centre) - Math.hypot(b.column - centre, b.row - centre));
}

/**
 * Heights of lines, closer together near the bottom, where a path ends.
 * @param {Array<Array<number | null>>} heights @param {number} count
 */
export function levelsOf(heights, count) {
  const finite = heights.flat().filter((each) => each !== null);
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  if (!(most > least)) return [];
  return Array.from({ length: count }, (_, at) => least + (most - least) * ((at + 1) / (count + 1)) ** 2);
}

/**
 * Line segments of equal height, in units of the grid (column, row). Cells with an unmeasured corner are left out.
 * @param {Array<Array<number | null>>} heights @param {number} level
 * @returns {Array<[number, number, number, number]>} x, y of both ends
 */
export function contour(heights, level) {
  /** @type {Array<[number, number, number, number]>} */
  const segments = [];
  for (let row = 0; row + 1 < heights.length; row += 1) {
    for (let column = 0; column + 1 < heights[row].length; column += 1) {
      const corners = [heights[row][column], heights[row][column + 1], heights[row + 1][column + 1], heights[row + 1][column]];
      if (corners.some((each) => each === null)) continue;
      const crossings = crossingsOf(/** @type {number[]} */ (corners), level).map(([x, y]) => [column + x, row + y]);
      const saddle = crossings.length === 4;
      const middle = saddle ? /** @type {number[]} */ (corners).reduce((sum, each) => sum + each, 0) / 4 : 0;
      // Of the two ways through a saddle the one that its middle says.
      const order = saddle && middle >= level === /** @type {number} */ (corners[0]) >= level ? [0, 1, 2, 3] : [3, 0, 1, 2];
      const pairs = saddle ? [[order[0], order[1]], [order[2], order[3]]] : crossings.length === 2 ? [[0, 1]] : [];
      for (const [a, b] of pairs) segments.push([crossings[a][0], crossings[a][1], crossings[b][0], crossings[b][1]]);
    }
  }
  return segments;
}

/** Corners and edges of a cell, going round. */
const ROUND = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];

/** @param {number[]} corners @param {number} level @returns {Array<[number, number]>} where its four sides cross the level */
function crossingsOf(corners, level) {
  return corners.flatMap((from, at) => {
    const to = corners[(at + 1) % 4];
    if (from >= level === to >= level) return [];
    const part = (level - from) / (to - from);
    const [a, b] = [ROUND[at], ROUND[(at + 1) % 4]];
    return [/** @type {[number, number]} */ ([a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part])];
  });
}

/**
 * Height at any place between the points of the grid; null beside an unmeasured one.
 * @param {Array<Array<number | null>>} heights @param {number} x @param {number} y  in units of the grid
 */
export function heightAt(heights, x, y) {
  const column = Math.min(Math.floor(x), heights[0].length - 2);
  const row = Math.min(Math.floor(y), heights.length - 2);
  const [a, b] = [heights[row][column], heights[row][column + 1]];
  const [c, d] = [heights[row + 1][column], heights[row + 1][column + 1]];
  if (a === null || b === null || c === null || d === null) return null;
  const [u, v] = [x - column, y - row];
  return (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v;
}
