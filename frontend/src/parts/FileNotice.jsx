import { useEffect, useState } from "preact/hooks";
import { fileProblem } from "../store.js";
import { t } from "../i18n/translate.js";
import { openTraceFile } from "../files/openTrace.js";
import { Icon } from "./Icon.jsx";

/** Why a file was not opened, and where a file may be dropped: anywhere. */
export function FileNotice() {
  const [over, setOver] = useState(false);
  useEffect(() => listenToDrops(setOver), []);
  const problem = fileProblem.value;
  return (
    <>
      {problem && (
        <div class="notice" role="alert" data-testid="file-notice">
          <p>
            {t(`file.${problem.key}`)}
            {problem.at && <span class="soft code"> {problem.at.slice(0, 80)}</span>}
          </p>
          <button type="button" class="button button-icon button-quiet" aria-label={t("refused.dismiss")} onClick={() => (fileProblem.value = null)}>
            <Icon name="close" />
          </button>
        </div>
      )}
      {over && <p class="drop-hint">{t("file.drop")}</p>}
    </>
  );
}

/** Files only: text dragged within the editor is the editor's. @param {(over: boolean) => void} tell */
function listenToDrops(tell) {
  const holdsFiles = (/** @type {DragEvent} */ event) => Boolean(event.dataTransfer?.types.includes("Files"));
  /** @param {DragEvent} event */
  const over = (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    tell(true);
  };
  /** @param {DragEvent} event */
  const leave = (event) => {
    if (event.relatedTarget === null) tell(false);
  };
  /** @param {DragEvent} event */
  const drop = (event) => {
    tell(false);
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    void openTraceFile(file);
  };
  const listeners = /** @type {const} */ ([["dragover", over], ["dragleave", leave], ["drop", drop]]);
  for (const [name, listener] of listeners) window.addEventListener(name, listener, true);
  return () => {
    for (const [name, listener] of listeners) window.removeEventListener(name, listener, true);
  };
}
