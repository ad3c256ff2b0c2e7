import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { index, jumpTo, picking, searching, selection } from "../store.js";
import { t } from "../i18n/translate.js";
import { shapeText } from "../model/numbers.js";
import { MOST_FOUND, search } from "../model/search.js";
import { Icon } from "./Icon.jsx";

/** What a row says of a thing, but for its step. @param {import("../model/search.js").Found} found */
const said = ({ thing, title, shape, detail, line }) => [thing.kind, title, shape, detail, line].join("|");

/** Finds tensors, ops and nodes; Enter brings the chosen one near, Shift and Enter shows the paths to it. */
export function Search() {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const open = searching.value;
  useLayoutEffect(() => {
    if (open) field.current?.select();
  }, [open]);
  const table = index.value;
  if (!open || !table) return null;
  const found = search(table, query);
  const at = Math.min(active, found.length - 1);
  // Of a loop, which turn it was.
  const rows = found.map(said);
  const again = new Set(rows.filter((row, place) => rows.indexOf(row) < place));
  const close = () => {
    searching.value = false;
    /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=search-open]"))?.focus();
  };
  /** @param {number} place @param {boolean} [asEnd] */
  const choose = (place, asEnd = false) => {
    if (!found[place]) return;
    setActive(place);
    if (asEnd && selection.value) picking.value = true;
    jumpTo(found[place].thing);
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const last = found.length - 1;
    if (event.isComposing) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter") choose(at, event.shiftKey);
    else if (event.key === "ArrowDown") setActive(at >= last ? 0 : at + 1);
    else if (event.key === "ArrowUp") setActive(at <= 0 ? last : at - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search class="search" data-testid="search" aria-label={t("search.open")}>
      <div class="search-row">
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label={t("search.label")}
          aria-expanded={found.length > 0}
          aria-controls="search-results"
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `search-${at}` : undefined}
          placeholder={t("search.hint")}
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={press}
        />
        <button type="button" class="button button-icon button-quiet" aria-label={t("search.close")} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <p class="search-count" role="status">
        {query.trim() === "" ? "" : found.length === MOST_FOUND ? t("search.most", { count: MOST_FOUND }) : t("search.count", { count: found.length })}
      </p>
      <ul id="search-results" role="listbox" aria-label={t("search.results")} hidden={found.length === 0}>
        {found.map((item, place) => (
          <li
            key={`${item.thing.kind}${item.thing.id}`}
            id={`search-${place}`}
            role="option"
            aria-selected={place === at}
            ref={place === at ? (element) => void element?.scrollIntoView({ block: "nearest" }) : undefined}
            onClick={(event) => choose(place, event.shiftKey)}
          >
            <b class={`thing-${item.thing.kind} code`}>{item.title}</b>
            <span class="soft">
              {[
                t(`inspect.${item.thing.kind}`),
                item.shape && item.shape.length > 0 ? shapeText(item.shape) : "",
                item.detail,
                item.line === null ? "" : t("step.line", { line: item.line }),
                item.step !== null && again.has(rows[place]) ? t("search.step", { step: item.step + 1 }) : "",
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </search>
  );
}
