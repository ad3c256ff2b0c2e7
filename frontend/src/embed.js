/** What the page tells the one it stands in: how high it would like to be. */
import { effect } from "@preact/signals";
import { shownView } from "./graph/shown.js";
import { frame } from "./store.js";

/** The `type` of the message. */
export const RESIZE = "autograd-playground:resize";
/** Least and most, in pixels. */
const HEIGHT = { least: 360, most: 960 };
/** Room around the graph for its tools and its legend, in pixels. */
const AROUND = 130;

/** The height at which the whole graph is seen at its own size, in pixels. @param {number} graph @param {number} rest */
export const wishedHeight = (graph, rest) =>
  Math.round(Math.min(Math.max(graph + AROUND + rest, HEIGHT.least), HEIGHT.most));

/** Keep the parent told, in a frame only. The message says nothing but a number, so it may go to anyone. */
export function tellParent() {
  if (!frame.value.embed || window.parent === window) return;
  let told = 0;
  effect(() => {
    const placed = shownView.value?.view.drawn.value?.placed;
    if (!placed) return;
    const rest = [...document.querySelectorAll(".header, .tabs, .player")].reduce((sum, part) => sum + part.clientHeight, 0);
    const height = wishedHeight(placed.bounds.height, rest);
    if (height === told) return;
    told = height;
    window.parent.postMessage({ type: RESIZE, height }, "*");
  });
}
