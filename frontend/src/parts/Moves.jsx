/** Where else the player can go: over and out of modules, to a line, to the selection; and the range it loops. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { index, loop, selection, step, trace } from "../store.js";
import { t } from "../i18n/translate.js";
import * as control from "../player/control.js";
import { Speed } from "./Speed.jsx";
import { thingName } from "./ThingLink.jsx";

export function Moves() {
  const host = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useEffect(() => {
    /** @param {Event} event */
    const away = (event) => {
      const menu = host.current;
      if (menu?.open && (event.type === "keydown" ? /** @type {KeyboardEvent} */ (event).key === "Escape" : !menu.contains(/** @type {Node} */ (event.target)))) menu.open = false;
    };
    document.addEventListener("pointerdown", away);
    document.addEventListener("keydown", away);
    return () => {
      document.removeEventListener("pointerdown", away);
      document.removeEventListener("keydown", away);
    };
  }, []);
  if (!trace.value || !index.value) return null;
  const modules = trace.value.scopes.length > 0;
  const chosen = selection.value;
  return (
    <details class="moves" ref={host} data-testid="moves">
      <summary class="button">{t("moves.title")}</summary>
      <div class="moves-body">
        <Move id="over" keys="O" text={t("moves.over")} off={!modules} act={control.over} />
        <Move id="out" keys="U" text={t("moves.out")} off={!modules} act={control.out} />
        <Move id="selection" keys="S" text={chosen ? t("moves.to", { name: thingName(chosen) }) : t("moves.selection")} off={!chosen} act={control.toSelection} />
        <Move id="previous" keys="Shift B" text={t("moves.previous")} off={trace.value.backwards.length === 0} act={control.toPreviousBackward} />
        <ToLine />
        <p class="moves-speed">
          {t("player.speed")} <Speed />
        </p>
        <Loop />
      </div>
    </details>
  );
}

/** @param {{ id: string, keys: string, text: string, off: boolean, act: () => void }} props */
const Move = ({ id, keys, text, off, act }) => (
  <button type="button" class="moves-item" data-testid={`move-${id}`} disabled={off} onClick={act}>
    <span>{text}</span> <kbd>{keys}</kbd>
  </button>
);

function ToLine() {
  const nothing = useSignal(false);
  return (
    <form
      class="moves-line"
      onSubmit={(event) => {
        event.preventDefault();
        const line = Number(new FormData(event.currentTarget).get("line"));
        nothing.value = !control.toLine(line);
      }}
    >
      <label>
        {t("moves.line")} <input name="line" type="text" inputMode="numeric" pattern="[0-9]+" autocomplete="off" required data-testid="move-line" />
      </label>
      <button type="submit" class="button">
        {t("moves.go")}
      </button>
      <span role="status" class="soft">
        {nothing.value && t("moves.nothing")}
      </span>
    </form>
  );
}

function Loop() {
  const range = loop.value;
  return (
    <div class="moves-loop" role="group" aria-label={t("loop.title")}>
      <span>{range ? t("loop.range", { from: range.from + 1, to: range.to + 1 }) : t("loop.title")}</span>
      <button type="button" class="button" data-testid="loop-from" disabled={step.value < 0} onClick={() => control.loopHere("from")}>
        {t("loop.from")}
      </button>
      <button type="button" class="button" data-testid="loop-to" disabled={step.value < 0} onClick={() => control.loopHere("to")}>
        {t("loop.to")}
      </button>
      <button type="button" class="button" data-testid="loop-clear" disabled={!range} onClick={() => (loop.value = null)}>
        {t("loop.clear")}
      </button>
    </div>
  );
}
