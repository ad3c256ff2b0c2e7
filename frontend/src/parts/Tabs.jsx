import { panel } from "../store.js";
import { t } from "../i18n/translate.js";

const TABS = /** @type {const} */ (["code", "graph", "step", "inspect"]);

/** Chooses the panel on a narrow screen; hidden on a wide one. */
export function Tabs() {
  /** @param {KeyboardEvent} event */
  const move = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    panel.value = TABS[(TABS.indexOf(panel.value) + by + TABS.length) % TABS.length];
    const list = /** @type {HTMLElement} */ (event.currentTarget);
    requestAnimationFrame(() => /** @type {HTMLElement | null} */ (list.querySelector("[aria-selected=true]"))?.focus());
  };
  return (
    <nav class="tabs" aria-label={t("tabs.label")}>
      <div class="tab-list" role="tablist" aria-label={t("tabs.label")} onKeyDown={move}>
        {TABS.map((name) => (
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
