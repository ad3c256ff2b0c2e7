/** A picture of iterations as a slider: pointing and arrow keys tell an iteration's numbers, Enter opens its graph. */
import { t } from "../i18n/translate.js";
import { plain } from "../model/numbers.js";

/** @typedef {import("./iterations.js").Curve} Curve */

/** A curve's number, with a dash where it has none. @param {Curve} curve @param {number} at @param {number} digits */
export function told({ values }, at, digits) {
  const value = values[at];
  return value === null ? "–" : plain(value, digits);
}

/** @param {Curve[]} curves @param {number} at */
export const reading = (curves, at) =>
  [t("training.iteration", { number: at + 1 }), ...curves.map((curve) => `${curve.label} ${told(curve, at, 4)}`)].join(" · ");

/** Where a key leads; null for a key that leads nowhere. @param {string} key @param {number} at @param {number} count */
function moved(key, at, count) {
  const to = /** @type {Record<string, number>} */ ({ ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: count - 1 })[key];
  return to === undefined ? null : Math.max(0, Math.min(to, count - 1));
}

/**
 * What makes an element such a slider.
 * @param {{ label: string, curves: Curve[], count: number, at: number, open: (at: number) => void,
 *           pointed: import("@preact/signals").Signal<number | null> }} of  `at`: the iteration that is pointed at or shown
 */
export const sliderOf = ({ label, curves, count, at, open, pointed }) => ({
  role: /** @type {const} */ ("slider"),
  tabIndex: 0,
  "aria-label": `${label}. ${t("training.keys")}`,
  "aria-valuemin": 1,
  "aria-valuemax": count,
  "aria-valuenow": at + 1,
  "aria-valuetext": reading(curves, at),
  onPointerLeave: () => void (pointed.value = null),
  onBlur: () => void (pointed.value = null),
  onKeyDown: (/** @type {KeyboardEvent} */ event) => {
    const next = moved(event.key, at, count);
    if (next === null && event.key !== "Enter") return;
    event.preventDefault();
    if (next === null) open(at);
    else pointed.value = next;
  },
});
