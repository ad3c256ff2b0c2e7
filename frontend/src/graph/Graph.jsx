/**
 * The graph of the page: the forward graph down the left, the gradient back up the right, at the step of the store.
 */
import { useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { t } from "../i18n/translate.js";
import { folds, select } from "../store.js";
import { zoomAt } from "./camera.js";
import { Controls, Legend } from "./Controls.jsx";
import { fitAll, keepSelectionInView, keepSoughtInView } from "./aim.js";
import { useBars } from "./bars.js";
import { keepLaidOut, keepMoving, toggleFold } from "./keep.js";
import { measurer } from "./measure.js";
import { DeedAbove } from "./Deeds.jsx";
import { keepFrame } from "./frames.js";
import { Minimap } from "./Minimap.jsx";
import { Outline } from "./Outline.jsx";
import { keepPlace } from "./place.js";
import { shownView } from "./shown.js";
import { Stage } from "./Stage.jsx";
import { Tools } from "./Tools.jsx";
import { createView } from "./view.js";
import { graphWords } from "./words.js";
import "./styles/boxes.css";
import "./styles/backward.css";
import "./styles/lines.css";
import "./styles/time.css";
import "./styles/floating.css";
import "./styles/tools.css";

/** More folded groups than this are too many for an address. */
const MOST_FOLDS = 40;

export function Graph() {
  const view = useMemo(() => createView(), []);
  const words = useComputed(graphWords);
  const measure = useMemo(measurer, []);
  const anchor = useRef(/** @type {string | null} */ (null));
  const root = useBars(view);

  useEffect(() => keepLaidOut(view, { measure, words, anchor }), []);
  useEffect(() => keepPlace(view), []);
  useEffect(() => keepFrame(view, anchor), []);
  useEffect(() => keepMoving(view), []);
  useEffect(() => {
    shownView.value = { view, words, measure };
    return () => {
      shownView.value = null;
    };
  }, []);
  useEffect(() => keepSelectionInView(view), []);
  useEffect(() => keepSoughtInView(view), []);
  /** @param {string} group */
  const toggle = (group) => {
    const next = toggleFold(view, anchor, group);
    view.toldFolds.current = next.size > MOST_FOLDS ? null : [...next].join() || "none";
    folds.value = view.toldFolds.current;
  };
  const zoom = (/** @type {number} */ factor) => {
    const { width, height } = view.size.value;
    view.look.move(zoomAt(view.camera.value, factor, { x: width / 2, y: height / 2 }), 180);
  };
  return (
    <div class="g-root" ref={root} style={{ "--legend": `${view.over.value.bottom}px` }} data-testid="graph" data-mode={view.drawn.value?.placed.mode} data-detail={view.detail.value}>
      <Stage view={view} words={words.value} measure={measure} label={t("graph.stage")} toggle={toggle} choose={select} />
      {view.busy.value !== null && (
        <p class="g-message g-busy" role="status">
          {t("graph.loading")} <progress max={1} value={view.busy.value} aria-label={t("graph.loading")} />{" "}
          <button type="button" class="button" data-testid="layout-stop" onClick={() => view.giveUp.current()}>
            {t("layout.stop")}
          </button>
        </p>
      )}
      <DeedAbove view={view} />
      <Legend tints={view.tints.value} />
      <Tools view={view} />
      <Minimap view={view} />
      <Controls view={view} zoom={zoom} fit={() => fitAll(view)} />
      <Outline view={view} words={words.value} toggle={toggle} />
    </div>
  );
}
