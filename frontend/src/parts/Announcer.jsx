import { current, index, run, trace } from "../store.js";
import { t } from "../i18n/translate.js";
import { titleOf } from "../model/sentence.js";
import { say } from "./StepCard.jsx";

/** Tells screen readers which step is shown and when a program has run. */
export function Announcer() {
  const step = current.value;
  const count = trace.value?.steps.length ?? 0;
  const text =
    run.value.state === "running"
      ? t("state.running")
      : step && index.value
        ? t("timeline.value", { step: step.index + 1, count, title: say(titleOf(index.value, step)) })
        : "";
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {text}
    </p>
  );
}
