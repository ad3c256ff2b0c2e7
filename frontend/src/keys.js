/** The page's keyboard: the player's keys wherever nothing else needs them, run with Ctrl/Cmd + Enter everywhere. */
import { press } from "./player/control.js";
import { comparing, helping, lecture, panel, searching, select, trace } from "./store.js";

/** What uses these keys itself. */
const TYPING = "input, select, textarea, .editor:not(.listing), dialog, [role=tablist]";

/** @param {Document} document @param {{ run?: () => void }} [can]  `run`: where there is a server to run programs */
export function listenToKeys(document, { run } = {}) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "Enter" && run) {
        event.preventDefault();
        run();
      }
      if (event.key.toLowerCase() !== "f" || event.shiftKey || !trace.value) return;
      event.preventDefault();
      panel.value = "graph";
      searching.value = true;
      /** @type {HTMLElement | null} */ (document.querySelector(".search input"))?.focus();
      return;
    }
    if (comparing.value) return; // the player is out of sight
    const target = /** @type {Element} */ (event.target);
    if (target.closest(TYPING)) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    if (target.closest("[data-scrolls]") && /^(Arrow(Up|Down)|Page|Home|End)/.test(event.key)) return;
    if (event.key === "?") helping.value = true;
    if (event.key === "l" || event.key === "L") lecture.value = !lecture.value;
    if (event.key === "Escape") select(null);
    if (press(event.key)) event.preventDefault();
  });
}
