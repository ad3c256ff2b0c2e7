/**
 * Pointer, wheel and keys on the stage, told as movements of the camera. A pointer that barely moved is a click and is
 * left to the boxes.
 * @typedef {import("../layout/curve.js").Point} Point
 */

/** Pixels a pointer may wander and still be a click. */
const CLICK = 4;
const KEY_PAN = 60;
const KEY_ZOOM = 1.25;

/**
 * @param {HTMLElement} element
 * @param {{ pan: (dx: number, dy: number) => void, zoom: (factor: number, at: Point) => void, fit: () => void,
 *           click: (at: Point) => void, rest: () => void }} tell  positions in pixels from the top left of the element
 * @returns {() => void} detach
 */
export function listenToGestures(element, tell) {
  /** @type {Map<number, Point>} */
  const down = new Map();
  /** @type {Point | null} */
  let pressed = null;
  let dragged = false;
  const at = (/** @type {MouseEvent} */ event) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const stop = new AbortController();
  const { signal } = stop;

  element.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      tell.rest();
      down.set(event.pointerId, at(event));
      if (down.size === 1) [pressed, dragged] = [at(event), false];
    },
    { signal },
  );

  element.addEventListener(
    "pointermove",
    (event) => {
      const before = down.get(event.pointerId);
      if (!before || !pressed) return;
      const now = at(event);
      if (!dragged && down.size === 1 && Math.hypot(now.x - pressed.x, now.y - pressed.y) < CLICK) return;
      if (!dragged) element.setPointerCapture(event.pointerId);
      dragged = true;
      if (down.size === 2) {
        const other = /** @type {Point} */ ([...down].find(([id]) => id !== event.pointerId)?.[1]);
        const wide = (/** @type {Point} */ point) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        tell.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
        tell.zoom(wide(now) / wide(before), middle);
      } else tell.pan(now.x - before.x, now.y - before.y);
      down.set(event.pointerId, now);
    },
    { signal },
  );

  for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) {
    element.addEventListener(
      kind,
      (event) => {
        if (!down.delete(event.pointerId) || down.size > 0) return;
        if (!dragged && kind === "pointerup") tell.click(at(event));
        pressed = null;
      },
      { signal },
    );
  }

  // A drag that ends on a box is no click on it.
  element.addEventListener(
    "click",
    (event) => {
      if (dragged) event.stopPropagation();
      dragged = false;
    },
    { signal, capture: true },
  );

  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      tell.rest();
      const unit = event.deltaMode === 1 ? 20 : 1;
      if (event.shiftKey) tell.pan(-(event.deltaX || event.deltaY) * unit, 0);
      else tell.zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0018)), at(event));
    },
    { signal, passive: false },
  );

  element.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const middle = { x: element.clientWidth / 2, y: element.clientHeight / 2 };
      const moves = /** @type {Record<string, () => void>} */ ({
        "+": () => tell.zoom(KEY_ZOOM, middle),
        "=": () => tell.zoom(KEY_ZOOM, middle),
        "-": () => tell.zoom(1 / KEY_ZOOM, middle),
        0: tell.fit,
        ...(event.shiftKey
          ? {
              ArrowLeft: () => tell.pan(KEY_PAN, 0),
              ArrowRight: () => tell.pan(-KEY_PAN, 0),
              ArrowUp: () => tell.pan(0, KEY_PAN),
              ArrowDown: () => tell.pan(0, -KEY_PAN),
            }
          : {}),
      });
      const move = moves[event.key];
      if (!move) return;
      event.preventDefault();
      tell.rest();
      move();
    },
    { signal },
  );

  return () => stop.abort();
}
