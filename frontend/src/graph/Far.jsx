/** The canvas of the far picture. It repaints at most once a frame, and only while it is shown. */
import { useComputed, useSignalEffect } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { themeNow } from "../appearance.js";
import { edgeTable } from "./look.js";
import { batchesOf, COARSE, paintFar, paintTitles, paletteOf } from "./paint.js";
import { createPlate } from "./plate.js";

/** @param {{ view: import("./view.js").View, words: import("../scene/labels.js").Words }} props */
export function Far({ view, words }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const frame = useRef(0);
  const plate = useMemo(() => createPlate(() => document.createElement("canvas")), []);
  const edges = useComputed(() => (view.drawn.value ? edgeTable(view.drawn.value.scene) : new Map()));
  const coarse = useComputed(() => view.camera.value.k < COARSE);
  const palette = useComputed(() => (themeNow() ? paletteOf(document.documentElement) : {}));
  const toneOf = useComputed(() => {
    const [tints, now] = [view.tints.value, view.moment.value];
    return (/** @type {string} */ key) =>
      now && view.oddOf(key) ? "bad-soft" : tints ? (tints.of(key)?.shade ?? "panel") : null;
  });
  const sight = useComputed(() => {
    const [drawn, moment, visible] = [view.drawn.value, view.moment.value, view.visible.value];
    if (view.detail.value !== "far" || !drawn || !moment || !visible) return null;
    return {
      placed: drawn.placed,
      moment,
      visible,
      edges: edges.value,
      related: view.related.value,
      toneOf: toneOf.value,
      coarse: coarse.value,
    };
  });
  const batches = useComputed(() => (sight.value ? batchesOf(sight.value) : null));
  useSignalEffect(() => {
    const [what, shapes] = [sight.value, batches.value];
    const how = { camera: view.camera.value, size: view.size.value, palette: palette.value };
    cancelAnimationFrame(frame.current);
    if (!what || !shapes) return;
    frame.current = requestAnimationFrame(() => {
      const element = canvas.current;
      const context = element?.getContext("2d");
      if (!element || !context) return;
      const ratio = window.devicePixelRatio || 1;
      const [width, height] = [Math.round(how.size.width * ratio), Math.round(how.size.height * ratio)];
      if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
      const picture = plate.at(
        how.camera,
        { ...how.size, ratio },
        [shapes, how.palette, words],
        (target, camera, size) => {
          paintFar(target, shapes, { camera, size, ratio, palette: how.palette });
          paintTitles(target, { camera, ratio, palette: how.palette, ...what, words });
        },
      );
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, width, height);
      context.drawImage(picture.canvas, Math.round(picture.x * ratio), Math.round(picture.y * ratio));
    });
  });
  return <canvas ref={canvas} class="g-far" hidden={view.detail.value !== "far"} aria-hidden="true" />;
}
