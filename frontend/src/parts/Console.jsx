import { step, trace } from "../store.js";
import { t } from "../i18n/translate.js";
import { Panel } from "./Panel.jsx";

/** What the program has printed up to the step, and a faint hint of what is still to come. */
export function Console() {
  return (
    <Panel title={t("console.title")} class="console-panel">
      <div class="console" data-testid="console" role="log" aria-live="off" tabIndex={0} data-scrolls aria-label={t("console.title")}>
        <ConsoleLines />
      </div>
    </Panel>
  );
}

function ConsoleLines() {
  const rows = trace.value?.console;
  if (!rows) return <p class="faint">{t("console.idle")}</p>;
  if (rows.length === 0) return <p class="faint">{t("console.empty")}</p>;
  const printed = rows.filter((row) => row.step <= step.value);
  const coming = rows.slice(printed.length);
  return (
    <>
      <pre>
        {merged(printed).map((row, at) => (
          <span key={at} class={row.stream === "stderr" ? "stderr" : ""}>
            {row.text}
          </span>
        ))}
      </pre>
      {coming.length > 0 && (
        <p class="faint">
          — {coming.length === 1 ? t("console.later", { step: coming[0].step + 1 }) : t("console.more", { count: coming.length, step: coming[0].step + 1 })} —
        </p>
      )}
    </>
  );
}

/** Neighbouring rows of one stream as one, so that a program that prints much stays cheap to draw. @param {import("../wire").ConsoleText[]} rows */
function merged(rows) {
  /** @type {Array<{ stream: string, text: string }>} */
  const spans = [];
  for (const { stream, text } of rows) {
    const last = spans.at(-1);
    if (last?.stream === stream) last.text += text;
    else spans.push({ stream, text });
  }
  return spans;
}
