/** Which steps of a run a moving picture shows: not more than somebody will watch, nor than can be drawn in a minute or two. */

const MOST_STEPS = 600;
/** Boxes drawn in all pictures together, and steps that are shown of any graph. */
const MOST_BOXES = 120_000;
const LEAST_STEPS = 60;
/** Runs of at most so many steps are shown with the motion into each. */
export const MOST_MOVING = 120;

/** @param {number} boxes  of the graph */
const mostSteps = (boxes) => Math.max(LEAST_STEPS, Math.min(MOST_STEPS, Math.floor(MOST_BOXES / Math.max(boxes, 1))));

/**
 * From the current step on where a run has more than are shown.
 * @param {number} count  steps of the run @param {number} step @param {number} boxes
 * @returns {{ first: number, last: number }}
 */
export function stepsShown(count, step, boxes) {
  const shown = Math.min(count, mostSteps(boxes));
  const first = Math.max(Math.min(step, count - shown), 0);
  return { first, last: first + shown - 1 };
}
