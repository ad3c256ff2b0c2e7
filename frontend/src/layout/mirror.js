/**
 * The backward graph placed on the forward one: each node at the height of its twin, each next_functions line against
 * the data line it belongs to. Nothing here is laid out, so nothing can be slow or move.
 * @typedef {import("./sheet.js").Sheet} Sheet
 * @typedef {import("./ends.js").Stroke} Stroke
 * @typedef {import("./curve.js").Point} Point
 * @typedef {"twins" | "badges"} Mode
 */
import { simplify } from "./curve.js";
import { bottom, centre, drawn, right, spreadEnds, spreadStarts, top } from "./ends.js";
import { countOf, firstPill, groupPill } from "./sheet.js";

/** Vertical room between two nodes made by one op. */
const STACK = 6;
/** And between two badges. */
const STACKED_BADGES = 2;
/** How far a badge lies over its box. */
const LAP = 8;
/** Length of the bridge between the two halves, in pixels. */
const DIVIDE = 96;

/**
 * The pills each box carries, by the box that is shown; a folded group carries one for all nodes in it.
 * @param {Sheet} sheet
 * @param {Int32Array} shownAs  of items and groups
 * @param {Int32Array} shownPill  of everything; what stands for a pill is put in
 */
export function pillsByBox(sheet, shownAs, shownPill) {
  /** @type {Map<number, number[]>} */
  const byBox = new Map();
  const first = firstPill(sheet);
  sheet.twin.forEach((twin, at) => {
    if (twin < 0) return;
    const box = shownAs[twin];
    const folded = box >= sheet.items;
    const pill = folded ? groupPill(sheet, box) : first + at;
    shownPill[first + at] = pill;
    const list = byBox.get(box);
    if (!list) byBox.set(box, [pill]);
    else if (!folded) list.push(pill);
  });
  return byBox;
}

/**
 * Room each box needs in the forward layout so that its twins never overlap: width and height of every item and group.
 * @param {Sheet} sheet @param {Map<number, number[]>} byBox @param {Mode} mode
 */
export function slotsOf(sheet, byBox, mode) {
  const slots = sheet.size.slice(0, 2 * (sheet.items + sheet.groups));
  const badges = mode === "badges";
  const [of, gap] = badges ? [sheet.badge, STACKED_BADGES] : [sheet.size, STACK];
  for (const [box, pills] of byBox) {
    let [width, height] = [0, -gap];
    for (const pill of pills) {
      width = Math.max(width, of[2 * pill]);
      height += of[2 * pill + 1] + gap;
    }
    slots[2 * box] = badges ? slots[2 * box] + 2 * (width - LAP) : Math.max(slots[2 * box], width);
    slots[2 * box + 1] = Math.max(slots[2 * box + 1], height);
  }
  return slots;
}

/**
 * @param {Sheet} sheet
 * @param {Map<number, number[]>} byBox
 * @param {Float64Array} rects  of the boxes; those of the pills are put in
 * @param {number} axis  x of the mirror, used with twins
 * @param {Mode} mode
 */
export function placePills(sheet, byBox, rects, axis, mode) {
  const badges = mode === "badges";
  const [of, gap] = badges ? [sheet.badge, STACKED_BADGES] : [sheet.size, STACK];
  for (const [box, pills] of byBox) {
    const middle = centre(rects, box);
    let y = middle.y - pills.reduce((sum, pill) => sum + of[2 * pill + 1] + gap, -gap) / 2;
    for (const pill of pills) {
      const [width, height] = [of[2 * pill], of[2 * pill + 1]];
      const x = badges ? rects[4 * box] + rects[4 * box + 2] - LAP : 2 * axis - middle.x - width / 2;
      rects.set([x, y, width, height], 4 * pill);
      y += height + gap;
    }
  }
}

/** x of the mirror for a forward graph of a given width. @param {number} width */
export const axisOf = (width) => width + DIVIDE / 2;

/**
 * All lines that end at a pill.
 * @param {Sheet} sheet
 * @param {Float64Array} rects
 * @param {{ data: Stroke[], shown: Int32Array, axis: number, mode: Mode }} context  `shown`: what stands for each box
 *   and each pill
 * @returns {Stroke[]}
 */
