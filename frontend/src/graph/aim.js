/**
 * Where the camera goes by itself: to the whole of a graph, to what a step is about, to what was selected or sought.
 * It keeps to the part of the stage that nothing lies over, and looks past the end of the graph no further than it must.
 * @typedef {import("./view.js").View} View
 * @typedef {import("./camera.js").Camera} Camera
 * @typedef {import("../layout/types.js").Rect} Rect
 * @typedef {import("../scene/types.js").Scene} Scene
 */
import { effect, untracked } from "@preact/signals";
import { sought, step } from "../store.js";
import { lastThing } from "../model/lines.js";
import { deedsAt } from "../scene/deeds.js";
import { packetsAt } from "../scene/packets.js";
import { momentOf } from "../scene/state.js";
import { keysOf } from "../scene/things.js";
import { centred, FAR, fit, held, NEAR, reveal } from "./camera.js";
import { areaOf } from "./follow.js";
import { besideMap, mapOf, needsMap } from "./map.js";
import { cameraAt } from "./place.js";

/** Zoom at which a graph too large to be read whole is entered. */
const READING = 0.8;
/** Zoom at which one box fills the eye. */
const CLOSE = 1.6;
/** Pixels kept free around what a step is about, for what comes next. */
const AROUND = 90;
/** Pixels around the whole of a graph. */
const PAD = 20;
/** Pixels from the edge of the free part at which something counts as seen. */
const EDGE = 8;
/** Height of the names of both halves above a graph, in the units of its layout. */
const NAMES = 56;
/** Height of what a step may say above the legend, in pixels. */
const SAID = 40;
/** A stage narrower than this is a phone's, on which small type cannot be read. */
const NARROW = 600;

/** Whether the view is the page's own, and not one of a comparison. @param {View} view */
export const isMain = (view) => view.source.step === step;

/** The part of the stage that no bar lies over. @param {View} view */
function room(view) {
  const { width, height } = view.size.value;
  const { top, right, bottom } = view.over.value;
  return { x: 0, y: top, width: width - right, height: height - top - bottom };
}

/** What the small map leaves of a room, where there is one when the graph is seen so. @param {View} view @param {ReturnType<typeof room>} free @param {Camera} camera */
function clearOfMap(view, free, camera) {
  const bounds = view.drawn.value?.placed.bounds;
  const { width } = view.size.value;
  const shown = bounds && isMain(view) && needsMap(bounds, view.size.value, camera);
  return shown ? besideMap(free, mapOf(bounds), { past: width - free.x - free.width, wide: bounds.width * camera.k }) : free;
}

/** The same without what is said of the step. @param {View} view @param {Camera} camera */
function seenRoom(view, camera) {
  const free = clearOfMap(view, room(view), camera);
  const said = deedsAt(momentOf(/** @type {Scene} */ (view.drawn.value?.scene), view.step.value)).some((deed) => deed.at === null);
  return said ? { ...free, height: free.height - SAID } : free;
}

/** Where the whole of a graph stands: clear of what any step may say. @param {View} view */
function restRoom(view) {
  const { x, y, width, height } = room(view);
  return { x: x + PAD, y: y + PAD, width: width - 2 * PAD, height: height - PAD - (isMain(view) ? SAID : PAD) };
}

/** All that is drawn of a graph. @param {View} view @returns {Rect | null} */
function whole(view) {
  const placed = view.drawn.value?.placed;
  if (!placed) return null;
  const above = placed.mode === "twins" ? NAMES : 0;
  return { ...placed.bounds, y: placed.bounds.y - above, height: placed.bounds.height + above };
}

/** Everything, if it can be read at that size; else where the step is. @param {View} view */
export function home(view) {
  const all = whole(view);
  if (!all) return;
  const free = restRoom(view);
  const { current: wanted } = view.wanted;
  view.wanted.current = null;
  view.look.stop();
  view.touched.value = wanted !== null;
  if (wanted) {
    view.camera.value = cameraAt(wanted, view.size.value);
    return;
  }
  const fitted = fit(all, free, { margin: 0 });
  if (fitted.k >= (view.size.value.width < NARROW ? NEAR : FAR)) {
    view.camera.value = fitted;
    return;
  }
  // Its whole width, where that can be read.
  const small = clearOfMap(view, free, { x: 0, y: 0, k: NEAR });
  const k = Math.min(Math.max(small.width / all.width, NEAR), READING);
  view.camera.value = { ...view.camera.value, k };
  view.camera.value = held(centred(areaNow(view) ?? { ...all, height: 0 }, small, k), all, small);
}

