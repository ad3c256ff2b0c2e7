/**
 * Scene to plan: how large each box must be, given a way to measure text.
 * @typedef {import("../scene/types.js").Scene} Scene
 * @typedef {import("../scene/types.js").Item} Item
 * @typedef {import("../scene/types.js").Pill} Pill
 * @typedef {import("../scene/labels.js").Words} Words
 * @typedef {import("./types.js").Plan} Plan
 * @typedef {import("./types.js").Size} Size
 * @typedef {"title" | "text" | "small"} Face
 * @typedef {(text: string, face: Face) => number} Measure  width in pixels at zoom 1
 */
import { badgeTexts, gradTexts, groupTitle, opTitle, tagOf, tensorTexts } from "../scene/labels.js";

export const WIDEST = 190;
/** Every mean and spread gets the room of this one, whatever its digits. */
const SPREAD = "-0.00000 ± 0.0000";
/** Widths come in steps, so that two calls of one module whose numbers differ in a digit still have one shape. */
const STEP = 16;

/** @param {number} width */
const even = (width) => Math.ceil(width / STEP) * STEP;

/** Width of one bar of a heat strip, and of the gap after it. */
export const BAR = { width: 5, gap: 1, height: 14 };

/**
 * @param {Scene} scene
 * @param {{ measure: Measure, words: Words, collapsed: Iterable<string>, mode: Plan["mode"], room: number }} options
 * @returns {Plan}
 */
export function planOf(scene, { measure, words, collapsed, mode, room }) {
  const slots = new Map(scene.pills.map((pill) => [pill.key, pill.slots.length]));
  return {
    items: scene.items.map((item) => ({
      key: item.key,
      group: item.group,
      size: item.kind === "op" ? opSize(item, measure, words) : tensorSize(scene, item, measure, words),
    })),
    pills: scene.pills.map((pill) => ({
      key: pill.key,
      twin: pill.twin,
      size: pillSize(scene, pill, measure),
      badge: badgeSize(scene, pill, measure),
    })),
    data: scene.data.map(({ key, from, to }) => ({ key, from, to })),
    nexts: scene.nexts.map(({ key, from, to, via }) => ({ key, from, to, via })),
    seeds: scene.seeds.map(({ key, from, to }) => ({ key, from, to })),
    saved: scene.saved.map(({ key, from, to, slot }) => ({ key, from, to, slot, slots: slots.get(to) ?? 1 })),
    groups: scene.groups.map((group) => {
      const title = groupTitle(group, words);
      const width = even(Math.max(measure(title, "title"), measure(group.module, "small")) + 48);
      return {
        key: group.key,
        parent: group.parent,
        lap: group.module === "",
        size: { width: Math.max(width, 92), height: 48 },
        pill: { width: Math.max(width, 92), height: 40 },
      };
    }),
    collapsed: [...collapsed],
    mode,
    room,
  };
}

/** @param {Item} item @param {Measure} measure @param {Words} words @returns {Size} */
function opSize(item, measure, words) {
  const chips = item.chips.reduce((sum, chip) => sum + chipWidth(chip.text, measure) + 6, 0);
  const tag = tagOf(item, words);
  return {
    width: Math.max(measure(opTitle(item), "title") + chips, measure(tag, "small"), 34) + 28,
    height: tag ? 44 : 36,
  };
}

/** @param {string} text @param {Measure} measure */
export const chipWidth = (text, measure) => measure(text, "small") + 12;

/** @param {Scene} scene @param {Item} item @param {Measure} measure @param {Words} words @returns {Size} */
function tensorSize(scene, item, measure, words) {
  const { metas, bodies, bars } = tensorTexts(scene, item, words);
  const width = Math.max(
    measure(item.title, "title"),
    ...metas.map((text) => measure(text, "text")),
    bodies.some(Boolean) ? measure(SPREAD, "text") : 0,
    bars * (BAR.width + BAR.gap),
  );
  const third = bars > 0 || bodies.some(Boolean);
  const untitled = item.title ? 0 : 17;
  return { width: even(Math.max(76, Math.min(width, WIDEST) + 24)), height: (third ? 64 : 48) - untitled };
}

/** @param {Scene} scene @param {Pill} pill @param {Measure} measure @returns {Size} */
function pillSize(scene, pill, measure) {
  const width = Math.max(
    measure(pill.title, pill.leaf === null ? "title" : "small"),
    ...gradTexts(scene, pill).map((text) => measure(text, "text")),
  );
  return { width: even(Math.min(width, WIDEST + 20) + 30), height: 42 };
}

/** @param {Scene} scene @param {Pill} pill @param {Measure} measure @returns {Size} */
function badgeSize(scene, pill, measure) {
  const texts = badgeTexts(scene, pill);
  return { width: even(Math.max(12, ...texts.map((text) => measure(text, "small"))) + 28), height: 20 };
}

/**
 * What to fold at first: nothing while the graph is small, else equal blocks into one, then whole levels of module
 * calls, innermost first, then laps, last first.
 * @param {Scene} scene
 * @param {number} limit  boxes
 * @param {number} [lap]  the turn of the loop that stays open
 * @returns {Set<string>}
 */
export function foldAtFirst(scene, limit, lap = 0) {
  /** @type {Set<string>} */
  const collapsed = new Set();
  if (boxesShown(scene, collapsed) > limit) {
    for (const group of scene.groups) for (const key of group.blocks ? [group.key, ...group.blocks] : []) collapsed.add(key);
  }
  const depths = new Map(scene.groups.map((group) => [group.key, depth(scene, group.key)]));
  for (let level = Math.max(0, ...depths.values()); level > 0; level -= 1) {
    if (boxesShown(scene, collapsed) <= limit) return collapsed;
    for (const [key, at] of depths) if (at === level) collapsed.add(key);
  }
  // One of the outermost groups stays open: folded boxes alone would say nothing.
  const whole = scene.groups.filter((group) => group.parent === null);
  const kept = whole.find((group) => group.key === `lap${lap}`) ?? whole[0];
  const outermost = whole.filter((group) => group !== kept).reverse();
  for (const group of outermost) {
    if (boxesShown(scene, collapsed) <= limit) break;
    collapsed.add(group.key);
  }
  return collapsed;
}

/** @param {Scene} scene @param {Set<string>} collapsed */
function boxesShown(scene, collapsed) {
  const parents = new Map(scene.groups.map((group) => [group.key, group.parent]));
  /** @type {Map<string | null, string | null>} group -> outermost folded group around it */
  const cover = new Map([[null, null]]);
  /** @param {string | null} key @returns {string | null} */
  const coverOf = (key) => {
    const known = cover.get(key);
    if (known !== undefined) return known;
    const found =
      coverOf(parents.get(/** @type {string} */ (key)) ?? null) ??
      (collapsed.has(/** @type {string} */ (key)) ? key : null);
    cover.set(key, found);
    return found;
  };
  return new Set(scene.items.map((item) => coverOf(item.group) ?? item.key)).size;
}

/** @param {Scene} scene @param {string} key */
function depth(scene, key) {
  let steps = 0;
  for (let at = scene.groupOf.get(key)?.parent ?? null; at !== null; at = scene.groupOf.get(at)?.parent ?? null)
    steps += 1;
  return steps;
}
