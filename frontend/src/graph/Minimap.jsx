/** The whole graph in a corner while only a part of it is on screen; dragging in it moves the camera. */
import { useComputed, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { themeNow } from "../appearance.js";
import { t } from "../i18n/translate.js";
import { centred, seen } from "./camera.js";
import { paletteOf } from "./paint.js";

/** Largest width and height in pixels. */
const MOST = { width: 148, height: 132 };
/** A stage narrower than this has no room for it. */
const NARROW = 520;

/** @param {{ view: import("./view.js").View }} props */
export function Minimap({ view }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const scale = useComputed(() => {
    const bounds = view.drawn.value?.placed.bounds;
    return bounds ? Math.min(MOST.width / Math.max(bounds.width, 1), MOST.height / Math.max(bounds.height, 1)) : 0;
  });
  const wanted = useComputed(() => {
    const bounds = view.drawn.value?.placed.bounds;
    const size = view.size.value;
    if (!bounds || size.width < NARROW) return false;
    const window = seen(view.camera.value, size);
    return (
      bounds.x < window.x - 1 ||
      bounds.y < window.y - 1 ||
      bounds.x + bounds.width > window.x + window.width + 1 ||
      bounds.y + bounds.height > window.y + window.height + 1
    );
  });
  useSignalEffect(() => {
    const drawn = view.drawn.value;
    themeNow();
    if (wanted.value && drawn && canvas.current) paint(canvas.current, drawn, scale.value);
  });
  const bounds = view.drawn.value?.placed.bounds;
  if (!bounds || !wanted.value) return null;
  const window = seen(view.camera.value, view.size.value);
  const [left, top] = [(window.x - bounds.x) * scale.value, (window.y - bounds.y) * scale.value];
  const size = { width: Math.max(bounds.width * scale.value, 24), height: Math.max(bounds.height * scale.value, 24) };
  /** @param {PointerEvent & { currentTarget: HTMLElement }} event */
  const look = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = bounds.x + (event.clientX - box.left) / scale.value;
    const y = bounds.y + (event.clientY - box.top) / scale.value;
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
      style={{ width: `${size.width}px`, height: `${size.height}px` }}
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
          width: `${window.width * scale.value}px`,
          height: `${window.height * scale.value}px`,
        }}
      />
    </div>
  );
}

/** @param {HTMLCanvasElement} canvas @param {NonNullable<import("./view.js").View["drawn"]["value"]>} drawn @param {number} scale */
function paint(canvas, { placed, scene }, scale) {
  const ratio = globalThis.devicePixelRatio || 1;
  const { bounds } = placed;
  canvas.width = Math.ceil(Math.max(bounds.width * scale, 24) * ratio);
  canvas.height = Math.ceil(Math.max(bounds.height * scale, 24) * ratio);
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