/** The whole graph. @param {View} view */
export function fitAll(view) {
  const all = whole(view);
  if (!all) return;
  view.touched.value = false;
  view.look.move(fit(all, restRoom(view), { margin: 0 }), 300);
}

/**
 * What the step is about with what arrives there; without the senders where all of it would not fit on screen.
 * A step that is about nothing in the graph, such as a print, leaves the camera at what came last.
 * @param {View} view
 */
function areaNow(view) {
  const drawn = view.drawn.value;
  if (!drawn) return null;
  const moment = momentOf(drawn.scene, view.step.value);
  if (moment.focus.size === 0) {
    const born = (/** @type {string} */ key) => drawn.scene.itemOf.get(key)?.born ?? drawn.scene.pillOf.get(key)?.born ?? 0;
    const keys = keysOf(drawn.scene, lastThing(drawn.scene.index.trace, view.step.value));
    return areaOf(drawn.placed, keys.filter((key) => born(key) <= view.step.value).slice(-1), []);
  }
  const arriving = packetsAt(moment).filter((packet) => packet.rest === "door");
  const all = areaOf(
    drawn.placed,
    moment.focus,
    arriving.map((packet) => packet.edge),
  );
  const { k } = view.camera.value;
  const { width, height } = room(view);
  const fits = all && all.width * k < width - AROUND / 2 && all.height * k < height - AROUND / 2;
  return fits ? all : (areaOf(drawn.placed, moment.focus, []) ?? all);
}

/**
 * Brings what was selected anywhere on the page into view.
 * @param {View} view
 * @returns {() => void} stop
 */
export function keepSelectionInView(view) {
  return effect(() => {
    const selected = view.related.value?.selected;
    untracked(() => {
      if (selected && view.drawn.value) bringIntoView(view, areaOf(view.drawn.value.placed, selected, []));
    });
  });
}

/**
 * Opens the module calls around what is sought and shows it at a size that can be read.
 * @param {View} view
 * @returns {() => void} stop
 */
export function keepSoughtInView(view) {
  return effect(() => {
    const drawn = view.drawn.value;
    const wanted = sought.value;
    if (!drawn || !wanted) return;
    untracked(() => {
      const keys = keysOf(drawn.scene, wanted);
      const shown = keys.filter((key) => drawn.placed.rects[key]);
      const closed = new Set(keys.flatMap((key) => groupsAround(drawn.scene, key)));
      const left = new Set([...view.collapsed.value].filter((group) => !closed.has(group)));
      if (shown.length === 0 && left.size < view.collapsed.value.size) {
        view.collapsed.value = left;
        return;
      }
      sought.value = null;
      const area = areaOf(drawn.placed, shown.slice(0, 1), []);
      if (area && view.look.end().k >= NEAR) bringIntoView(view, area);
      else if (area) {
        view.touched.value = true;
        view.look.move(centred(area, room(view), READING), 300);
      }
    });
  });
}

/** The groups a box lies in, through its twin for one of the backward graph. @param {Scene} scene @param {string} key */
function groupsAround(scene, key) {
  const item = scene.itemOf.get(key) ?? scene.itemOf.get(scene.pillOf.get(key)?.twin ?? "");
  const around = [];
  for (let group = item?.group ?? null; group !== null; group = scene.groupOf.get(group)?.parent ?? null)
    around.push(group);
  return around;
}

/** What is selected, else what the step is about, as large as it can be read. @param {View} view */
export function fitSelection(view) {
  const drawn = view.drawn.value;
  const area = drawn && view.related.value ? areaOf(drawn.placed, view.related.value.selected, []) : areaNow(view);
  if (!area) return;
  view.touched.value = true;
  view.look.move(fit(area, room(view), { margin: AROUND, most: CLOSE }), 300);
}

/** The camera goes to what the step is about, where it is to follow. @param {View} view */
export function followStep(view) {
  if (view.follow.value && view.drawn.value) bringIntoView(view, areaNow(view));
}

/**
 * What can be seen already, or will be where the camera is going, is left where it is; a move once begun leaves room
 * for what comes next.
 * @param {View} view @param {Rect | null} area
 */
function bringIntoView(view, area) {
  const all = whole(view);
  if (!area || !all) return;
  const going = view.look.end();
  const free = seenRoom(view, going);
  if (reveal(going, area, free, EDGE) === going) return;
  view.look.move(held(reveal(going, area, free, AROUND), all, clearOfMap(view, restRoom(view), going)), 300);
}
