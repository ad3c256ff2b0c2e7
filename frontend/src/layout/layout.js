/**
 * Plan to places. A pure function; the worker is a shell around the part of it that takes long.
 * @typedef {import("./types.js").Plan} Plan
 * @typedef {import("./types.js").Placed} Placed
 * @typedef {import("./sheet.js").Sheet} Sheet
 * @typedef {import("./sheet.js").Places} Places
 * @typedef {import("./ends.js").Stroke} Stroke
 */
import { simplify } from "./curve.js";
import { bottom, spreadEnds, top } from "./ends.js";
import { fold } from "./fold.js";
import { placeForward } from "./forward.js";
import { axisOf, backwardLines, pillsByBox, placePills, slotsOf } from "./mirror.js";
import { BENDS, countOf, KINDS, placedOf, rootOf, sheetOf } from "./sheet.js";

/** More boxes than this are not drawn twice. */
const TWIN_LIMIT = 140;
/** Below this zoom a graph that fits its room cannot be read; `FRAME` pixels of the room are taken by what floats. */
const READABLE = 0.45;
const FRAME = 80;

/** @param {Plan} plan @param {(part: number) => void} [report]  see `layoutSheet` @returns {Placed} */
export const layoutPlan = (plan, report) => placedOf(plan, layoutSheet(sheetOf(plan), report));

/**
 * @param {Sheet} sheet
 * @param {(part: number) => void} [report]  told how much of it is done, from 0 to 1
 * @returns {Places}
 */
export function layoutSheet(sheet, report) {
  const folded = fold(sheet);
  if (sheet.mode !== "auto") return layoutAs(sheet, folded, sheet.mode, report);
  const boxes = folded.children.flatMap((list) => list?.filter((child) => !folded.open[child]) ?? []);
  if (boxes.length > TWIN_LIMIT) return layoutAs(sheet, folded, "badges", report);
  const twins = layoutAs(sheet, folded, "twins", report);
  return widthOf(twins.rects) * READABLE > sheet.room - FRAME ? layoutAs(sheet, folded, "badges", report) : twins;
}

/**
 * @param {Sheet} sheet @param {import("./fold.js").Folded} folded @param {Places["mode"]} mode
 * @param {(part: number) => void} [report]
 * @returns {Places}
 */
function layoutAs(sheet, folded, mode, report) {
  const root = rootOf(sheet);
  const shown = Int32Array.from({ length: countOf(sheet) }, (_, at) => (at < root ? folded.shownAs[at] : at));
  const byBox = pillsByBox(sheet, folded.shownAs, shown);
  const slots = slotsOf(sheet, byBox, mode);
  const forward = placeForward(folded, slots, { least: sheet.size, stacked: sheet.stacked, report });
  const rects = new Float64Array(4 * countOf(sheet)).fill(NaN);
  for (let box = 0; box < root; box += 1) {
    const [x, y, width, height] = forward.rects.subarray(4 * box, 4 * box + 4);
    const [wide, high] = folded.open[box] ? [width, height] : [sheet.size[2 * box], sheet.size[2 * box + 1]];
    if (!Number.isNaN(x)) rects.set([x + (width - wide) / 2, y + (height - high) / 2, wide, high], 4 * box);
  }
  const axis = mode === "twins" ? axisOf(forward.size.width) : 0;
  placePills(sheet, byBox, rects, axis, mode);
  const data = dataLines(folded, forward, rects);
  const lines = [...data, ...backwardLines(sheet, rects, { data, shown, axis, mode })];
  const open = [];
  for (let group = sheet.items; group < root; group += 1)
    if (folded.open[group] && !Number.isNaN(rects[4 * group])) open.push(group);
  return { rects, ...flat(lines), shownAs: shown, open, mode, axis, counts: forward.counts };
}

/**
 * @param {import("./fold.js").Folded} folded
 * @param {ReturnType<typeof placeForward>} forward
 * @param {Float64Array} rects
 * @returns {Stroke[]}
 */
function dataLines({ links }, forward, rects) {
  const lines = links.map(({ from, to, members }, at) => ({
    kind: /** @type {const} */ ("data"),
    bend: /** @type {const} */ ("upright"),
    from,
    to,
    members,
    points: simplify([bottom(rects, from), ...forward.route(at), top(rects, to)]),
  }));
  spreadEnds(lines, rects);
  return lines;
}

/** Lines in a few long rows of numbers. @param {Stroke[]} lines */
function flat(lines) {
  const ends = new Int32Array(2 * lines.length);
  const memberEnds = new Int32Array(lines.length);
  const pointEnds = new Int32Array(lines.length);
  let [members, points] = [0, 0];
  lines.forEach((line, at) => {
    ends[2 * at] = line.from;
    ends[2 * at + 1] = line.to;
    memberEnds[at] = members += line.members.length;
    pointEnds[at] = points += line.points.length;
  });
  const flatMembers = new Int32Array(members);
  const flatPoints = new Float64Array(2 * points);
  [members, points] = [0, 0];
  for (const line of lines) {
    for (const member of line.members) flatMembers[members++] = member;
    for (const { x, y } of line.points) {
      flatPoints[points++] = x;
      flatPoints[points++] = y;
    }
  }
  return {
    kinds: Uint8Array.from(lines, ({ kind }) => KINDS.indexOf(kind)),
    bends: Uint8Array.from(lines, ({ bend }) => BENDS.indexOf(bend)),
    ends,
    members: flatMembers,
    memberEnds,
    points: flatPoints,
    pointEnds,
  };
}

/** @param {Float64Array} rects */
function widthOf(rects) {
  let [left, past] = [Infinity, -Infinity];
  for (let at = 0; at < rects.length; at += 4) {
    if (Number.isNaN(rects[at])) continue;
    left = Math.min(left, rects[at]);
    past = Math.max(past, rects[at] + rects[at + 2]);
  }
  return past - left;
}
