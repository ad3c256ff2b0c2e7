/**
 * What happens by itself: a new trace, a fold or a language is laid out; a step is animated.
 * @typedef {import("./view.js").View} View
 * @typedef {import("../layout/types.js").Rect} Rect
 * @typedef {import("../scene/types.js").Scene} Scene
 */
import { batch, effect, untracked } from "@preact/signals";
import { folds as folded, stepDuration, transition } from "../store.js";
import { layoutClient } from "../layout/client.js";
import { takeLayoutWorker } from "../layout/spare.js";
import { loadLayout } from "../layout/startWorker.js";
import { foldAtFirst, planOf } from "../layout/plan.js";
import { lapOf } from "../scene/laps.js";
import { followStep, home, isMain } from "./aim.js";
import { pan, toScreen } from "./camera.js";
import { reducedMotion } from "./motion.js";

/** Boxes shown at first; more are folded into their module calls. */
const AT_FIRST = 90;
/** A layout that takes longer says so, in milliseconds. */
const PATIENCE = 300;

/**
 * @param {View} view
 * @param {{ measure: import("../layout/plan.js").Measure,
 *           words: import("@preact/signals").ReadonlySignal<import("../scene/labels.js").Words>,
 *           anchor: { current: string | null } }} options  `anchor`: group just folded or opened,
 *   or one and another that takes its place
 * @returns {() => void} stop
 */
export function keepLaidOut(view, { measure, words, anchor }) {
  const client = layoutClient(takeLayoutWorker, loadLayout);
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
