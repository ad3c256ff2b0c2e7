/**
 * What happens by itself: a new trace, a fold or a language is laid out; a step is animated and followed.
 * @typedef {import("./view.js").View} View
 * @typedef {import("../layout/types.js").Rect} Rect
 * @typedef {import("../scene/types.js").Scene} Scene
 */
import { batch, effect, untracked } from "@preact/signals";
import { folds as folded, sought, step, stepDuration, transition } from "../store.js";
import { lastThing } from "../model/lines.js";
import { layoutClient } from "../layout/client.js";
import { takeLayoutWorker } from "../layout/spare.js";
import { foldAtFirst, planOf } from "../layout/plan.js";
import { deedsAt } from "../scene/deeds.js";
import { packetsAt } from "../scene/packets.js";
import { momentOf } from "../scene/state.js";
import { lapOf } from "../scene/laps.js";
import { keysOf } from "../scene/things.js";
import { centred, FAR, fit, pan, reveal, toScreen } from "./camera.js";
import { areaOf } from "./follow.js";
import { reducedMotion } from "./motion.js";
import { cameraAt } from "./place.js";

/** Boxes shown at first; more are folded into their module calls. */
const AT_FIRST = 90;
/** Zoom at which a graph too large to be read whole is entered. */
const READING = 0.8;
/** Zoom at which one box fills the eye. */
const CLOSE = 1.6;
/** A layout that takes longer says so, in milliseconds. */
const PATIENCE = 300;
/** Pixels kept free around what a step is about, and around the whole. */
const AROUND = 90;
/** Pixels from the edge at which something counts as seen; the legend covers as many at the bottom. */
const EDGE = 34;
const MARGIN = { left: 24, right: 56, top: 78, bottom: 76 };
/** The same where neither tools nor words lie over the stage. */
const BARE = { left: 24, right: 24, top: 60, bottom: 20 };
/** What a step says above the bottom edge reaches so far up, on a wide and on a narrow screen. */
const SAID = { wide: 40, narrow: 76 };
const NARROW = 600;

/**
 * @param {View} view
 * @param {{ measure: import("../layout/plan.js").Measure,
 *           words: import("@preact/signals").ReadonlySignal<import("../scene/labels.js").Words>,
 *           anchor: { current: string | null } }} options  `anchor`: group just folded or opened,
 *   or one and another that takes its place
 * @returns {() => void} stop
 */
export function keepLaidOut(view, { measure, words, anchor }) {
  const client = layoutClient(takeLayoutWorker);
  /** @type {Scene | null} */
  let known = null;
  /** @type {Record<string, true>} */
  let shape = {};
  /** @type {Set<string> | null} those of the picture that is shown */
  let folds = null;
  view.giveUp.current = () => {
    client.stop();
    view.busy.value = null;
    // What was asked for was too much to draw: what is shown stays, of a new graph its outermost frames.
    const shown = view.drawn.value?.scene === known ? folds : null;
    view.collapsed.value = shown ?? new Set(known?.groups.map((group) => group.key));
  };
  const stop = effect(() => {
    const scene = view.scene.value;
    const ready = view.ready.value;
    const [collapsed, mode, said] = [view.collapsed.value, view.mode.value, words.value];
    if (!scene || !ready) return;
    if (scene !== known) {
      known = scene;
      // The same program edited keeps its folds and its camera; a new one starts afresh.
      const groups = Object.fromEntries(scene.groups.map((group) => [group.key, /** @type {const} */ (true)]));
      const fresh = Object.keys(groups).join() !== Object.keys(shape).join() || Object.keys(shape).length === 0;
      shape = groups;
      const first = fresh ? (foldsWanted(view) ?? foldAtFirst(scene, AT_FIRST, lapOf(scene.laps, view.step.peek()))) : collapsed;
      if ([...first].join() !== [...collapsed].join()) {
        view.collapsed.value = first;
        return;
      }
    }
    const room = untracked(() => view.size.value.width);
    let part = 0;
    const waiting = setTimeout(() => {
      view.busy.value = part;
    }, PATIENCE);
    client
      .layout(planOf(scene, { measure, words: said, collapsed, mode, room }), (done) => {
        part = done;
        if (view.busy.value !== null) view.busy.value = done;
      })
      .then(
        (placed) =>
          batch(() => {
            const before = view.drawn.value;
            view.drawn.value = { scene, placed };
            view.busy.value = null;
            folds = collapsed;
            const [was, is] = heldBy(anchor.current);
            anchor.current = null;
            if (before?.placed.rects[was] && placed.rects[is]) {
              holdStill(view, before.placed.rects[was], placed.rects[is]);
              if (was !== is) followStep(view);
            }
            else if (!before || view.wanted.current || !sameSize(before.placed.bounds, placed.bounds)) home(view);
            // Seen in the browser's own tools: the frame in which a new picture is on screen.
            requestAnimationFrame(() => setTimeout(() => performance.mark("drawn")));
          }),
        (error) => {
          if (error.name === "AbortError") return;
          view.busy.value = null;
          throw error;
        },
      )
      .finally(() => clearTimeout(waiting));
  });
  const stopResizing = effect(() => {
    if (view.size.value.width > 0)
      untracked(() => {
        if (!view.touched.value) home(view);
      });
  });
  return () => {
    stop();
    stopResizing();
    client.stop();
  };
}

/** What a link folds; nothing of what was folded by hand outlives the graph it was folded in. @param {View} view @returns {Set<string> | null} */
function foldsWanted(view) {
  const asked = untracked(() => folded.value);
  if (!isMain(view) || asked === null) return null;
  if (asked === view.toldFolds.current) {
    folded.value = null;
    return null;
  }
  view.toldFolds.current = asked;
  return new Set(asked === "none" ? [] : asked.split(","));
}

