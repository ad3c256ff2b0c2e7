/**
 * What of a placed graph lies in a rectangle. Boxes and lines are kept by bands of height, so that a camera that moves
 * over ten thousand boxes asks only those near what it sees.
 * @typedef {import("../layout/types.js").Placed} Placed
 * @typedef {import("../layout/types.js").Rect} Rect
 * @typedef {import("../layout/types.js").Line} Line
 */
import { put } from "../model/gather.js";

/** Height of a band in pixels at zoom 1: about a screen. */
const BAND = 800;

/** @type {WeakMap<Placed, { boxes: Shelf<string>, lines: Shelf<Line> }>} */
const known = new WeakMap();

/** Keys of the boxes and the lines that touch a rectangle, in the order of the graph. @param {Placed} placed @param {Rect} area */
export function visibleIn(placed, area) {
  let shelves = known.get(placed);
  if (!shelves) {
    shelves = {
      boxes: new Shelf(Object.keys(placed.rects), (key) => edgesOf(placed.rects[key])),
      lines: new Shelf(placed.lines, ({ points }) => extentOf(points)),
    };
    known.set(placed, shelves);
  }
  return { boxes: shelves.boxes.within(area), lines: shelves.lines.within(area) };
}

/** @typedef {[number, number, number, number]} Edges  left, top, right, bottom */

/** @param {Rect} rect @returns {Edges} */
const edgesOf = ({ x, y, width, height }) => [x, y, x + width, y + height];

/** @param {import("../layout/curve.js").Point[]} points @returns {Edges} */
function extentOf(points) {
  /** @type {Edges} */
  const edges = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    if (x < edges[0]) edges[0] = x;
    if (y < edges[1]) edges[1] = y;
    if (x > edges[2]) edges[2] = x;
    if (y > edges[3]) edges[3] = y;
  }
  return edges;
}

/** @template T */
class Shelf {
  /** @param {T[]} things @param {(thing: T) => Edges} edges */
  constructor(things, edges) {
    this.things = things;
    this.edges = new Float64Array(4 * things.length);
    /** @type {Map<number, number[]>} band -> things that reach into it */
    this.bands = new Map();
    things.forEach((thing, at) => {
      const found = edges(thing);
      this.edges.set(found, 4 * at);
      for (let band = bandAt(found[1]); band <= bandAt(found[3]); band += 1) put(this.bands, band, at);
    });
    this.least = Math.min(...this.bands.keys());
    this.most = Math.max(...this.bands.keys());
  }

  /** @param {Rect} area @returns {T[]} */
  within(area) {
    const [left, top, right, bottom] = edgesOf(area);
    const touched = new Set();
    const last = Math.min(bandAt(bottom), this.most);
    for (let band = Math.max(bandAt(top), this.least); band <= last; band += 1) {
      for (const at of this.bands.get(band) ?? []) {
        const edge = 4 * at;
        const { edges } = this;
        if (edges[edge] <= right && edges[edge + 2] >= left && edges[edge + 1] <= bottom && edges[edge + 3] >= top) touched.add(at);
      }
    }
    // Few are put in order; of many it is shorter to go through all.
    if (touched.size > this.things.length / 4) return this.things.filter((_, at) => touched.has(at));
    return [...touched].sort((a, b) => a - b).map((at) => this.things[at]);
  }
}

/** @param {number} y */
const bandAt = (y) => Math.floor(y / BAND);
