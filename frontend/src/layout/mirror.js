/**
 * The backward graph placed on the forward one: each node at the height of its twin, each next_functions line against
 * the data line it belongs to. Nothing here is laid out, so nothing can be slow or move.
 * @typedef {import("./types.js").Plan} Plan
 * @typedef {import("./types.js").Placed} Placed
 * @typedef {import("./types.js").Rect} Rect
 * @typedef {import("./types.js").Line} Line
 * @typedef {import("./types.js").Size} Size
 * @typedef {import("./curve.js").Point} Point
 */
import { simplify } from "./curve.js";
import { bottom, centre, right, spreadEnds, spreadStarts, top } from "./ends.js";

/** Vertical room between two nodes made by one op. */
const STACK = 6;
/** How far a badge lies over its box. */
const LAP = 8;
/** Length of the bridge between the two halves, in pixels. */
const DIVIDE = 96;

/** Key of the pill that stands for the backward nodes of a collapsed group. @param {string} group */
export const groupPill = (group) => `${group}|b`;

/**
 * The pill each box carries, by the box that is shown.
 * @param {Plan} plan
 * @param {Map<string, string>} shownAs
 */
export function pillsByBox(plan, shownAs) {
  /** @type {Map<string, Array<{ key: string, size: Size, badge: Size }>>} */
  const byBox = new Map();
  /** @type {Record<string, string>} */
  const hidden = {};
  const groups = new Map(plan.groups.map((group) => [group.key, group]));
  for (const pill of plan.pills) {
    const box = pill.twin === null ? undefined : shownAs.get(pill.twin);
    if (box === undefined) continue;
    const group = groups.get(box);
    const key = group ? groupPill(box) : pill.key;
    if (group) hidden[pill.key] = key;
    const list = byBox.get(box) ?? [];
    if (!list.some((each) => each.key === key))
      list.push({ key, size: group ? group.pill : pill.size, badge: group ? { width: 34, height: 20 } : pill.badge });
    byBox.set(box, list);
  }
  return { byBox, hidden };
}

/**
 * Room a box needs in the forward layout so that its twins never overlap.
 * @param {Size} own @param {Array<{ size: Size, badge: Size }>} pills @param {"twins" | "badges"} mode
 */
export function slotSize(own, pills, mode) {
  if (pills.length === 0) return own;
  if (mode === "badges")
    return {
      width: own.width + 2 * (Math.max(...pills.map(({ badge }) => badge.width)) - LAP),
      height: Math.max(
        own.height,
        pills.reduce((sum, { badge }) => sum + badge.height + 2, -2),
      ),
    };
  return {
    width: Math.max(own.width, ...pills.map(({ size }) => size.width)),
    height: Math.max(
      own.height,
      pills.reduce((sum, { size }) => sum + size.height + STACK, -STACK),
    ),
  };
}

/**
 * Rectangles of all pills.
 * @param {Map<string, Array<{ key: string, size: Size, badge: Size }>>} byBox
 * @param {Record<string, Rect>} rects  of the boxes; pills are added
 * @param {number} axis  x of the mirror, used with twins
 * @param {"twins" | "badges"} mode
 */
export function placePills(byBox, rects, axis, mode) {
  for (const [box, pills] of byBox) {
    const twin = rects[box];
    const middle = centre(twin);
    const sizes = pills.map((pill) => (mode === "badges" ? pill.badge : pill.size));
    const gap = mode === "badges" ? 2 : STACK;
    let y = middle.y - sizes.reduce((sum, size) => sum + size.height + gap, -gap) / 2;
    pills.forEach(({ key }, at) => {
      const size = sizes[at];
      const x = mode === "badges" ? twin.x + twin.width - LAP : 2 * axis - middle.x - size.width / 2;
      rects[key] = { x, y, ...size };
      y += size.height + gap;
    });
  }
}

/** x of the mirror for a forward graph of a given width. @param {number} width */
export const axisOf = (width) => width + DIVIDE / 2;

