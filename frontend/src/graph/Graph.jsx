/**
 * The graph of the page: the forward graph down the left, the gradient back up the right, at the step of the store.
 */
import { useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { t } from "../i18n/translate.js";
import { hovered, select } from "../store.js";
import { thingOf } from "../scene/things.js";
import { pan, toWorld, zoomAt } from "./camera.js";
import { Controls, Legend } from "./Controls.jsx";
import { Drawing } from "./Drawing.jsx";
import { Far } from "./Far.jsx";
import { listenToGestures } from "./gestures.js";
import { fitAll, keepLaidOut, keepMoving, keepSelectionInView, keepSoughtInView } from "./keep.js";
import { measurer } from "./measure.js";
import { Outline } from "./Outline.jsx";
import { boxAt } from "./pick.js";
import { shownView } from "./shown.js";
import { Tools } from "./Tools.jsx";
import { createView } from "./view.js";
import { graphWords } from "./words.js";
import "./styles/boxes.css";
import "./styles/backward.css";
import "./styles/lines.css";
import "./styles/time.css";
import "./styles/floating.css";
import "./styles/tools.css";

export function Graph() {
  const view = useMemo(createView, []);
  const stage = useRef(/** @type {HTMLDivElement | null} */ (null));
  const words = useComputed(graphWords);
  const measure = useMemo(
    () => measurer(getComputedStyle(document.documentElement).getPropertyValue("--font-ui") || "sans-serif"),
    [],
  );
  const anchor = useRef(/** @type {string | null} */ (null));

  useEffect(() => keepLaidOut(view, { measure, words, anchor }), []);
  useEffect(() => keepMoving(view), []);
  useEffect(() => {
    shownView.value = { view, words, measure };
    return () => {
      shownView.value = null;
    };
  }, []);
  useEffect(() => keepSelectionInView(view), []);
  useEffect(() => keepSoughtInView(view), []);
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
          view.touched.current = true;
          view.camera.value = pan(view.camera.value, dx, dy);
        },
        zoom: (factor, at) => {
          view.touched.current = true;
          view.camera.value = zoomAt(view.camera.value, factor, at);
        },
        fit: () => fitAll(view),
        rest: () => view.look.stop(),
        click: (at) => {
          const drawn = view.drawn.value;
          if (!drawn || view.detail.value !== "far") return;
          const key = boxAt(drawn.placed, toWorld(view.camera.value, at), 6 / view.camera.value.k);
          if (key && drawn.scene.groupOf.has(key.replace(/\|b$/, ""))) toggle(key.replace(/\|b$/, ""));
          else select(key ? thingOf(drawn.scene, key) : null);
        },
      }),
    [],
  );
  /** @param {string} group */
  const toggle = (group) => {
    const next = new Set(view.collapsed.value);
    if (!next.delete(group)) next.add(group);
    anchor.current = group;
    view.collapsed.value = next;
  };
  /** @param {string} key */
  const events = (key) => ({
    onClick: (/** @type {Event} */ event) => {
      event.stopPropagation();
      if (view.scene.value) select(thingOf(view.scene.value, key));
    },
    onPointerEnter: () => {
      if (view.scene.value) hovered.value = thingOf(view.scene.value, key);
    },
    onPointerLeave: () => {
      hovered.value = null;
    },
  });
  const zoom = (/** @type {number} */ factor) => {
    const { width, height } = view.size.value;
    view.look.move(zoomAt(view.camera.value, factor, { x: width / 2, y: height / 2 }), 180);
  };
  return (
    <div class="g-root" data-testid="graph" data-mode={view.drawn.value?.placed.mode} data-detail={view.detail.value}>
      <div
        class="g-stage"
        ref={stage}
        tabIndex={0}
        role="group"
        aria-label={t("graph.stage")}
        onClick={() => {
          if (view.detail.value !== "far") select(null);
        }}
      >
        <Far view={view} words={words.value} />
        <Drawing view={view} words={words.value} measure={measure} events={events} toggle={toggle} />
      </div>
      {view.busy.value && (
        <p class="g-message g-busy" role="status">
          {t("graph.loading")}
        </p>
      )}
      {view.drawn.value && <Legend tints={view.tints.value} />}
      {view.drawn.value && <Tools view={view} />}
      <Controls view={view} zoom={zoom} fit={() => fitAll(view)} />
      <Outline view={view} words={words.value} toggle={toggle} />
    </div>
  );
}
