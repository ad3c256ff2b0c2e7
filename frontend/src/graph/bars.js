/** What lies over the edges of the stage: the tools above, the buttons at the right, the legend below. */
import { useLayoutEffect, useRef } from "preact/hooks";

/** @typedef {{ top: number, right: number, bottom: number }} Bars  pixels that are covered */

/**
 * Keeps the view told of them.
 * @param {import("./view.js").View} view
 * @returns {{ current: HTMLDivElement | null }} for the element that holds the stage and the bars
 */
export function useBars(view) {
  const root = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => {
    const host = /** @type {HTMLDivElement} */ (root.current);
    const [tools, buttons, legend] = [".g-tools", ".g-controls", ".g-legend"].map((name) => host.querySelector(name));
    const look = () => {
      const edges = host.getBoundingClientRect();
      const place = (/** @type {Element | null} */ bar) => (bar?.clientHeight ? bar.getBoundingClientRect() : null);
      const [above, beside, below] = [tools, buttons, legend].map(place);
      const next = {
        top: above ? above.bottom - edges.top : 0,
        right: beside ? edges.right - beside.left : 0,
        bottom: below ? edges.bottom - below.top : 0,
      };
      const { top, right, bottom } = view.over.peek();
      if (next.top !== top || next.right !== right || next.bottom !== bottom) view.over.value = next;
    };
    look();
    const watcher = new ResizeObserver(look);
    for (const bar of [tools, buttons, legend]) if (bar) watcher.observe(bar);
    return () => watcher.disconnect();
  }, []);
  return root;
}
