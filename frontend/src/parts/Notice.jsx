import { useEffect, useState } from "preact/hooks";
import { run, trace } from "../store.js";
import { t } from "../i18n/translate.js";
import { runProgram } from "../session.js";
import { Icon } from "./Icon.jsx";

/** Why a program was not run, with a way to try again. What the page shows otherwise stays. */
export function Notice() {
  const { problem } = run.value;
  if (!problem || problem.kind === "aborted") return null;
  const retry = problem.kind === "busy" || problem.kind === "unreachable" || problem.kind === "server";
  return (
    <div class="notice" role="alert" data-testid="notice">
      <p>
        {t(`refused.${problem.kind}`)}
        {problem.kind === "invalid" && problem.detail && <span class="soft"> {problem.detail}</span>}
      </p>
      {retry && <Retry key={String(problem.retryAfter)} wait={problem.retryAfter ?? 0} />}
      <button
        type="button"
        class="button button-icon button-quiet"
        aria-label={t("refused.dismiss")}
        onClick={() => (run.value = { state: trace.value ? "ready" : "idle", problem: null })}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Counts the server's Retry-After down, then lets the user go. @param {{ wait: number }} props */
function Retry({ wait }) {
  const [left, setLeft] = useState(Math.ceil(wait));
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <button type="button" class="button" disabled={left > 0} onClick={() => void runProgram()}>
      {left > 0 ? t("refused.retryIn", { seconds: left }) : t("refused.retry")}
    </button>
  );
}
