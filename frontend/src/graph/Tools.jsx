/** Search, colours, what is lit around the selection, and the way to the first NaN: the bar above the graph. */
import { useComputed } from "@preact/signals";
import { t } from "../i18n/translate.js";
import { firstOdd } from "../model/odd.js";
import { seek } from "../player/control.js";
import { index, jumpTo, paint, pathTo, picking, relation, searching, select, selection, training } from "../store.js";
import { PAINTS } from "../scene/tint.js";
import { Frames } from "./Frames.jsx";
import { trainingNow } from "../training/now.js";
import { IconButton } from "../parts/IconButton.jsx";

/** @param {{ view: import("./view.js").View }} props */
export function Tools({ view }) {
  return (
    <div class="g-tools">
      <IconButton
        icon="search"
        data-testid="search-open"
        label={t("search.open")}
        hint={`${t("search.open")} (Ctrl F)`}
        aria-expanded={searching.value}
        onClick={() => (searching.value = !searching.value)}
      />
      <select
        class="small-select"
        data-testid="paint"
        aria-label={t("tint.label")}
        title={t("tint.label")}
        value={paint.value}
        onChange={(event) => (paint.value = /** @type {typeof paint.value} */ (event.currentTarget.value))}
      >
        {PAINTS.map((each) => (
          <option key={each} value={each}>
            {t(`tint.${each}`)}
          </option>
        ))}
      </select>
      <Frames view={view} />
      <ToTraining />
      <FirstOdd />
      <Around view={view} />
    </div>
  );
}

/** To the training view, where the program goes round. */
function ToTraining() {
  if (!trainingNow.value) return null;
  return (
    <button
      type="button"
      class="button"
      data-testid="training-open"
      title={t("training.open.hint")}
      aria-expanded={training.value}
      onClick={() => (training.value = true)}
    >
      {t("training.open")}
    </button>
  );
}

/** One click to where a NaN or an infinity first appears. */
function FirstOdd() {
  const found = useComputed(() => (index.value ? firstOdd(index.value) : null)).value;
  if (!found) return null;
  const go = () => {
    seek(found.step);
    jumpTo(found.thing);
  };
  return (
    <button type="button" class="button g-first-odd" data-testid="first-odd" onClick={go}>
      {t(`odd.${found.odd}`, { step: found.step + 1 })}
    </button>
  );
}

/** What is lit around the selection, and the paths from it to another thing. @param {{ view: import("./view.js").View }} props */
function Around({ view }) {
  if (!selection.value) return null;
  const paths = view.related.value?.paths ?? null;
  return (
    <>
      <select
        class="small-select"
        data-testid="relation"
        aria-label={t("relation.label")}
        title={t("relation.label")}
        value={relation.value}
        disabled={pathTo.value !== null}
        onChange={(event) => (relation.value = /** @type {typeof relation.value} */ (event.currentTarget.value))}
      >
        {/** @type {const} */ (["all", "before", "after"]).map((each) => (
          <option key={each} value={each}>
            {t(`relation.${each}`)}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="button g-paths"
        data-testid="paths"
        aria-pressed={picking.value || paths !== null}
        onClick={() => {
          if (pathTo.value) select(selection.value);
          else picking.value = !picking.value;
        }}
      >
        {picking.value ? t("paths.pick") : paths === null ? t("paths.to") : t(paths === 1 ? "paths.one" : "paths.many", { count: paths })}
      </button>
    </>
  );
}
