/** One of two programs: its text with the lines that differ, and its graph at the end of its run. */
import { computed, signal, useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { t } from "../i18n/translate.js";
import { keepSelectionInView } from "../graph/aim.js";
import { keepLaidOut, toggleFold } from "../graph/keep.js";
import { measurer } from "../graph/measure.js";
import { Stage } from "../graph/Stage.jsx";
import { createView } from "../graph/view.js";
import { graphWords } from "../graph/words.js";
import { indexTrace } from "../model/index.js";
import { diffTints } from "./tints.js";

/**
 * @param {{ side: "before" | "after", name: string, code: string, marked: Set<number>, trace: import("../wire").Trace,
 *           diff: import("../wire").GraphDiff, drawing: "auto" | "twins" | "badges",
 *           selection: import("@preact/signals").Signal<import("../store.js").Thing | null>,
 *           choose: (thing: import("../store.js").Thing | null) => void }} props
 */
export function Pane({ side, name, code, marked, trace, diff, drawing, selection, choose }) {
  const hovered = useMemo(() => signal(/** @type {import("../store.js").Thing | null} */ (null)), []);
  const view = useMemo(() => {
    const none = signal(null);
    const index = computed(() => indexTrace(trace));
    return createView({
      index,
      step: signal(trace.steps.length - 1),
      selection,
      hovered,
      hoveredLine: none,
      pathTo: none,
      relation: signal(/** @type {const} */ ("all")),
      paint: signal(/** @type {const} */ ("kind")),
      drawing: signal(drawing),
      tints: diffTints(diff, side, (kind) => t(`compare.${kind}`)),
    });
  }, []);
  const words = useComputed(graphWords);
  const measure = useMemo(measurer, []);
  const anchor = useRef(/** @type {string | null} */ (null));
  useEffect(() => keepLaidOut(view, { measure, words, anchor }), []);
  useEffect(() => keepSelectionInView(view), []);
  const { error, message, status } = trace.outcome;
  const sign = side === "before" ? "−" : "+";
  return (
    <section class={`compare-pane compare-${side}`} data-testid={`compare-${side}`} aria-label={t(`compare.${side}.of`, { name })}>
      <ol class="compare-code code" tabIndex={0} aria-label={t("compare.code", { name })}>
        {code.split("\n").map((line, at) => (
          <li key={at} class={marked.has(at + 1) ? "is-marked" : ""}>
            <span class="compare-sign">{marked.has(at + 1) ? sign : ""}</span>
            {line || " "}
          </li>
        ))}
      </ol>
      {status !== "ok" && (
        <p class="compare-ended">{t("compare.ended", { text: error ? `${error.type}: ${error.message.split("\n", 1)[0]}` : (message ?? status) })}</p>
      )}
      <div class="compare-graph g-root" data-mode={view.drawn.value?.placed.mode} data-detail={view.detail.value}>
        <Stage view={view} words={words.value} measure={measure} label={t("compare.graph", { name })} toggle={(group) => void toggleFold(view, anchor, group)} choose={choose} />
      </div>
    </section>
  );
}
