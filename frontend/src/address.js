/**
 * The shareable part of the store as the URL's fragment: one row per signal. Preferences are also kept in the browser.
 */
import { effect, signal } from "@preact/signals";
import {
  breakpoints, codeOfTrace, comparedThing, comparing, drawing, example, folds, frame, language, lecture, live, paint, place, selection, speed, stale, step,
  theme, trace, training,
} from "./store.js";
import { SIDES, textToCarry, wordOf } from "./compare/link.js";
import { remember, remembered } from "./memory.js";
import { partsOf } from "./model/links.js";
import { pack } from "./model/pack.js";
import { openId } from "./programs.js";
import { SPEEDS } from "./player/player.js";
import { marking } from "./i18n/translate.js";
import { ZOOM } from "./graph/camera.js";
import { PAINTS } from "./scene/tint.js";

/**
 * @typedef {object} Wanted  what an opened link asks to be shown once its program has run
 * @property {string | null} example
 * @property {string | null} snippet  id of a stored program
 * @property {string | null} packed  the program itself, as pack.js packs it
 * @property {number | null} step
 * @property {import("./store.js").Thing | null} selection
 * @property {boolean} play
 * @property {import("./compare/link.js").Words | null} compared
 * @property {number[] | null} breakpoints
 */

/** Milliseconds between two history writes: browsers refuse more than about 100 in 30 s, and playing fast makes more. */
const PAUSE = 400;

/**
 * @param {string | null} text
 * @returns {import("./store.js").Thing | null}
 */
export function parseThing(text) {
  const match = /^(tensor|op|node):(\d+)$/.exec(text ?? "");
  return match ? { kind: /** @type {"tensor" | "op" | "node"} */ (match[1]), id: Number(match[2]) } : null;
}

/** @param {string | null} text  "after:node:3" */
function parsePick(text) {
  const [, side, rest] = /^(before|after):(.+)$/.exec(text ?? "") ?? [];
  const thing = parseThing(rest ?? null);
  return thing ? { side: /** @type {"before" | "after"} */ (side), thing } : null;
}

/** @param {string} text  "3,7" */
const linesOf = (text) => text.split(",").map(Number).filter((line) => Number.isInteger(line) && line > 0);

/**
 * @param {string | null} text  "x,y,zoom"
 * @returns {import("./store.js").Place | null}
 */
export function parsePlace(text) {
  const match = /^(-?\d{1,7}),(-?\d{1,7}),(\d(?:\.\d{1,3})?)$/.exec(text ?? "");
  const [x, y, k] = match ? match.slice(1).map(Number) : [0, 0, 0];
  return k >= ZOOM.least && k <= ZOOM.most ? { x, y, k } : null;
}

/** The longest program, packed, that the address carries by itself; a longer one is shared by a stored copy. */
const PACKED_MOST = 4000;

/** The programs that the address carries, packed, once they are. @type {import("@preact/signals").Signal<ReadonlyMap<string, string>>} */
const packed = signal(new Map());
/** At most so many: that of the trace and two that are compared, and one of before. */
const MOST_PACKED = 4;

/** @param {string} program @returns {string | null} null until it is packed, and where that is too long */
function packedText(program) {
  const text = packed.value.get(program);
  return text !== undefined && text.length <= PACKED_MOST ? text : null;
}

/** @param {string} program */
function keepPacked(program) {
  if (packed.peek().has(program)) return;
  void pack(program).then((text) => {
    packed.value = new Map([...packed.peek()].slice(1 - MOST_PACKED)).set(program, text);
  });
}

/** The word that carries the program of a side. @param {import("./compare/link.js").Side} side */
function carried(side) {
  const text = packedText(textToCarry(side) ?? "");
  return text === null ? null : `code:${text}`;
}

/**
 * Set the preferences an address names, else the remembered ones, else the browser's; return the rest. What the
 * fragment says outweighs the query.
 * @param {string} fragment
 * @param {string} [query]
 * @returns {Wanted}
 */
