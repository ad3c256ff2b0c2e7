import { frame, lecture, panel } from "../store.js";
import { t } from "../i18n/translate.js";

/** @typedef {ReadonlySet<import("../model/links.js").Part>} Hidden */

/** Whether anything is left of the columns beside the graph. @param {Hidden} hide */
export const sides = (hide) => ({
  left: !(hide.has("editor") && hide.has("console") && hide.has("ledger")),
  right: !(hide.has("card") && hide.has("queue") && hide.has("inspector")),
});

/** @param {Hidden} hide @param {boolean} large  lecture mode, which has no inspector */
function tabsOf(hide, large) {
  const { left, right } = sides(hide);
  const step = right && !(hide.has("card") && hide.has("queue"));
  /** @type {Array<[import("../store.js").Panel, boolean]>} */
  const all = [["code", left], ["graph", true], ["step", step], ["inspect", !large && !hide.has("inspector")]];
  return all.filter(([, shown]) => shown).map(([name]) => name);
}

/** Chooses the panel on a narrow screen; hidden on a wide one. */
export function Tabs() {
  const tabs = tabsOf(frame.value.hide, lecture.value);
  if (tabs.length < 2) return null;
  /** @param {KeyboardEvent} event */
  const move = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    panel.value = tabs[(tabs.indexOf(panel.value) + by + tabs.length) % tabs.length];
    const list = /** @type {HTMLElement} */ (event.currentTarget);
    requestAnimationFrame(() => /** @type {HTMLElement | null} */ (list.querySelector("[aria-selected=true]"))?.focus());
  };
  return (
    <nav class="tabs" aria-label={t("tabs.label")}>
      <div class="tab-list" role="tablist" aria-label={t("tabs.label")} onKeyDown={move}>
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            data-testid={`tab-${name}`}
            aria-selected={panel.value === name}
            tabIndex={panel.value === name ? 0 : -1}
            onClick={() => (panel.value = name)}
          >
            {t(`tabs.${name}`)}
          </button>
        ))}
      </div>
    </nav>
  );
}