/**
 * Fold a group, or open it, where it stands.
 * @param {View} view @param {{ current: string | null }} anchor @param {string} group
 * @returns {Set<string>} all that is folded now
 */
export function toggleFold(view, anchor, group) {
  const next = new Set(view.collapsed.value);
  if (!next.delete(group)) next.add(group);
  anchor.current = group;
  view.collapsed.value = next;
  return next;
}

/** The group whose place is held, before and after. @param {string | null} anchor */
const heldBy = (anchor) => {
  const [was = "", is = was] = (anchor ?? "").split(" ");
  return [was, is];
};

/** @param {Rect} a @param {Rect} b */
const sameSize = (a, b) => Math.abs(a.width - b.width) < 40 && Math.abs(a.height - b.height) < 40;

/**
 * The top left of a group, where its title is, stays where it was on screen.
 * @param {View} view
 * @param {Rect} before
 * @param {Rect} after
 */
function holdStill(view, before, after) {
  const camera = view.camera.value;
  const was = toScreen(camera, { x: before.x, y: before.y });
  const is = toScreen(camera, { x: after.x, y: after.y });
  view.look.stop();
  view.camera.value = pan(camera, was.x - is.x, was.y - is.y);
}

/** Everything, if it can be read at that size; else where the step is. @param {View} view */
function home(view) {
  const drawn = view.drawn.value;
  if (!drawn) return;
  const whole = fitted(view, drawn.placed.bounds);
  const { current: wanted } = view.wanted;
  view.wanted.current = null;
  view.look.stop();
  view.touched.value = wanted !== null;
  if (wanted) {
    view.camera.value = cameraAt(wanted, view.size.value);
    return;
  }
  if (whole.k >= FAR) {
    view.camera.value = whole;
    return;
  }
  view.camera.value = { ...view.camera.value, k: READING };
  const area = areaNow(view);
  const { bounds } = drawn.placed;
  view.camera.value = centred(
    area ?? { ...bounds, height: Math.min(bounds.height, view.size.value.height) },
    view.size.value,
    READING,
  );
}

/** Whether the view is the page's own, and not one of a comparison. @param {View} view */
const isMain = (view) => view.source.step === step;

/** @param {View} view @param {Rect} bounds */
function fitted(view, bounds) {
  const { width, height } = view.size.value;
  const { left, right, top, bottom } = isMain(view) ? MARGIN : BARE;
  const below = isMain(view) && width < NARROW ? bottom + SAID.wide : bottom;
  const inner = { width: width - left - right, height: height - top - below };
  return pan(fit(bounds, inner, { margin: 0 }), left, top);
}

/** @param {View} view */
export function fitAll(view) {
  if (!view.drawn.value) return;
  view.touched.value = false;
  view.look.move(fitted(view, view.drawn.value.placed.bounds), 300);
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
  const whole = areaOf(
    drawn.placed,
    moment.focus,
    arriving.map((packet) => packet.edge),
  );
  const { k } = view.camera.value;
  const { width, height } = view.size.value;
  const fits = whole && whole.width * k < width - AROUND && whole.height * k < height - 2 * AROUND;
  return fits ? whole : (areaOf(drawn.placed, moment.focus, []) ?? whole);
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
      bringIntoView(view, selected && view.drawn.value ? areaOf(view.drawn.value.placed, selected, []) : null);
    });
  });
}

/**
 * Opens the module calls around what is sought and centres it at a size that can be read.
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
      if (!area) return;
      view.touched.value = true;
      const k = Math.max(view.camera.value.k, READING);
      view.look.move(centred(area, view.size.value, k), 300);
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

/**
 * Plays the motion into each step and lets the camera follow.
 * @param {View} view
 * @returns {() => void} stop
 */
export function keepMoving(view) {
  return effect(() => {
    const { from, to, jump } = transition.value;
    untracked(() => {
      view.play.stop();
      const forwards = !jump && to === from + 1 && !reducedMotion();
      view.progress.value = forwards ? 0 : 1;
      if (forwards) view.play.move(1, stepDuration.value);
      followStep(view);
    });
  });
}

/** What is selected, else what the step is about, as large as it can be read. @param {View} view */
export function fitSelection(view) {
  const drawn = view.drawn.value;
  const area = drawn && view.related.value ? areaOf(drawn.placed, view.related.value.selected, []) : areaNow(view);
  if (!area) return;
  view.touched.value = true;
  view.look.move(fit(area, view.size.value, { margin: AROUND, most: CLOSE }), 300);
}

/** The camera goes to what the step is about, where it is to follow. @param {View} view */
function followStep(view) {
  if (view.follow.value && view.drawn.value) bringIntoView(view, areaNow(view), seenRoom(view));
}

/**
 * What can be seen already, or will be where the camera is going, is left where it is; a move once begun leaves room
 * for what comes next.
 * @param {View} view @param {Rect | null} area @param {import("../layout/types.js").Size} [room]
 */
function bringIntoView(view, area, room = view.size.value) {
  const going = view.look.end();
  if (!area || reveal(going, area, room, EDGE) === going) return;
  view.look.move(reveal(going, area, room, AROUND), 300);
}

/** The part of the stage that nothing said of the step lies over. @param {View} view */
function seenRoom(view) {
  const { width, height } = view.size.value;
  const said = deedsAt(momentOf(/** @type {Scene} */ (view.drawn.value?.scene), view.step.value)).some((deed) => deed.at === null);
  return { width, height: said ? height - (width < NARROW ? SAID.narrow : SAID.wide) : height };
}
