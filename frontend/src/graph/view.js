/**
 * The state of one graph on the page that is nobody else's business: where the camera is, what is folded, how the
 * backward nodes are drawn. Everything derived from it and from the store is computed.
 * @typedef {import("./camera.js").Camera} Camera
 * @typedef {import("../layout/types.js").Placed} Placed
 * @typedef {import("../layout/types.js").Rect} Rect
 * @typedef {import("../scene/types.js").Scene} Scene
 */
import { computed, signal } from "@preact/signals";
import * as store from "../store.js";
import { t } from "../i18n/translate.js";
import { oddIn } from "../model/odd.js";
import { buildScene } from "../scene/scene.js";
import { itemValue, momentOf, pillGrad, pillReceived } from "../scene/state.js";
import { pathsBetween } from "../scene/paths.js";
import { relativesOf } from "../scene/relatives.js";
import { keysOf, keysOfLine } from "../scene/things.js";
import { tintsAt } from "../scene/tint.js";
import { detailAt, mix, seen } from "./camera.js";
import { mover } from "./motion.js";
import { SPARE } from "./plate.js";
import { visibleIn } from "./sight.js";

/** Sides of the tiles by which the visible part is rounded, in world units at zoom 1. */
const TILE = 320;

/** @typedef {ReturnType<typeof createView>} View */
/** @template T @typedef {import("@preact/signals").ReadonlySignal<T>} Read */

/**
 * What a graph is drawn from; for the graph of the page it is the store.
 * @typedef {object} Source
 * @property {Read<import("../model/index.js").Index | null>} index
 * @property {Read<number>} step
 * @property {import("@preact/signals").Signal<import("../store.js").Thing | null>} selection
 * @property {import("@preact/signals").Signal<import("../store.js").Thing | null>} hovered
 * @property {Read<number | null>} hoveredLine
 * @property {Read<import("../store.js").Thing | null>} pathTo
 * @property {Read<"all" | "before" | "after">} relation
 * @property {Read<import("../scene/tint.js").Paint>} paint
 * @property {import("@preact/signals").Signal<"auto" | "twins" | "badges">} drawing
 * @property {(scene: Scene) => import("../scene/tint.js").Tints | null} [tints]  colours instead of those of `paint`
 */

/** @param {Source} [source] */
export function createView(source = store) {
  const { index, step, selection, hovered, hoveredLine, pathTo, relation, paint, drawing } = source;
  const camera = signal(/** @type {Camera} */ ({ x: 0, y: 0, k: 1 }));
  const size = signal({ width: 0, height: 0 });
  const over = signal({ top: 0, right: 0, bottom: 0 });
  const drawn = signal(/** @type {{ scene: Scene, placed: Placed } | null} */ (null));
  const progress = signal(1);
  const scene = computed(() => (index.value ? buildScene(index.value) : null));
  const ready = computed(() => size.value.width > 0);
  const detail = computed(() => detailAt(camera.value.k));

  const moment = computed(() => (drawn.value ? momentOf(drawn.value.scene, step.value) : null));
  // As one text, so that panning within a tile changes nothing downstream.
  const tile = computed(() => {
    const window = beyond(seen(camera.value, size.value), SPARE / camera.value.k);
    const side = TILE / Math.min(camera.value.k, 1);
    const x = Math.floor(window.x / side) * side;
    const y = Math.floor(window.y / side) * side;
    return [
      x,
      y,
      Math.ceil((window.x + window.width) / side) * side - x,
      Math.ceil((window.y + window.height) / side) * side - y,
    ]
      .map(Math.round)
      .join(" ");
  });
  const visible = computed(() => (drawn.value ? visibleIn(drawn.value.placed, rectOf(tile.value)) : null));

  /** Keys to draw as selected, and what is related to them; null when nothing is selected. */
  const related = computed(() => {
    const keys = drawn.value ? keysOf(drawn.value.scene, selection.value) : [];
    if (!drawn.value || keys.length === 0) return null;
    const goal = keysOf(drawn.value.scene, pathTo.value);
    const paths = goal.length > 0 ? pathsBetween(drawn.value.scene, keys, goal) : null;
    const around = paths ? paths.keys : relativesOf(drawn.value.scene, keys, relation.value);
    const shown = (/** @type {Iterable<string>} */ all) =>
      new Set([...all].map((key) => drawn.value?.placed.shownAs[key] ?? key));
    return { selected: shown([...keys, ...goal]), around: shown(around), paths: paths?.count ?? null };
  });
  const tints = computed(() => {
    if (!drawn.value) return null;
    if (source.tints) return source.tints(drawn.value.scene);
    return tintsAt(drawn.value.scene, step.value, paint.value, { yes: t("tint.needs"), no: t("tint.needsNot") });
  });
  /** What a box shows of NaN and infinities at this step. @param {string} key @returns {import("../model/odd.js").Odd | null} */
  const oddOf = (key) => {
    const now = moment.value;
    const item = now?.scene.itemOf.get(key);
    if (now && item) return oddIn(itemValue(now, item));
    const pill = now?.scene.pillOf.get(key);
    if (!now || !pill) return null;
    const grad = pillGrad(now, pill) ?? pillReceived(now, pill);
    return typeof grad === "string" ? null : oddIn(grad);
  };
  const lit = computed(() => {
    if (!drawn.value) return new Set();
    return new Set([...keysOf(drawn.value.scene, hovered.value), ...keysOfLine(drawn.value.scene, hoveredLine.value)]);
  });

  return {
    source,
    step,
    selection,
    camera,
    size,
    /** How much of the stage is covered by what lies over its edges; see bars.js. */
    over,
    ready,
    drawn,
    progress,
    scene,
    detail,
    moment,
    visible,
    related,
    lit,
    tints,
    oddOf,
    collapsed: signal(/** @type {Set<string>} */ (new Set())),
    mode: drawing,
    follow: signal(true),
    outline: signal(false),
    /** How much of a layout that takes long is done, from 0 to 1; null while none does. */
    busy: signal(/** @type {number | null} */ (null)),
    /** Ends the layout under way, and goes back to the folds of the picture that is shown. */
    giveUp: { current: () => {} },
    /** Whether the camera was moved by hand since it was last placed. */
    touched: signal(false),
    /** What was last told to the address of what is folded. */
    toldFolds: { current: /** @type {string | null} */ (null) },
    /** Where the camera is to look once the graph is laid out. */
    wanted: { current: /** @type {import("../store.js").Place | null} */ (null) },
    look: mover(camera, mix),
    play: mover(progress, (from, to, t) => from + (to - from) * t),
  };
}

/** @param {Rect} rect @param {number} margin @returns {Rect} */
const beyond = (rect, margin) => ({
  x: rect.x - margin,
  y: rect.y - margin,
  width: rect.width + 2 * margin,
  height: rect.height + 2 * margin,
});

/** @param {string} text @returns {Rect} */
function rectOf(text) {
  const [x, y, width, height] = text.split(" ").map(Number);
  return { x, y, width, height };
}
