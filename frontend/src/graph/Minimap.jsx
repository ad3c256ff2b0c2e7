/** The whole graph in a corner while only a part of it is on screen; dragging in it moves the camera. */
import { useComputed, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { themeNow } from "../appearance.js";
import { t } from "../i18n/translate.js";
import { centred, seen } from "./camera.js";
import { mapOf, needsMap } from "./map.js";
import { paletteOf } from "./paint.js";

/** @param {{ view: import("./view.js").View }} props */
export function Minimap({ view }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const wanted = useComputed(() => {
    const bounds = view.drawn.value?.placed.bounds;
    return bounds !== undefined && needsMap(bounds, view.size.value, view.camera.value);
  });
  useSignalEffect(() => {
    const drawn = view.drawn.value;
    themeNow();
    if (wanted.value && drawn && canvas.current) paint(canvas.current, drawn);
  });
  const bounds = view.drawn.value?.placed.bounds;
  if (!bounds || !wanted.value) return null;
  const window = seen(view.camera.value, view.size.value);
  const { scale, width, height } = mapOf(bounds);
  const [left, top] = [(window.x - bounds.x) * scale, (window.y - bounds.y) * scale];
  /** @param {PointerEvent & { currentTarget: HTMLElement }} event */
  const look = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = bounds.x + (event.clientX - box.left) / scale;
    const y = bounds.y + (event.clientY - box.top) / scale;
    view.look.stop();
    view.touched.value = true;
    view.camera.value = centred({ x, y, width: 0, height: 0 }, view.size.value, view.camera.value.k);
  };
  return (
    <div
      class="g-minimap"
      data-testid="minimap"
      aria-hidden="true"
      title={t("minimap.label")}
      style={{ width: `${width}px`, height: `${height}px` }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        look(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) look(event);
      }}
    >
      <canvas ref={canvas} />
      <i
        style={{
          left: `${left}px`,
          top: `${top}px`,
          width: `${window.width * scale}px`,
          height: `${window.height * scale}px`,
        }}
      />
    </div>
  );
}

/** @param {HTMLCanvasElement} canvas @param {NonNullable<import("./view.js").View["drawn"]["value"]>} drawn */
function paint(canvas, { placed, scene }) {
  const ratio = globalThis.devicePixelRatio || 1;
  const { bounds } = placed;
  const { scale, width, height } = mapOf(bounds);
  canvas.width = Math.ceil(width * ratio);
  canvas.height = Math.ceil(height * ratio);
  const context = canvas.getContext("2d");
  if (!context) return;
  const palette = paletteOf(document.documentElement);
  const open = new Set(placed.open);
  for (const [key, rect] of Object.entries(placed.rects)) {
    const tone = open.has(key) ? "line" : scene.pillOf.has(key) || key.endsWith("|b") ? "node-line" : scene.itemOf.get(key)?.kind === "op" ? "op-line" : "tensor-line";
    context.fillStyle = palette[tone];
    context.globalAlpha = open.has(key) ? 0.35 : 0.8;
    const [x, y] = [(rect.x - bounds.x) * scale * ratio, (rect.y - bounds.y) * scale * ratio];
    context.fillRect(x, y, Math.max(rect.width * scale * ratio, 1), Math.max(rect.height * scale * ratio, 1));
  }
}
