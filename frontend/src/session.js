/** What the page does with the server: load the examples, run a program, show what came back. */
import { batch, effect, signal } from "@preact/signals";
import { getExamples, postRun } from "./api.js";
import { openCompared } from "./compare/link.js";
import { DEFAULT_PROGRAM } from "./defaultProgram.js";
import { linked } from "./linked.js";
import { isThere, stepAgain } from "./model/again.js";
import { indexTrace } from "./model/index.js";
import { guessStep } from "./model/question.js";
import { addProgram, admit, closeProgram, openProgram, reopenProgram } from "./programs.js";
import { breakpoints, code, codeOfTrace, comparing, example, fault, live, origin, playing, run, select, selection, showTrace, stale, step, trace } from "./store.js";

/** @typedef {import("./wire").ExampleList} ExampleList */

/** @type {import("@preact/signals").Signal<ExampleList | null>} */
export const examples = signal(/** @type {ExampleList | null} */ (null));

export const SEED = 0;

/** @type {AbortController | null} */
let running = null;

/** Where a run that takes its time stands. @type {import("@preact/signals").Signal<import("./wire").RunProgress | null>} */
export const progress = signal(/** @type {import("./wire").RunProgress | null} */ (null));

/**
 * Run what the editor holds. A run that is still going is given up for the new one.
 * @param {{ show?: (trace: import("./wire").Trace) => number, live?: boolean }} [how]
 *   `show` picks the step to begin at; the last one else. `live`: nobody pressed Run
 * @returns {Promise<boolean>} whether a trace came back
 */
export async function runProgram({ show, live: byItself = false } = {}) {
  const program = code.value;
  running?.abort();
  if (program.trim() === "") {
    run.value = { state: "failed", problem: { kind: "empty", status: 0, detail: "", retryAfter: null } };
    return false;
  }
  const mine = new AbortController();
  running = mine;
  run.value = { state: "running", problem: null };
  progress.value = null;
  const { ok, refusal } = await postRun(program, SEED, mine.signal, undefined, (now) => {
    if (running === mine) progress.value = now;
  });
  if (running !== mine) return false;
  running = null;
  progress.value = null;
  if (refusal) {
    if (byItself && refusal.kind === "busy" && waits < MOST_WAITS) waitFor(refusal.retryAfter ?? 1);
    else run.value = { state: "failed", problem: refusal };
    return false;
  }
  waits = 0;
  batch(() => {
    run.value = { state: "ready", problem: null };
    if (byItself && ok.outcome.error) showOnceRested(ok, program, show);
    else showTrace(ok, program, show?.(ok));
  });
  if (!examples.value) void loadExamples();
  return true;
}

/** How long a program that is being typed may stand with half a word before what is wrong with it is said, in milliseconds. */
const HALF_A_WORD = 700;

/**
 * Show a program that failed while it is typed, once it has stood so for a while; one that cannot be read leaves the
 * last picture.
 * @param {import("./wire").Trace} failed @param {string} program @param {((trace: import("./wire").Trace) => number) | undefined} show
 */
function showOnceRested(failed, program, show) {
  setTimeout(() => {
    const { error } = failed.outcome;
    if (code.value !== program || !stale.value || running || !error) return;
    if (failed.tensors.length === 0 && isSyntax(error)) fault.value = faultOf(program, error);
    else showTrace(failed, program, show?.(failed));
  }, HALF_A_WORD);
}

/** Give the run up, here and on the server. */
export function cancelRun() {
  running?.abort();
  running = null;
  progress.value = null;
  run.value = { state: trace.value ? "ready" : "idle", problem: null };
}

/** @param {import("./wire").ErrorInfo} error */
const isSyntax = (error) => error.explanation === "syntax" || /^(Syntax|Indentation|Tab)Error$/.test(error.type);

/** @param {string} program @param {import("./wire").ErrorInfo} error */
const faultOf = (program, error) => ({ program, line: error.line, column: error.column ?? null, text: `${error.type}: ${error.message}` });

/** Pause in typing after which a program is read, in milliseconds. */
const READING_PAUSE = 400;

/**
 * Say what Python cannot read in a program that was changed, before anybody runs it: it is compiled, and stopped
 * before its first line. A server that is out of reach is told of when the program is run.
 * @returns {() => void} stop
 */
export function keepReading() {
  return effect(() => {
    const program = code.value;
    const begun = examples.value !== null || run.value.state !== "idle"; // the first program is about to be run
    const idle = begun && !live.value && run.value.state !== "running";
    if (!idle || program === codeOfTrace.value || program.trim() === "") return undefined;
    const mine = new AbortController();
    const timer = setTimeout(async () => {
      const { ok } = await postRun(program, SEED, mine.signal, { until: { line: 1 } });
      const error = ok?.outcome.error;
      if (error && isSyntax(error) && !mine.signal.aborted) fault.value = faultOf(program, error);
    }, READING_PAUSE);
    return () => {
      clearTimeout(timer);
      mine.abort();
    };
  });
}

