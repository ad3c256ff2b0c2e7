/**
 * The player as a pure state machine. It knows nothing of clocks: whoever owns one calls `tick` with the time
 * that passed.
 * @typedef {{ from: number, to: number }} Loop  first and last step of a range that is played over and over
 * @typedef {{ step: number, last: number, playing: boolean, speed: number, waited: number, loop: Loop | null }} PlayerState
 * `last`: index of the last step, -1 for none. `waited`: milliseconds since the step was reached.
 */

/** How long a step stays at speed 1, in milliseconds. */
export const DWELL = 1100;
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

/** @param {number} step @param {number} last */
const clamp = (step, last) => Math.max(Math.min(step, last), Math.min(0, last));

/**
 * Go to a step. Moving by hand stops the play.
 * @param {PlayerState} state
 * @param {number} step
 * @returns {PlayerState}
 */
export const seek = (state, step) => ({ ...state, step: clamp(step, state.last), playing: false, waited: 0 });

/** @param {PlayerState} state */
export const next = (state) => seek(state, state.step + 1);

/** @param {PlayerState} state */
export const previous = (state) => seek(state, state.step - 1);

/**
 * Start or stop. Starting at the end begins again.
 * @param {PlayerState} state
 * @returns {PlayerState}
 */
export function toggle(state) {
  if (state.playing) return { ...state, playing: false };
  if (state.last < 1) return state;
  if (state.loop) return { ...state, playing: true, waited: 0, step: inside(state.loop, state.step) ? state.step : state.loop.from };
  return { ...state, playing: true, waited: 0, step: state.step >= state.last ? 0 : state.step };
}

/** @param {Loop} loop @param {number} step */
const inside = ({ from, to }, step) => from <= step && step <= to;

/**
 * Let time pass. At most one step a tick, so that a page that was hidden doesn't leap.
 * @param {PlayerState} state
 * @param {number} passed milliseconds
 * @returns {PlayerState}
 */
export function tick(state, passed) {
  if (!state.playing) return state;
  if (!state.loop && state.step >= state.last) return { ...state, playing: false, waited: 0 };
  const waited = state.waited + passed;
  if (waited < DWELL / state.speed) return { ...state, waited };
  if (state.loop) {
    const on = state.step < state.loop.to && inside(state.loop, state.step);
    return { ...state, step: on ? state.step + 1 : state.loop.from, waited: 0 };
  }
  const step = state.step + 1;
  return { ...state, step, waited: 0, playing: step < state.last };
}

/**
 * What a key does to the player; undefined for keys it doesn't know.
 * @param {PlayerState} state
 * @param {string} key
 * @returns {PlayerState | undefined}
 */
export function press(state, key) {
  switch (key) {
    case " ":
      return toggle(state);
    case "ArrowRight":
      return next(state);
    case "ArrowLeft":
      return previous(state);
    case "PageDown":
      return seek(state, state.step + 10);
    case "PageUp":
      return seek(state, state.step - 10);
    case "Home":
      return seek(state, 0);
    case "End":
      return seek(state, state.last);
    default:
      return undefined;
  }
}
