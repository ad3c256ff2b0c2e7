import { run } from "../store.js";
import { t } from "../i18n/translate.js";
import { cancelRun, progress, runProgram } from "../session.js";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Runs what the editor holds; while a run takes its time, gives it up. */
export function RunButton() {
  const busy = run.value.state === "running";
  const slow = progress.value !== null;
  return (
    <button
      type="button"
      class="button button-main"
      data-testid="run"
      aria-busy={busy}
      title={t(slow ? "header.cancel.hint" : "header.run.hint", { keys: isMac ? "⌘ ↵" : "Ctrl + Enter" })}
      onClick={() => (slow ? cancelRun() : void runProgram())}
    >
      <span>{t(slow ? "header.cancel" : busy ? "header.running" : "header.run")}</span>
      <kbd aria-hidden="true">{isMac ? "⌘↵" : "Ctrl ↵"}</kbd>
    </button>
  );
}
