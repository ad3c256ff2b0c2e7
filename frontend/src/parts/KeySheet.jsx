import { helping } from "../store.js";
import { t } from "../i18n/translate.js";
import { Dialog } from "./Dialog.jsx";

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

/** @type {import("../i18n/translate.js").TextKey[][]} */
const HAND = [
  ["hand.drag", "hand.drag.does"],
  ["hand.zoom", "hand.zoom.does"],
  ["hand.box", "hand.box.does"],
  ["hand.line", "hand.line.does"],
  ["hand.time", "hand.time.does"],
];

/** What hand and keys do, at a glance. */
export function KeySheet() {
  return (
    <Dialog testId="key-sheet" titleId="keys-title" title={t("keys.title")} open={helping}>
      <dl class="key-list">
        {HAND.map(([how, what]) => (
          <div key={how}>
            <dt>{t(how)}</dt>
            <dd>{t(what)}</dd>
          </div>
        ))}
      </dl>
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
    </Dialog>
  );
}