export function backwardLines(sheet, rects, { data, shown, axis, mode }) {
  const flip = (/** @type {Point} */ point) => (mode === "badges" ? point : { x: 2 * axis - point.x, y: point.y });
  const count = countOf(sheet);
  /** @type {Array<Stroke | undefined>} by data edge */
  const lineOf = new Array(sheet.data.length / 2).fill(undefined);
  /** @type {Array<Stroke | undefined>} data line into each box */
  const into = new Array(count).fill(undefined);
  for (const line of data) {
    into[line.to] = line;
    for (const member of line.members) lineOf[member] = line;
  }
  /** @type {Map<number, Stroke>} */
  const found = new Map();
  const { nexts } = sheet;
  for (let at = 0; 3 * at < nexts.length; at += 1) {
    const ends = endsOf(nexts, 3 * at, shown, rects);
    if (!ends || ends.from === ends.to) continue;
    const key = ends.from * count + ends.to;
    const other = found.get(key);
    // Two edges between one pair of nodes are two lines only when their tensors stand apart.
    if (other) {
      other.members.push(at);
      continue;
    }
    const via = nexts[3 * at + 2] < 0 ? undefined : lineOf[nexts[3 * at + 2]];
    found.set(key, { kind: "next", bend: "upright", ...ends, members: [at], points: against(via, into, rects, { ...ends, flip, mode }) });
  }
  const lines = [...found.values()];
  if (mode === "twins") {
    spreadEnds(lines, rects);
    spreadStarts(lines, rects);
  }
  seedLines(sheet, rects, { lines, shown, into, mode });
  bridges(sheet, rects, { lines, shown });
  return lines;
}

/** Both ends of an edge as they are drawn. @param {Int32Array} edges @param {number} at @param {Int32Array} shown @param {Float64Array} rects */
function endsOf(edges, at, shown, rects) {
  const [from, to] = [edges[at] < 0 ? -1 : shown[edges[at]], edges[at + 1] < 0 ? -1 : shown[edges[at + 1]]];
  return drawn(rects, from) && drawn(rects, to) ? { from, to } : null;
}

/**
 * From a node back along the data that reached its op, to the node that made that data.
 * @param {Stroke | undefined} via
 * @param {Array<Stroke | undefined>} into
 * @param {Float64Array} rects
 * @param {{ from: number, to: number, flip: (point: Point) => Point, mode: Mode }} context
 */
function against(via, into, rects, { from, to, flip, mode }) {
  const ends = [top(rects, from), bottom(rects, to)];
  if (!via) return ends;
  const made = into[via.from];
  const back = via.points.toReversed();
  const path = made ? [...back.slice(0, -1), centre(rects, via.from), ...made.points.toReversed().slice(1)] : back;
  const inner = path.map(flip).slice(1, -1);
  if (mode === "badges") return [flip(path[0]), ...inner, flip(path[path.length - 1])];
  return simplify([ends[0], ...inner.filter((point) => point.y < ends[0].y && point.y > ends[1].y), ends[1]]);
}

/**
 * @param {Sheet} sheet @param {Float64Array} rects
 * @param {{ lines: Stroke[], shown: Int32Array, into: Array<Stroke | undefined>, mode: Mode }} context
 */
function seedLines({ seeds }, rects, { lines, shown, into, mode }) {
  for (let at = 0; 2 * at < seeds.length; at += 1) {
    const ends = endsOf(seeds, 2 * at, shown, rects);
    if (!ends) continue;
    const along = mode === "badges" ? into[ends.from] : undefined;
    const points = along ? along.points.toReversed() : [right(rects, ends.from), bottom(rects, ends.to)];
    lines.push({ kind: "seed", bend: along ? "upright" : "corner", ...ends, members: [at], points });
  }
}

/** @param {Sheet} sheet @param {Float64Array} rects @param {{ lines: Stroke[], shown: Int32Array }} context */
function bridges({ saved }, rects, { lines, shown }) {
  for (let at = 0; 4 * at < saved.length; at += 1) {
    const ends = endsOf(saved, 4 * at, shown, rects);
    if (!ends) continue;
    const pill = 4 * ends.to;
    const y = rects[pill + 1] + (rects[pill + 3] * (saved[4 * at + 2] + 1)) / (saved[4 * at + 3] + 1);
    lines.push({ kind: "saved", bend: "sideways", ...ends, members: [at], points: [right(rects, ends.from), { x: rects[pill], y }] });
  }
}
