/** The page's keyboard: the player's keys wherever nothing else needs them, run with Ctrl/Cmd + Enter everywhere. */
import { press } from "./player/control.js";
import { select } from "./store.js";
import { runProgram } from "./session.js";

/** What uses these keys itself. */
const TYPING = "input, select, textarea, .editor, [role=tablist]";

/** @param {Document} document */
export function listenToKeys(document) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== "Enter") return;
      event.preventDefault();
      void runProgram();
      return;
    }
    const target = /** @type {Element} */ (event.target);
    if (target.closest(TYPING)) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    if (target.closest("[data-scrolls]") && /^(Arrow(Up|Down)|Page|Home|End)/.test(event.key)) return;
    if (event.key === "Escape") select(null);
    if (press(event.key)) event.preventDefault();
  });
}
