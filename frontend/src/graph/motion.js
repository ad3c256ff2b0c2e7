/** Eased, interruptible motion of one signal. The clock is the frame; under reduced motion there is none. */

/** @param {number} t */
export const ease = (t) => 1 - (1 - t) ** 3;

export const reducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * @template T
 * @param {import("@preact/signals").Signal<T>} signal
 * @param {(from: T, to: T, t: number) => T} mix
 */
export function mover(signal, mix) {
  let frame = 0;
  /** @type {T | null} */
  let goal = null;
  const stop = () => {
    cancelAnimationFrame(frame);
    goal = null;
  };
  /** @param {T} to @param {number} milliseconds */
  const move = (to, milliseconds) => {
    stop();
    if (milliseconds <= 0 || reducedMotion()) {
      signal.value = to;
      return;
    }
    const from = signal.peek();
    goal = to;
    /** @type {number | null} */
    let start = null;
    const beat = (/** @type {number} */ now) => {
      start ??= now;
      const t = Math.min((now - start) / milliseconds, 1);
      signal.value = t === 1 ? to : mix(from, to, ease(t));
      if (t < 1) frame = requestAnimationFrame(beat);
      else goal = null;
    };
    frame = requestAnimationFrame(beat);
  };
  /** Where the motion ends; where the signal is while there is none. */
  const end = () => goal ?? signal.peek();
  return { move, stop, end };
}
