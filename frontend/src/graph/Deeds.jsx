/** The signs of what a step does: beside the boxes it is about, or above the graph. */
import { useComputed } from "@preact/signals";
import { t } from "../i18n/translate.js";
import { endingOf } from "../model/ending.js";
import { deedsAt } from "../scene/deeds.js";
import { STEP_SIGNS, StepSign } from "../parts/StepSign.jsx";

/** @typedef {import("./view.js").View} View */

/** Signs beside boxes. @param {{ view: View, measure: import("../layout/plan.js").Measure }} props */
export function Deeds({ view, measure }) {
  const deeds = useComputed(() => (view.moment.value ? deedsAt(view.moment.value) : []));
  const placed = view.drawn.value?.placed;
  if (!placed) return null;
  // Of many boxes inside one folded group the sign is drawn once.
  const drawn = new Map(
    deeds.value.flatMap((deed) => {
      const key = deed.at === null ? undefined : (placed.shownAs[deed.at] ?? deed.at);
      return key !== undefined && placed.rects[key] ? [[key, deed]] : [];
    }),
  );
  return (
    <g class="g-deeds">
      {[...drawn].map(([key, { kind, text, at }]) => {
        const rect = placed.rects[key];
        const said = key === at ? text : "";
        const width = 22 + (said ? measure(said, "title") + 6 : 0);
        return (
          <g key={key} class={`g-deed g-deed-${kind}`} data-kind={kind} transform={`translate(${rect.x + rect.width - width + 6} ${rect.y - 22})`}>
            <title>{t(`deed.${kind}`)}</title>
            <rect width={width} height="20" rx="10" />
            <path d={STEP_SIGNS[kind]} transform="translate(4 3) scale(0.875)" />
            {said && (
              <text x="21" y="14">
                {said}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** The sign of a step that is about no box. @param {{ view: View }} props */
export function DeedAbove({ view }) {
  const deed = useComputed(() => (view.moment.value ? deedsAt(view.moment.value).find((each) => each.at === null) : undefined)).value;
  if (!deed) return null;
  const outcome = view.source.index.value?.trace.outcome;
  const ending = deed.kind === "error" && outcome ? endingOf(outcome) : null;
  return (
    <p class={`g-above g-above-${deed.kind}`} data-testid="deed" data-kind={deed.kind}>
      <StepSign kind={deed.kind} />
      <span>{t(ending ?? `deed.${deed.kind}`)}</span> {!ending && deed.text && <code>{deed.text}</code>}
    </p>
  );
}