/**
 * All lines that end at a pill.
 * @param {Plan} plan
 * @param {Record<string, Rect>} rects
 * @param {{ data: Line[], shown: (key: string) => string, axis: number, mode: "twins" | "badges" }} context
 * @returns {Line[]}
 */
export function backwardLines(plan, rects, { data, shown, axis, mode }) {
  const flip = (/** @type {Point} */ point) => (mode === "badges" ? point : { x: 2 * axis - point.x, y: point.y });
  const lineOf = new Map(data.flatMap((line) => line.members.map((member) => [member, line])));
  /** @type {Map<string, Line>} data line into each tensor box */
  const into = new Map(data.map((line) => [line.to, line]));
  /** @type {Map<string, Line>} */
  const drawn = new Map();
  for (const edge of plan.nexts) {
    const from = shown(edge.from);
    const to = shown(edge.to);
    if (from === to || !rects[from] || !rects[to]) continue;
    const found = drawn.get(`${from}>${to}`);
    // Two edges between one pair of nodes are two lines only when their tensors stand apart.
    if (found) {
      found.members.push(edge.key);
      continue;
    }
    const via = edge.via === null ? undefined : lineOf.get(edge.via);
    drawn.set(`${from}>${to}`, {
      key: `${from}>${to}`,
      kind: "next",
      bend: "upright",
      from,
      to,
      members: [edge.key],
      points: against(via, into, rects, { from, to, flip, mode }),
    });
  }
  const nexts = [...drawn.values()];
  if (mode === "twins") {
    spreadEnds(nexts, rects);
    spreadStarts(nexts, rects);
  }
  return [
    ...nexts,
    ...plan.seeds.flatMap((edge) => seedLine(edge, rects, shown, into, mode)),
    ...bridges(plan, rects, shown),
  ];
}

/**
 * From a node back along the data that reached its op, to the node that made that data.
 * @param {Line | undefined} via
 * @param {Map<string, Line>} into
 * @param {Record<string, Rect>} rects
 * @param {{ from: string, to: string, flip: (point: Point) => Point, mode: "twins" | "badges" }} context
 */
function against(via, into, rects, { from, to, flip, mode }) {
  const ends = [top(rects[from]), bottom(rects[to])];
  if (!via) return ends;
  const made = into.get(via.from);
  const tensor = rects[via.from];
  const back = via.points.toReversed();
  const path = made && tensor ? [...back.slice(0, -1), centre(tensor), ...made.points.toReversed().slice(1)] : back;
  const inner = path.map(flip).slice(1, -1);
  if (mode === "badges") return [flip(path[0]), ...inner, flip(path[path.length - 1])];
  return simplify([ends[0], ...inner.filter((point) => point.y < ends[0].y && point.y > ends[1].y), ends[1]]);
}

/**
 * @param {Plan["seeds"][number]} edge @param {Record<string, Rect>} rects @param {(key: string) => string} shown
 * @param {Map<string, Line>} into @param {"twins" | "badges"} mode
 * @returns {Line[]}
 */
function seedLine(edge, rects, shown, into, mode) {
  const from = shown(edge.from);
  const to = shown(edge.to);
  if (!rects[from] || !rects[to]) return [];
  const made = into.get(from);
  const along = mode === "badges" && made;
  const points = along ? made.points.toReversed() : [right(rects[from]), bottom(rects[to])];
  return [{ key: edge.key, kind: "seed", bend: along ? "upright" : "corner", from, to, members: [edge.key], points }];
}

/** @param {Plan} plan @param {Record<string, Rect>} rects @param {(key: string) => string} shown @returns {Line[]} */
function bridges(plan, rects, shown) {
  return plan.saved.flatMap((edge) => {
    const from = shown(edge.from);
    const to = shown(edge.to);
    if (!rects[from] || !rects[to]) return [];
    const pill = rects[to];
    const y = pill.y + (pill.height * (edge.slot + 1)) / (edge.slots + 1);
    return [
      {
        key: edge.key,
        kind: /** @type {const} */ ("saved"),
        bend: /** @type {const} */ ("sideways"),
        from,
        to,
        members: [edge.key],
        points: [right(rects[from]), { x: pill.x, y }],
      },
    ];
  });
}
