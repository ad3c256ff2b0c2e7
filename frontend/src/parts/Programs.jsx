/** The programs above the editor: which one is open, another one, the one that was closed by mistake. */
import { t } from "../i18n/translate.js";
import { labelOf } from "../names.js";
import { closed, MOST_PROGRAMS, openId, programs } from "../programs.js";
import { endProgram, restoreProgram, startProgram, turnToProgram } from "../session.js";
import { comparing } from "../store.js";
import { Icon } from "./Icon.jsx";

export function Programs() {
  const list = programs.value;
  const alone = list.length === 1;
  return (
    <nav class="programs" aria-label={t("programs.label")} data-testid="programs">
      <ul>
        {list.map((each) => {
          const open = each.id === openId.value;
          const name = labelOf(each);
          return (
            <li key={each.id} class={open ? "is-open" : ""}>
              <button
                type="button"
                class="program"
                aria-current={open ? "true" : undefined}
                title={name}
                onClick={() => void turnToProgram(each.id)}
                onKeyDown={(event) => {
                  if (event.key === "Delete") void endProgram(each.id);
                }}
              >
                {name}
              </button>
              {!alone && (
                <button type="button" class="program-close" aria-label={t("programs.close", { name })} title={t("programs.close", { name })} onClick={() => void endProgram(each.id)}>
                  <Icon name="close" />
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {list.length < MOST_PROGRAMS && (
        <button type="button" class="program-add" data-testid="program-add" aria-label={t("programs.add")} title={t("programs.add")} onClick={() => void startProgram()}>
          <Icon name="plus" />
        </button>
      )}
      {closed.value && (
        <button type="button" class="plain-link programs-back" data-testid="program-reopen" onClick={() => void restoreProgram()}>
          {t("programs.reopen", { name: labelOf(closed.value) })}
        </button>
      )}
      <button type="button" class="button compare-open" data-testid="compare" title={t("compare.hint")} onClick={() => (comparing.value = true)}>
        {t("compare.open")}
      </button>
    </nav>
  );
}
