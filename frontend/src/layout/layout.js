/**
 * Plan to places. A pure function; the worker is a shell around it.
 * @typedef {import("./types.js").Plan} Plan
 * @typedef {import("./types.js").Placed} Placed
 * @typedef {import("./types.js").Rect} Rect
 * @typedef {import("./types.js").Line} Line
 */
import { simplify } from "./curve.js";
import { bottom, spreadEnds, top } from "./ends.js";
import { fold } from "./fold.js";
import { placeForward } from "./forward.js";
import { axisOf, backwardLines, pillsByBox, placePills, slotSize } from "./mirror.js";

/** More boxes than this are not drawn twice. */
const TWIN_LIMIT = 140;
/** Below this zoom a graph that fits its room cannot be read; `FRAME` pixels of the room are taken by what floats. */
const READABLE = 0.45;
const FRAME = 80;

/**
 * @param {Plan} plan
 * @param {(part: number) => void} [report]  told how much of it is done, from 0 to 1
 * @returns {Placed}
 */
export function layoutPlan(plan, report) {
  const folded = fold(plan);
  if (plan.mode !== "auto") return layoutAs(plan, folded, plan.mode, report);
  const count = new Set(folded.shownAs.values()).size;
  if (count > TWIN_LIMIT) return layoutAs(plan, folded, "badges", report);
  const twins = layoutAs(plan, folded, "twins", report);
  return twins.bounds.width * READABLE > plan.room - FRAME ? layoutAs(plan, folded, "badges", report) : twins;
}

/**
 * @param {Plan} plan @param {import("./fold.js").Folded} folded @param {"twins" | "badges"} mode
 * @param {(part: number) => void} [report]
 * @returns {Placed}
 */
function layoutAs(plan, folded, mode, report) {
  const { byBox, hidden } = pillsByBox(plan, folded.shownAs);
  const own = new Map([...plan.items, ...plan.groups].map(({ key, size }) => [key, size]));
  const shownBoxes = new Set([...folded.children.values()].flat());
  const sizes = new Map(
    [...shownBoxes].map((key) => [
      key,
      slotSize(/** @type {import("./types.js").Size} */ (own.get(key)), byBox.get(key) ?? [], mode),
    ]),
  );
  const least = new Map(plan.groups.map((group) => [group.key, group.size.width]));
  const forward = placeForward(folded, sizes, { least, stacked: plan.groups.some((group) => group.lap), report });
  /** @type {Record<string, Rect>} */
  const rects = {};
  for (const [key, slot] of forward.slots) {
    const size = folded.open.has(key) ? slot : /** @type {import("./types.js").Size} */ (own.get(key));
    rects[key] = {
      x: slot.x + (slot.width - size.width) / 2,
      y: slot.y + (slot.height - size.height) / 2,
      width: size.width,
      height: size.height,
    };
  }
  const axis = mode === "twins" ? axisOf(forward.size.width) : 0;
  placePills(byBox, rects, axis, mode);
  const shown = (/** @type {string} */ key) => hidden[key] ?? folded.shownAs.get(key) ?? key;
  const data = dataLines(folded, forward, rects);
  const lines = [...data, ...backwardLines(plan, rects, { data, shown, axis, mode })];
  return {
    rects,
    lines,
    mode,
    axis,
    counts: forward.counts,
    bounds: boundsOf(rects),
    shownAs: { ...Object.fromEntries([...folded.shownAs].filter(([key, box]) => key !== box)), ...hidden },
    open: plan.groups.filter(({ key }) => folded.open.has(key) && rects[key]).map(({ key }) => key),
  };
}

/**
 * @param {import("./fold.js").Folded} folded
 * @param {ReturnType<typeof placeForward>} forward
 * @param {Record<string, Rect>} rects
 * @returns {Line[]}
 */
function dataLines(folded, forward, rects) {
  const lines = [...folded.edges].map(([key, { from, to, members }]) => ({
    key,
    kind: /** @type {const} */ ("data"),
    bend: /** @type {const} */ ("upright"),
    from,
    to,
    members,
    points: simplify([bottom(rects[from]), ...forward.route(from, to), top(rects[to])]),
  }));
  spreadEnds(lines, rects);
  return lines;
}

/** @param {Record<string, Rect>} rects @returns {Rect} */
function boundsOf(rects) {
  let [left, above, past, below] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const rect of Object.values(rects)) {
    left = Math.min(left, rect.x);
    above = Math.min(above, rect.y);
    past = Math.max(past, rect.x + rect.width);
    below = Math.max(below, rect.y + rect.height);
  }
  return Number.isFinite(left)
    ? { x: left, y: above, width: past - left, height: below - above }
    : { x: 0, y: 0, width: 0, height: 0 };
}