/** How often in a row a busy server is waited for before the reader is told. */
const MOST_WAITS = 3;
let waits = 0;
/** Until when nothing is run by itself, in milliseconds. */
let quietUntil = 0;
/** The program last run by itself. */
const tried = signal("");

/** Nobody pressed Run, so nobody is told that the server is busy: the program is run once it may be. @param {number} seconds */
function waitFor(seconds) {
  waits += 1;
  quietUntil = Date.now() + seconds * 1000;
  batch(() => {
    tried.value = "";
    run.value = { state: "ready", problem: null };
  });
}

/** What is typed while a run is under way waits for it, though no longer than this: then that run is given up, in milliseconds. */
const PATIENCE = 300;

/**
 * Run the program whenever it was changed, while that is wanted: where it was, or at its end if that was shown. A change
 * is run at once; those made during a run are run together after it. A program that cannot be read yet, as happens
 * while it is typed, leaves the last picture standing, and no program is tried twice but by a server that was busy.
 * @returns {() => void} stop
 */
export function keepLive() {
  [waits, quietUntil] = [0, 0];
  tried.value = "";
  return effect(() => {
    if (!live.value || !trace.value || !stale.value || code.value.trim() === "" || code.value === tried.value) return undefined;
    let wanted = true;
    const begin = () => {
      if (!wanted) return;
      tried.value = code.peek();
      void runLive();
    };
    const pause = Math.max(run.value.state === "running" ? PATIENCE : 0, quietUntil - Date.now());
    // At once if it may be: the server works while the editor still draws the letter.
    const timer = pause > 0 ? setTimeout(begin, pause) : void queueMicrotask(begin);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  });
}

async function runLive() {
  if (fault.value?.program === code.value) return;
  const [before, at, chosen] = [trace.value, step.value, selection.value];
  const show = (/** @type {import("./wire").Trace} */ next) => (before && stepAgain(before, at, next)) ?? atTheGuess(next);
  await runProgram({ show, live: true });
  const after = trace.value;
  if (before && after && after !== before && chosen && !selection.value && isThere(before, chosen, after)) select(chosen);
}

/** Begin where the gradient is about to arrive at a leaf; at the end of a run that failed. @param {import("./wire").Trace} trace */
function atTheGuess(trace) {
  const guess = trace.outcome.status === "ok" ? guessStep(indexTrace(trace)) : null;
  return guess ?? trace.steps.length - 1;
}

/**
 * Put an example into the editor and run it.
 * @param {string} id
 * @param {(trace: import("./wire").Trace) => number} [show]
 */
export async function openExample(id, show = atTheGuess) {
  const found = examples.value?.examples.find((item) => item.id === id);
  if (!found) return false;
  batch(() => {
    code.value = found.code;
    example.value = id;
    origin.value = id;
  });
  return runProgram({ show });
}

/** Another program into the editor, run if it has shown nothing yet. @param {() => unknown} change */
async function turnTo(change) {
  if (running) cancelRun();
  change();
  if (!trace.value && code.value.trim() !== "") await runProgram({ show: atTheGuess });
}

/** @param {number} id */
export const turnToProgram = (id) => turnTo(() => openProgram(id));
/** An empty one. */
export const startProgram = () => turnTo(() => addProgram());
/** @param {number} id */
export const endProgram = (id) => turnTo(() => closeProgram(id));
export const restoreProgram = () => turnTo(reopenProgram);

/** Text typed by the user: it is no example any more. @param {string} text */
export function edit(text) {
  if (text === code.value) return;
  batch(() => {
    code.value = text;
    const named = examples.value?.examples.find((item) => item.id === example.value);
    if (named && named.code !== text) example.value = null;
  });
}

/** The examples, null while the server cannot be reached. */
async function loadExamples() {
  const { ok } = await getExamples();
  examples.value = ok;
  return ok;
}

/**
 * First thing on a page that was opened: the program of the link, else the program of last time, else the first example.
 * @param {import("./address.js").Wanted} wanted
 */
export async function open(wanted) {
  if (!wanted.compared) comparing.value = false;
  const given = await linked(wanted);
  const fresh = code.value === "";
  if (fresh) code.value = given?.code ?? DEFAULT_PROGRAM;
  const list = await loadExamples();
  if (given?.refusal) {
    run.value = { state: "failed", problem: given.refusal };
    return;
  }
  const named = list?.examples.find((item) => item.id === wanted.example) ?? (fresh ? list?.examples[0] : undefined);
  if (given?.code) admit({ code: given.code, example: null }, fresh);
  else if (named) admit({ code: named.code, example: named.id }, fresh);
  if (wanted.breakpoints) breakpoints.value = wanted.breakpoints;
  const show = (/** @type {import("./wire").Trace} */ trace) => wanted.step ?? (wanted.play ? 0 : atTheGuess(trace));
  if (await runProgram({ show })) {
    select(wanted.selection);
    if (wanted.play) playing.value = true;
  }
  if (!wanted.compared) return;
  const problem = await openCompared(wanted.compared);
  if (problem) run.value = { state: "failed", problem };
}
