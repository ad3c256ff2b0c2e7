/**
 * The programs of the page, of which one is in the editor. What the store holds belongs to that one; the others wait
 * here with what they last showed. All of them are kept in the browser.
 */
import { batch, computed, effect, signal } from "@preact/signals";
import { remember, rememberedDocument } from "./memory.js";
import {
  breakpoints, code, codeOfTrace, example, fault, origin, playing, run, selection, showTrace, step, trace,
} from "./store.js";

/**
 * @typedef {object} Program
 * @property {number} id  never given twice on one page
 * @property {string} code
 * @property {string | null} example  the example it is, letter by letter
 * @property {string | null} origin  the example it began as
 * @property {readonly number[]} breakpoints
 * @property {{ trace: import("./wire").Trace, program: string, step: number } | null} shown  its last run
 */

/** With as many programs no further one is begun by hand. */
export const MOST_PROGRAMS = 12;

/** @param {number} id @param {Partial<Program>} [rest] @returns {Program} */
const made = (id, rest = {}) => ({ id, code: "", example: null, origin: null, breakpoints: [], shown: null, ...rest });

/** @type {import("@preact/signals").Signal<readonly Program[]>} */
const parked = signal([made(1)]);

/** The program in the editor. */
export const openId = signal(1);

/** The one that was closed last, for whoever closed it by mistake. @type {import("@preact/signals").Signal<Program | null>} */
export const closed = signal(/** @type {Program | null} */ (null));

/** @param {readonly Program[]} list */
const newId = (list) => Math.max(...list.map((each) => each.id), closed.peek()?.id ?? 0) + 1;

/** All programs, the open one as it is now but for its run. */
export const programs = computed(() => {
  const now = { code: code.value, example: example.value, origin: origin.value, breakpoints: breakpoints.value };
  return parked.value.map((each) => (each.id === openId.value ? { ...each, ...now } : each));
});

/** All programs, with the run of the open one: what is to be left. */
function leaving() {
  const shown = trace.peek() && { trace: trace.peek(), program: codeOfTrace.peek(), step: step.peek() };
  return programs.peek().map((each) => (each.id === openId.peek() ? { ...each, shown: /** @type {Program["shown"]} */ (shown) } : each));
}

/** Put a program of the list into the editor, with the run it showed, or none. @param {readonly Program[]} list @param {number} id */
function bring(list, id) {
  const next = list.find((each) => each.id === id);
  if (!next) return;
  batch(() => {
    parked.value = list;
    openId.value = id;
    code.value = next.code;
    example.value = next.example;
    origin.value = next.origin;
    breakpoints.value = next.breakpoints;
    fault.value = null;
    playing.value = false;
    run.value = { state: next.shown ? "ready" : "idle", problem: null };
    if (next.shown) showTrace(next.shown.trace, next.shown.program, next.shown.step);
    else {
      trace.value = null;
      codeOfTrace.value = "";
      step.value = -1;
      selection.value = null;
    }
  });
}

/** @param {number} id @returns {boolean} whether it has a run to show */
export function openProgram(id) {
  if (id === openId.peek()) return true;
  bring(leaving(), id);
  return trace.peek() !== null;
}

/** A program of its own, in the editor at once. @param {Partial<Program>} [rest] */
export function addProgram(rest) {
  const list = leaving();
  const id = newId(list);
  bring([...list, made(id, rest)], id);
}

/** @param {number} id */
export function closeProgram(id) {
  const list = leaving();
  const at = list.findIndex((each) => each.id === id);
  if (at < 0 || list.length === 1) return;
  closed.value = list[at];
  const rest = list.filter((each) => each.id !== id);
  if (id === openId.peek()) bring(rest, rest[Math.max(at - 1, 0)].id);
  else parked.value = rest;
}

/** The program that was closed last, back in its window. */
export function reopenProgram() {
  const back = closed.peek();
  if (!back) return;
  closed.value = null;
  bring([...leaving(), back], back.id);
}

/**
 * Make room for a program that a link brings: where it is already, else in place of an unchanged example, else beside
 * what is there. Text that somebody wrote is never overwritten.
 * @param {{ code: string, example: string | null }} given
 * @param {boolean} over  whether what is in the editor was written by nobody
 */
export function admit({ code: text, example: id }, over) {
  const same = programs.peek().find((each) => each.code === text);
  if (same) openProgram(same.id);
  else if (!over && example.peek() === null) return addProgram({ code: text, example: id, origin: id });
  batch(() => {
    code.value = text;
    example.value = id;
    if (id) origin.value = id;
  });
}

/** A program beside the others, if it is not among them; the open one stays. @param {string} text @returns {number} its id */
export function parkProgram(text) {
  const same = programs.peek().find((each) => each.code === text);
  if (same) return same.id;
  const id = newId(parked.peek());
  parked.value = [...parked.peek(), made(id, { code: text })];
  return id;
}

const KEPT = "programs";

/** The programs of last time. @returns {boolean} whether there were any */
export function restorePrograms() {
  const kept = rememberedDocument(KEPT);
  const list = (Array.isArray(kept?.list) ? kept.list : []).flatMap((/** @type {any} */ each, /** @type {number} */ at) => {
    if (typeof each?.code !== "string") return [];
    const word = (/** @type {unknown} */ text) => (typeof text === "string" ? text : null);
    const lines = Array.isArray(each.breakpoints) ? each.breakpoints.filter(Number.isInteger) : [];
    const id = Number.isInteger(each.id) ? each.id : at + 1;
    return [made(id, { code: each.code, example: word(each.example), origin: word(each.origin), breakpoints: lines })];
  });
  const ids = new Set(list.map((/** @type {Program} */ each) => each.id));
  if (list.length === 0 || ids.size < list.length) return false;
  bring(list, ids.has(kept.open) ? kept.open : list[0].id);
  return true;
}

/** Keep them from now on. */
export const keepPrograms = () =>
  effect(() => {
    const list = programs.value.map(({ shown: _, ...rest }) => rest);
    remember(KEPT, JSON.stringify({ open: openId.value, list }), { own: true });
  });
