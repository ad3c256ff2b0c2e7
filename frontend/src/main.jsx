import { render } from "preact";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/panels.css";
import "./styles/cards.css";
import "./styles/values.css";
import "./styles/player.css";
import "./styles/share.css";
import "./styles/programs.css";
import { App } from "./parts/App.jsx";
import { keepAddress, readAddress } from "./address.js";
import { applyAppearance } from "./appearance.js";
import { tellParent } from "./embed.js";
import { listenToKeys } from "./keys.js";
import { prepareLayoutWorker } from "./layout/spare.js";
import { startClock } from "./player/control.js";
import { keepPrograms, restorePrograms } from "./programs.js";
import { keepLive, keepReading, open, runProgram } from "./session.js";
import { frame } from "./store.js";

prepareLayoutWorker();
const wanted = readAddress(window.location.hash, window.location.search);
// A page inside another one neither reads nor writes what its visitor keeps.
if (!frame.value.embed) restorePrograms();
applyAppearance();
startClock();
listenToKeys(document, { run: () => void runProgram() });
render(<App />, /** @type {HTMLElement} */ (document.getElementById("app")));
keepAddress();
keepLive();
keepReading();
if (!frame.value.embed) keepPrograms();
tellParent();
// Only a link that somebody follows changes the fragment so: the page itself replaces it.
window.addEventListener("hashchange", () => void open(readAddress(window.location.hash, window.location.search)));
void open(wanted);
