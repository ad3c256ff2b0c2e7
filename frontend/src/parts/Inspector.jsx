import { index, select, selection, step } from "../store.js";
import { t } from "../i18n/translate.js";
import { lastThing } from "../model/lines.js";
import { CheckedMark } from "./CheckedMark.jsx";
import { NodeRows } from "./NodeRows.jsx";
import { OpRows } from "./OpRows.jsx";
import { Panel } from "./Panel.jsx";
import { TensorRows } from "./TensorRows.jsx";
import { thingName } from "./ThingLink.jsx";

/** Everything known about the selected thing; about the step's own thing while nothing is selected. */
export function Inspector() {
  const table = index.value;
  const thing = selection.value ?? (table ? lastThing(table.trace, step.value) : null);
  const pinned = selection.value !== null;
  const aside = pinned ? (
    <button type="button" class="plain-link" onClick={() => select(null)}>
      {t("inspect.unpin")}
    </button>
  ) : (
    <span class="faint">{thing && t("inspect.follow")}</span>
  );
  return (
    <Panel title={t("inspect.title")} class="inspector" testId="inspector" aside={aside}>
      {!table || !thing ? (
        <p class="faint">{t("inspect.none")}</p>
      ) : (
        <>
          <p class="inspect-name">
            <b class={`thing-${thing.kind}`}>{thingName(thing)}</b> <span class="faint">{t(`inspect.${thing.kind}`)}</span>
          </p>
          {thing.kind === "tensor" && <TensorRows table={table} id={thing.id} />}
          {thing.kind === "op" && <OpRows table={table} id={thing.id} />}
          {thing.kind === "node" && <NodeRows table={table} id={thing.id} />}
        </>
      )}
      <CheckedMark />
    </Panel>
  );
}
