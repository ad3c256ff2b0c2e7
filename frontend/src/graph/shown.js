/** The graph now on the page, for those who draw or measure it elsewhere. */
import { signal } from "@preact/signals";

/**
 * @typedef {object} Shown
 * @property {import("./view.js").View} view
 * @property {import("@preact/signals").ReadonlySignal<import("../scene/labels.js").Words>} words
 * @property {import("../layout/plan.js").Measure} measure
 */

export const shownView = signal(/** @type {Shown | null} */ (null));