export function readAddress(fragment, query = "") {
  const fields = new URLSearchParams(query);
  for (const [name, text] of new URLSearchParams(fragment.replace(/^#/, ""))) fields.set(name, text);
  frame.value = { embed: fields.get("embed") === "1", hide: partsOf(fields.get("hide")) };
  const tongue = fields.get("lang") ?? remembered("lang") ?? navigator.language;
  marking.value = tongue === "test";
  language.value = tongue.toLowerCase().startsWith("zh") ? "zh" : "en";
  const look = fields.get("theme") ?? remembered("theme");
  theme.value = look === "light" || look === "dark" ? look : "auto";
  const pace = Number(fields.get("speed"));
  if (SPEEDS.includes(pace)) speed.value = pace;
  paint.value = PAINTS.find((each) => each === fields.get("colour")) ?? "kind";
  const mode = fields.get("view");
  drawing.value = mode === "twins" || mode === "badges" ? mode : "auto";
  place.value = parsePlace(fields.get("camera"));
  folds.value = /^[\w|.,-]{1,600}$/.exec(fields.get("fold") ?? "")?.[0] ?? null;
  lecture.value = fields.get("lecture") === "1";
  comparedThing.value = parsePick(fields.get("pick"));
  training.value = fields.get("show") === "training";
  live.value = !frame.value.embed && remembered("live") !== "0";
  const at = fields.get("step");
  return {
    example: fields.get("example"),
    snippet: fields.get("s"),
    packed: fields.get("code"),
    play: fields.get("autoplay") === "1",
    compared: fields.get("show") === "compare" ? { before: fields.get("before"), after: fields.get("after") } : null,
    step: at !== null && /^\d+$/.test(at) ? Number(at) - 1 : null,
    selection: parseThing(fields.get("select")),
    breakpoints: fields.has("break") ? linesOf(fields.get("break") ?? "") : null,
  };
}

/** What the address says besides the program. */
export function sharedFields() {
  const fields = new URLSearchParams();
  if (example.value) fields.set("example", example.value);
  if (trace.value && step.value >= 0) fields.set("step", String(step.value + 1));
  if (selection.value) fields.set("select", `${selection.value.kind}:${selection.value.id}`);
  if (speed.value !== 1) fields.set("speed", String(speed.value));
  fields.set("lang", marking.value ? "test" : language.value);
  if (theme.value !== "auto") fields.set("theme", theme.value);
  if (paint.value !== "kind") fields.set("colour", paint.value);
  if (drawing.value !== "auto") fields.set("view", drawing.value);
  if (folds.value) fields.set("fold", folds.value);
  if (place.value) fields.set("camera", [place.value.x, place.value.y, place.value.k].join());
  if (breakpoints.value.length > 0) fields.set("break", breakpoints.value.join(","));
  if (lecture.value) fields.set("lecture", "1");
  if (training.value) fields.set("show", "training");
  if (comparing.value) fields.set("show", "compare");
  for (const side of SIDES) {
    const word = comparing.value && wordOf(side, carried(side));
    if (word) fields.set(side, word);
  }
  const picked = comparing.value ? comparedThing.value : null;
  if (picked) fields.set("pick", `${picked.side}:${picked.thing.kind}:${picked.thing.id}`);
  return fields;
}

/** The fragment of the store as it is now. A program that was edited since it ran is kept by programs.js. */
function fragment() {
  const fields = sharedFields();
  const text = packedText(codeOfTrace.value);
  if (!example.value && !stale.value && text) fields.set("code", text);
  return `#${fields}`;
}

/** Keep URL and browser in step with the store. */
export function keepAddress() {
  let timer = 0;
  let written = -PAUSE;
  let inEditor = openId.peek();
  effect(() => {
    const next = fragment();
    const write = () => {
      if (!trace.peek()) return;
      written = performance.now();
      window.history.replaceState(null, "", next);
    };
    window.clearTimeout(timer);
    // At once where it can be, as a reload right after a change must find it; always where another program came.
    const another = openId.value !== inEditor;
    inEditor = openId.value;
    if (another) write();
    else timer = window.setTimeout(write, Math.max(0, written + PAUSE - performance.now()));
  });
  effect(() => {
    if (trace.value && !example.value) keepPacked(codeOfTrace.value);
  });
  effect(() => {
    if (!comparing.value) return;
    for (const text of SIDES.map(textToCarry)) if (text !== null) keepPacked(text);
  });
  if (frame.value.embed) return;
  effect(() => remember("lang", language.value));
  effect(() => remember("theme", theme.value));
  effect(() => remember("live", live.value ? "1" : "0"));
}
