/**
 * Many short runs, a few at a time, that can be given up. It knows nothing of the server: `measure` asks it.
 * @typedef {{ value: number | null } | { wait: number } | { problem: import("../api.js").Refusal }} Answer
 *   a height, null where there is none; or seconds to wait, as the server is busy; or why it cannot be asked
 */

/** Runs under way at once: the service serves others too. */
const AT_ONCE = 2;

/**
 * @template Point
 * @param {Point[]} points
 * @param {{ measure: (point: Point) => Promise<Answer>, tell: (point: Point, value: number | null) => void,
 *           signal: AbortSignal, pause?: (seconds: number) => Promise<void> }} how
 * @returns {Promise<import("../api.js").Refusal | null>} why it ended early, if the server refused
 */
export async function survey(points, { measure, tell, signal, pause = sleep }) {
  const left = [...points];
  /** @type {import("../api.js").Refusal | null} */
  let refused = null;
  const work = async () => {
    for (let point = left.shift(); point !== undefined; point = left.shift()) {
      const answer = await measure(point);
      if (signal.aborted || refused) return;
      if ("problem" in answer) {
        refused = answer.problem;
        return;
      }
      if ("wait" in answer) {
        left.unshift(point);
        await pause(answer.wait);
        if (signal.aborted || refused) return;
      } else tell(point, answer.value);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return refused;
}

/** @param {number} seconds @returns {Promise<void>} */
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
