import { codeOfTrace, current, hovered, hoveredLine, index, select, selection } from "../store.js";
import { t } from "../i18n/translate.js";
import { lineOf, thingOfLine } from "../model/lines.js";

/** The program to read, its lines linked with the graph as in the editor. */
export function Listing() {
  const table = index.value;
  const linked = table ? [lineOf(table, hovered.value), lineOf(table, selection.value)] : [];
  /** @param {number} line */
  const look = (line) =>
    line === current.value?.line ? "line-current" : linked.includes(line) ? "line-linked" : "";
  return (
    <ol class="listing editor code" data-testid="listing" data-scrolls tabIndex={0} aria-label={t("editor.label")}>
      {codeOfTrace.value.split("\n").map((text, at) => (
        <li
          key={at}
          class={look(at + 1)}
          onClick={() => table && select(thingOfLine(table, at + 1))}
          onPointerEnter={() => (hoveredLine.value = at + 1)}
          onPointerLeave={() => (hoveredLine.value = null)}
        >
          {text || "\u200b"}
        </li>
      ))}
    </ol>
  );
}
