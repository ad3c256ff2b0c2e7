import { useLayoutEffect, useRef } from "preact/hooks";
import { helping } from "../store.js";
import { t } from "../i18n/translate.js";
import { Icon } from "./Icon.jsx";

/** @type {Array<[string[], import("../i18n/translate.js").TextKey]>} */
const KEYS = [
  [["Ctrl", "Enter"], "keys.run"],
  [["Space"], "keys.play"],
  [["←", "→"], "keys.step"],
  [["↑", "↓"], "keys.twin"],
  [["PgUp", "PgDn"], "keys.ten"],
  [["B", "Shift B"], "keys.backward"],
  [["O", "U"], "keys.module"],
  [["S"], "keys.selection"],
  [["[", "]", "\\"], "keys.loop"],
  [["Home", "End"], "keys.ends"],
  [["Ctrl", "F"], "keys.search"],
  [["Shift", "Enter"], "keys.paths"],
  [["+", "−", "0"], "keys.zoom"],
  [["Shift", "← ↑ ↓ →"], "keys.pan"],
  [["F9"], "keys.break"],
  [["Esc", "Tab"], "keys.leave"],
  [["Esc"], "keys.escape"],
  [["L"], "keys.lecture"],
  [["?"], "keys.sheet"],
];

/** All keys at a glance. */
export function KeySheet() {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const open = helping.value;
  useLayoutEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      class="share"
      data-testid="key-sheet"
      aria-labelledby="keys-title"
      onClose={() => (helping.value = false)}
      onClick={(event) => {
        if (event.target === dialog.current) helping.value = false;
      }}
    >
      {open && (
        <div class="share-body">
          <div class="share-head">
            <h2 id="keys-title">{t("keys.title")}</h2>
            <button type="button" class="button button-icon button-quiet" aria-label={t("share.close")} onClick={() => (helping.value = false)}>
              <Icon name="close" />
            </button>
          </div>
          <dl class="key-list">
            {KEYS.map(([keys, text]) => (
              <div key={text}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{t(text)}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </dialog>
  );
}
