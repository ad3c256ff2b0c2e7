import { step, trace } from "../store.js";
import { isTextKey, t } from "../i18n/translate.js";
import { explanationOf } from "../model/explain.js";
import { wordsOf } from "../model/ending.js";
import { seek } from "../player/control.js";

/** How a run that did not end well ended, and what helps. Shown at every step, so that it is never missed. */
export function ErrorCard() {
  const outcome = trace.value?.outcome;
  if (!outcome || outcome.status === "ok") return null;
  const { error, status } = outcome;
  const key = error ? explanationOf(error, isTextKey) : null;
  const why = `explain.${key}.why`;
  const fix = `explain.${key}.fix`;
  const help = `status.${status}.fix`;
  const { title, why: reason, instead, own } = wordsOf(outcome);
  const last = (trace.value?.steps.length ?? 0) - 1;
  return (
    <section class="card card-error" data-testid="error-card" role="alert">
      <p class="card-step">
        {error?.line != null && t("error.line", { line: error.line })}
        {last >= 0 && step.value !== last && (
          <button type="button" class="plain-link" onClick={() => seek(last)}>
            {t("error.go")}
          </button>
        )}
      </p>
      <h2>{title ? t(title) : error?.type}</h2>
      {reason && <p>{t(reason.key, reason.slots)}</p>}
      {isTextKey(help) && <p>{t(help)}</p>}
      {own && <p class="error-message">{own}</p>}
      <Explained why={isTextKey(why) ? t(why) : null} fix={instead ? t(instead.key, instead.slots) : isTextKey(fix) && t(fix)} />
      {error?.traceback && (
        <details>
          <summary>{t("error.traceback")}</summary>
          <pre data-scrolls tabIndex={0}>{error.traceback}</pre>
        </details>
      )}
    </section>
  );
}

/** @param {{ why: string | null, fix: string | false }} props */
function Explained({ why, fix }) {
  if (!why && !fix) return null;
  return (
    <dl class="explain">
      {why && <dt>{t("error.why")}</dt>}
      {why && <dd>{why}</dd>}
      {fix && <dt>{t("error.fix")}</dt>}
      {fix && <dd>{fix}</dd>}
    </dl>
  );
}
