/**
 * The graph in words, for screen readers and for whoever prefers a list: a tree of module calls, tensors, ops and
 * grad_fn nodes. It opens as a panel; while closed it is there for assistive technology and shows when focused.
 * @typedef {import("./view.js").View} View
 * @typedef {import("../scene/types.js").Scene} Scene
 */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n/translate.js";
import { select } from "../store.js";
import { shapeLabel, valueText } from "../scene/format.js";
import { gradText, groupTitle, tagOf } from "../scene/labels.js";
import { BACKWARD, FORWARD, outlineKey, outlineRows } from "../scene/outline.js";
import { itemPhase, itemValue, pillGrad, pillPhase, pillReceived } from "../scene/state.js";
import { thingOf } from "../scene/things.js";

/** Rows in the document at once; a long list is a window around the active row. */
const WINDOW = 160;

/** @param {{ view: View, words: import("../scene/labels.js").Words, toggle: (group: string) => void }} props */
export function Outline({ view, words, toggle }) {
  const active = useSignal(/** @type {string | null} */ (null));
  const foldedParts = useSignal(/** @type {Set<string>} */ (new Set()));
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  const rows = useComputed(() =>
    view.scene.value ? outlineRows(view.scene.value, new Set([...view.collapsed.value, ...foldedParts.value])) : [],
  );
  const scene = view.scene.value;
  const moment = view.moment.value;
  const selected = view.related.value?.selected;
  const first = selected && [...selected][0];

  // What is selected elsewhere becomes the active row, without taking the focus.
  useEffect(() => {
    if (first && rows.value.some((row) => row.key === first) && active.value !== first) active.value = first;
  }, [first]);
  useEffect(() => {
    list.current?.querySelector(".is-active")?.scrollIntoView({ block: "nearest" });
  }, [active.value]);

  if (!scene || !moment || moment.scene !== scene) return null;
  const here =
    active.value && rows.value.some((row) => row.key === active.value) ? active.value : (rows.value[0]?.key ?? null);
  const at = rows.value.findIndex((row) => row.key === here);
  const from = Math.max(0, Math.min(at - WINDOW / 2, rows.value.length - WINDOW));
  /** @param {string} key */
  const flip = (key) => {
    if (scene.groupOf.has(key)) return toggle(key);
    const next = new Set(foldedParts.value);
    if (!next.delete(key)) next.add(key);
    foldedParts.value = next;
  };
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const what = outlineKey(rows.value, here, event.key);
    if (!what) return;
    event.preventDefault();
    event.stopPropagation();
    if (what.move) active.value = what.move;
    const wanted = what.select ?? what.move;
    const thing = wanted ? thingOf(scene, wanted) : null;
    if (thing) select(thing);
    if (what.toggle) flip(what.toggle);
  };
  return (
    <div class={`g-outline${view.outline.value ? " is-open" : ""}`}>
      <ul
        ref={list}
        role="tree"
        tabIndex={0}
        aria-label={t("graph.outline.label")}
        aria-activedescendant={here ? rowId(here) : undefined}
        onKeyDown={onKeyDown}
        data-scrolls
      >
        {rows.value.slice(from, from + WINDOW).map((row) => (
          <li
            key={row.key}
            id={rowId(row.key)}
            role="treeitem"
            aria-level={row.level}
            aria-expanded={row.expanded ?? undefined}
            aria-selected={selected?.has(row.key) ?? false}
            class={`g-row g-level-${Math.min(row.level, 6)}${row.key === here ? " is-active" : ""}`}
            onClick={() => {
              active.value = row.key;
              const thing = thingOf(scene, row.key);
              if (thing) select(thing);
              else flip(row.key);
            }}
          >
            {row.expanded !== null && <span class={`g-twist${row.expanded ? " is-open" : ""}`} aria-hidden="true" />}
            {rowText(scene, moment, row.key, words)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** @param {string} key */
const rowId = (key) => `g-row-${key.replace(/\W/g, "_")}`;

/**
 * @param {Scene} scene @param {import("../scene/state.js").Moment} moment @param {string} key
 * @param {import("../scene/labels.js").Words} words
 */
function rowText(scene, moment, key, words) {
  if (key === FORWARD) return t("graph.outline.forward");
  if (key === BACKWARD) return t("graph.outline.backward");
  const group = scene.groupOf.get(key);
  if (group) return [groupTitle(group, words), group.module].filter(Boolean).join(" · ");
  const item = scene.itemOf.get(key);
  if (item) {
    const value = itemValue(moment, item);
    const shape = scene.index.tensors.get(item.id)?.shape ?? [];
    const about =
      item.kind === "op"
        ? item.chips.map((chip) => chip.text).join(", ")
        : value
          ? valueText(value)
          : shapeLabel(shape);
    const kind = item.kind === "op" ? t("graph.legend.op") : t("graph.legend.tensor");
    const phase = itemPhase(moment, item);
    return [item.title, about, kind, tagOf(item, words), phase === "past" ? "" : t(`graph.phase.${phase}`)]
      .filter(Boolean)
      .join(" · ");
  }
  const pill = scene.pillOf.get(key);
  if (!pill) return key;
  const grad = pillGrad(moment, pill);
  const received = pillReceived(moment, pill);
  const phase = pillPhase(moment, pill);
  return [
    pill.title,
    grad !== null ? gradText(scene, pill, grad) : received ? valueText(received) : "",
    phase === "idle" ? "" : t(`graph.phase.${phase}`),
  ]
    .filter(Boolean)
    .join(" · ");
}
