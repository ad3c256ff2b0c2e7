/** The canvas of the far picture. It repaints at most once a frame, and only while it is shown. */
import { useComputed, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { themeNow } from "../appearance.js";
import { edgeTable } from "./look.js";
import { paintFar, paletteOf } from "./paint.js";

/** @param {{ view: import("./view.js").View, words: import("../scene/labels.js").Words }} props */
export function Far({ view, words }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const frame = useRef(0);
  const edges = useComputed(() => (view.drawn.value ? edgeTable(view.drawn.value.scene) : new Map()));
  useSignalEffect(() => {
    const far = view.detail.value === "far";
    const [drawn, moment, visible] = [view.drawn.value, view.moment.value, view.visible.value];
    const state = { camera: view.camera.value, size: view.size.value, related: view.related.value, edges: edges.value, theme: themeNow() };
    cancelAnimationFrame(frame.current);
    if (!far || !drawn || !moment || !visible) return;
    frame.current = requestAnimationFrame(() => {
      const element = canvas.current;
      const context = element?.getContext("2d");
      if (!element || !context) return;
      const ratio = window.devicePixelRatio || 1;
      const [width, height] = [Math.round(state.size.width * ratio), Math.round(state.size.height * ratio)];
      if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
      paintFar(context, { ...state, ratio, placed: drawn.placed, moment, visible, palette: paletteOf(element), words });
    });
  });
  return <canvas ref={canvas} class="g-far" hidden={view.detail.value !== "far"} aria-hidden="true" />;
}
