/**
 * The shareable part of the store as the URL's fragment: one row per signal. Preferences and the draft are also
 * kept in the browser, so that a reload loses nothing.
 */
import { effect } from "@preact/signals";
import { code, example, language, selection, speed, step, theme, trace } from "./store.js";
import { SPEEDS } from "./player/player.js";

/**
 * @typedef {{ example: string | null, draft: string | null, step: number | null, selection: import("./store.js").Thing | null }} Wanted
 * What an opened link asks to be shown once its program has run; `draft`: the program kept from last time.
 */

const DRAFT = "draft";
/** Milliseconds between two history writes: browsers refuse more than about 100 in 30 s, and playing fast makes more. */
const PAUSE = 400;

/** @param {string} key */
const remembered = (key) => {
  try {
    return window.localStorage.getItem(`autograd-playground.${key}`);
  } catch {
    return null; // storage may be blocked; the page works without
  }
};

/** @param {string} key @param {string} text */
const remember = (key, text) => {
  try {
    window.localStorage.setItem(`autograd-playground.${key}`, text);
  } catch {
    // as above
  }
};

/**
 * @param {string | null} text
 * @returns {import("./store.js").Thing | null}
 */
export function parseThing(text) {
  const match = /^(tensor|op|node):(\d+)$/.exec(text ?? "");
  return match ? { kind: /** @type {"tensor" | "op" | "node"} */ (match[1]), id: Number(match[2]) } : null;
}

/**
 * Set the preferences a fragment names, else the remembered ones, else the browser's; return the rest.
 * @param {string} fragment
 * @returns {Wanted}
 */
export function readAddress(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const tongue = fields.get("lang") ?? remembered("lang") ?? navigator.language;
  language.value = tongue.toLowerCase().startsWith("zh") ? "zh" : "en";
  const look = fields.get("theme") ?? remembered("theme");
  theme.value = look === "light" || look === "dark" ? look : "auto";
  const pace = Number(fields.get("speed"));
  if (SPEEDS.includes(pace)) speed.value = pace;
  const at = fields.get("step");
  return {
    example: fields.get("example"),
    draft: remembered(DRAFT) || null,
    step: at !== null && /^\d+$/.test(at) ? Number(at) - 1 : null,
    selection: parseThing(fields.get("select")),
  };
}

/** The fragment of the store as it is now. */
function fragment() {
  const fields = new URLSearchParams();
  if (example.value) fields.set("example", example.value);
  if (trace.value && step.value >= 0) fields.set("step", String(step.value + 1));
  if (selection.value) fields.set("select", `${selection.value.kind}:${selection.value.id}`);
  if (speed.value !== 1) fields.set("speed", String(speed.value));
  fields.set("lang", language.value);
  if (theme.value !== "auto") fields.set("theme", theme.value);
  return `#${fields}`;
}

/** Keep URL and browser in step with the store. */
export function keepAddress() {
  let timer = 0;
  let written = -PAUSE;
  effect(() => {
    const next = fragment();
    window.clearTimeout(timer);
    // At once where it can be, as a reload right after a change must find it.
    timer = window.setTimeout(
      () => {
        if (!trace.peek()) return;
        written = performance.now();
        window.history.replaceState(null, "", next);
      },
      Math.max(0, written + PAUSE - performance.now()),
    );
  });
  effect(() => remember("lang", language.value));
  effect(() => remember("theme", theme.value));
  effect(() => remember(DRAFT, example.value ? "" : code.value));
}
