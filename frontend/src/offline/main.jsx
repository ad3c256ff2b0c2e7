/** The player of a saved run: one file that needs no server. */
import { render } from "preact";
import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/layout.css";
import "../styles/panels.css";
import "../styles/cards.css";
import "../styles/values.css";
import "../styles/player.css";
import "../styles/share.css";
import "../styles/offline.css";
import { applyAppearance } from "../appearance.js";
import { listenToKeys } from "../keys.js";
import { checkTrace } from "../model/checkTrace.js";
import { startClock } from "../player/control.js";
import { code, fileProblem, language, showTrace, theme } from "../store.js";
import { OfflineApp } from "./OfflineApp.jsx";

/** @typedef {{ trace: unknown, program: string, step: number, language: "en" | "zh", theme: "auto" | "light" | "dark" }} Saved */

const saved = /** @type {Saved} */ (JSON.parse(document.getElementById("run")?.textContent ?? "{}"));
language.value = saved.language;
theme.value = saved.theme;
const { trace, problem } = checkTrace(saved.trace);
if (trace) {
  code.value = saved.program;
  showTrace(trace, saved.program, saved.step);
} else fileProblem.value = problem;
applyAppearance();
startClock();
listenToKeys(document);
render(<OfflineApp />, /** @type {HTMLElement} */ (document.getElementById("app")));
