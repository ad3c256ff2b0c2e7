/** Where a graph is drawn and moved about: both pictures, the pointer and the keys on them. */
import { useEffect, useRef } from "preact/hooks";
import { thingOf } from "../scene/things.js";
import { pan, toWorld, zoomAt } from "./camera.js";
import { Drawing } from "./Drawing.jsx";
import { Far } from "./Far.jsx";
import { listenToGestures } from "./gestures.js";
import { fitAll } from "./aim.js";
import { boxAt } from "./pick.js";

/**
 * @param {{ view: import("./view.js").View, words: import("../scene/labels.js").Words,
 *           measure: import("../layout/plan.js").Measure, label: string, toggle: (group: string) => void,
 *           choose: (thing: import("../store.js").Thing | null) => void }} props
 */
export function Stage({ view, words, measure, label, toggle, choose }) {
  const stage = useRef(/** @type {HTMLDivElement | null} */ (null));
  const { hovered } = view.source;
  useEffect(() => {
    const element = /** @type {HTMLDivElement} */ (stage.current);
    const watcher = new ResizeObserver(() => {
      view.size.value = { width: element.clientWidth, height: element.clientHeight };
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  useEffect(
    () =>
      listenToGestures(/** @type {HTMLDivElement} */ (stage.current), {
        pan: (dx, dy) => {
          view.touched.value = true;
          view.camera.value = pan(view.camera.value, dx, dy);
        },
        zoom: (factor, at) => {
          view.touched.value = true;
          view.camera.value = zoomAt(view.camera.value, factor, at);
        },
        fit: () => fitAll(view),
        rest: () => view.look.stop(),
        click: (at) => {
          const drawn = view.drawn.value;
          if (!drawn || view.detail.value !== "far") return;
          const key = boxAt(drawn.placed, toWorld(view.camera.value, at), 6 / view.camera.value.k);
          if (key && drawn.scene.groupOf.has(key.replace(/\|b$/, ""))) toggle(key.replace(/\|b$/, ""));
          else choose(key ? thingOf(drawn.scene, key) : null);
        },
      }),
    [],
  );
  /** @param {string} key */
  const events = (key) => ({
    onClick: (/** @type {Event} */ event) => {
      event.stopPropagation();
      if (view.scene.value) choose(thingOf(view.scene.value, key));
    },
    onPointerEnter: () => {
      if (view.scene.value) hovered.value = thingOf(view.scene.value, key);
    },
    onPointerLeave: () => {
      hovered.value = null;
    },
  });
  return (
    <div
      class="g-stage"
      ref={stage}
      tabIndex={0}
      role="group"
      aria-label={label}
      onClick={() => {
        if (view.detail.value !== "far") choose(null);
      }}
    >
      <Far view={view} words={words} />
      <Drawing view={view} words={words} measure={measure} events={events} toggle={toggle} />
    </div>
  );
}
