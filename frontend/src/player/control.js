/** Ties the pure player to the store and to a clock. */
import { batch, effect } from "@preact/signals";
import { breakpoints, goTo, index, loop, playing, selection, speed, stale, step, trace } from "../store.js";
import { nextBackward, twinStep } from "../model/bands.js";
import { nextOfLine, nextOfThing, outOfModule, overModule, previousBackward } from "../model/moves.js";
import * as player from "./player.js";
import { stopsAt } from "./stops.js";

let waited = 0;

/** @returns {player.PlayerState} */
function state() {
  return {
    step: step.value,
    last: (trace.value?.steps.length ?? 0) - 1,
    playing: playing.value,
    speed: speed.value,
    waited,
    loop: loop.value,
  };
}

/** @param {player.PlayerState} next */
function apply(next) {
  batch(() => {
    waited = next.waited;
    playing.value = next.playing;
    goTo(next.step);
  });
}

export const toggle = () => apply(player.toggle(state()));
export const next = () => apply(player.next(state()));
export const previous = () => apply(player.previous(state()));
export const first = () => apply(player.seek(state(), 0));
export const last = () => apply(player.seek(state(), Infinity));

/** @param {number} target */
export const seek = (target) => apply(player.seek(state(), target));

/** @param {number | null | undefined} target */
const go = (target) => {
  if (target != null) seek(target);
};

export const toBackward = () => go(trace.value && nextBackward(trace.value, step.value));
const toTwin = () => go(index.value && twinStep(index.value, step.value));
export const toPreviousBackward = () => go(trace.value && previousBackward(trace.value, step.value));
export const over = () => go(index.value && overModule(index.value, step.value));
export const out = () => go(index.value && outOfModule(index.value, step.value));
export const toSelection = () => go(index.value && selection.value && nextOfThing(index.value, step.value, selection.value));

/** @param {number} line @returns {boolean} whether anything happens at that line */
export function toLine(line) {
  const target = trace.value && nextOfLine(trace.value, step.value, line);
  go(target);
  return target !== null;
}

/** Loop from here, or up to here; the other end stays where it makes sense. @param {"from" | "to"} end */
export function loopHere(end) {
  const last = (trace.value?.steps.length ?? 0) - 1;
  const at = step.value;
  const before = loop.value ?? { from: 0, to: last };
  loop.value = end === "from" ? { from: at, to: before.to > at ? before.to : last } : { from: before.from < at ? before.from : 0, to: at };
}

/** Play on to a step and stop there. @param {number} target */
export function playTo(target) {
  if (target <= step.value) return;
  apply({ ...state(), playing: true, waited: player.DWELL });
  const stop = effect(() => {
    if (step.value >= target || !playing.value) {
      playing.value = false;
      queueMicrotask(() => stop());
    }
  });
}

/** @type {Record<string, () => void>} */
const MOVES = {
  ArrowUp: toTwin,
  ArrowDown: toTwin,
  b: toBackward,
  B: toPreviousBackward,
  o: over,
  u: out,
  s: toSelection,
  "[": () => loopHere("from"),
  "]": () => loopHere("to"),
  "\\": () => void (loop.value = null),
};

/**
 * @param {string} key
 * @returns {boolean} whether the key meant something
 */
export function press(key) {
  if (!trace.value) return false;
  const move = MOVES[key];
  if (move) {
    move();
    return true;
  }
  const after = player.press(state(), key);
  if (after) apply(after);
  return after !== undefined;
}

/** Start the clock; it runs only while playing. Returns a function that stops it for good. */
export function startClock() {
  return effect(() => {
    if (!playing.value) return undefined;
    let frame = 0;
    let before = performance.now();
    const beat = (/** @type {number} */ now) => {
      const from = step.peek();
      apply(player.tick(state(), now - before));
      before = now;
      const lines = stale.peek() ? [] : breakpoints.peek();
      if (stopsAt(trace.peek()?.steps ?? [], from, step.peek(), lines)) playing.value = false;
      if (playing.peek()) frame = requestAnimationFrame(beat);
    };
    frame = requestAnimationFrame(beat);
    return () => cancelAnimationFrame(frame);
  });
}
