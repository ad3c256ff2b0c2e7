/**
 * The one state of the page. Everything shown is a function of (trace, step, selection) and of these few
 * preferences; nothing else is remembered anywhere. `SHAREABLE` is the part of the table that lives in the URL.
 */
import { batch, computed, signal } from "@preact/signals";
import { indexTrace } from "./model/index.js";

/** @typedef {import("./wire").Trace} Trace */
/** @typedef {{ kind: "tensor" | "op" | "node", id: number }} Thing */
/** @typedef {"idle" | "running" | "ready" | "failed"} RunState */
/** @typedef {{ from: number, to: number, jump: boolean }} Transition */
/** @typedef {"code" | "graph" | "step" | "inspect"} Panel */
/** @typedef {{ x: number, y: number, k: number }} Place  a point of the graph in the middle of the stage, and the zoom */

/** @type {import("@preact/signals").Signal<Trace | null>} */
export const trace = signal(/** @type {Trace | null} */ (null));

/** Index of the last step that has happened; -1 before anything has. */
export const step = signal(-1);

/** How the current step was reached: the graph animates neighbours and cuts on a jump. */
export const transition = signal(/** @type {Transition} */ ({ from: -1, to: -1, jump: true }));

/** @type {import("@preact/signals").Signal<Thing | null>} */
export const selection = signal(/** @type {Thing | null} */ (null));

/** @type {import("@preact/signals").Signal<Thing | null>} */
export const hovered = signal(/** @type {Thing | null} */ (null));

/** The editor line under the pointer, 1-based. */
export const hoveredLine = signal(/** @type {number | null} */ (null));

export const playing = signal(false);
export const speed = signal(1);

/** The steps that are played over and over. */
export const loop = signal(/** @type {import("./player/player.js").Loop | null} */ (null));

/** @type {import("@preact/signals").Signal<"auto" | "light" | "dark">} */
export const theme = signal(/** @type {"auto" | "light" | "dark"} */ ("auto"));

/** @type {import("@preact/signals").Signal<"en" | "zh">} */
export const language = signal(/** @type {"en" | "zh"} */ ("en"));

/** The panel a narrow screen shows; a wide one shows all. */
export const panel = signal(/** @type {Panel} */ ("graph"));

/** Text of the program in the editor, and the text `trace` is a run of. */
export const code = signal("");
export const codeOfTrace = signal("");

/** @type {import("@preact/signals").Signal<string | null>} */
export const example = signal(/** @type {string | null} */ (null));

/** The example the program in the editor began as, whatever became of it. */
export const origin = signal(/** @type {string | null} */ (null));

export const run = signal(/** @type {{ state: RunState, problem: import("./api.js").Refusal | null }} */ ({
  state: "idle",
  problem: null,
}));

/** How the page stands in another one: whether it does, and which parts are left out. */
export const frame = signal({ embed: false, hide: /** @type {ReadonlySet<import("./model/links.js").Part>} */ (new Set()) });

/** How the backward nodes are drawn. */
export const drawing = signal(/** @type {"auto" | "twins" | "badges"} */ ("auto"));

/** Where the camera was moved to by hand; null while it places itself. */
export const place = signal(/** @type {Place | null} */ (null));

/** The groups folded by hand, as their keys: "s2,lap1", or "none"; null while the page chooses. */
export const folds = signal(/** @type {string | null} */ (null));

/** Whether the share dialog is open. */
export const sharing = signal(false);

/** Whether two programs are shown side by side. */
export const comparing = signal(false);

/** Which two: "program:3" or "example:diamond"; empty while none is chosen. */
export const compared = { before: signal(""), after: signal("") };

/** What is chosen there, and in the graph of which of the two. @type {import("@preact/signals").Signal<{ side: "before" | "after", thing: Thing } | null>} */
export const comparedThing = signal(/** @type {{ side: "before" | "after", thing: Thing } | null} */ (null));

/** Lines of the program at which the player stops. */
export const breakpoints = signal(/** @type {readonly number[]} */ ([]));

/** Whether a change of the program is run by itself; so it is for whoever has not said otherwise. */
export const live = signal(false);

/** Why the program as it is now cannot be read, while an earlier run is still shown. */
export const fault = signal(/** @type {{ program: string, line: number | null, column: number | null, text: string } | null} */ (null));

/** Large type and little else, for a hall. */
export const lecture = signal(false);

/** Whether the sheet of keys is open. */
export const helping = signal(false);

/** Why a file could not be opened. */
export const fileProblem = signal(/** @type {import("./model/checkTrace.js").Problem | null} */ (null));

/** What is lit around the selection: all that leads to or from it, or one of these. */
export const relation = signal(/** @type {"all" | "before" | "after"} */ ("all"));

/** The other end, when all paths from the selection to it are shown. */
export const pathTo = signal(/** @type {Thing | null} */ (null));

/** Whether the next thing chosen becomes that other end. */
export const picking = signal(false);

/** What colours of boxes stand for. */
export const paint = signal(/** @type {import("./scene/tint.js").Paint} */ ("kind"));

/** What the graph is asked to unfold and bring near; null once it has. */
export const sought = signal(/** @type {Thing | null} */ (null));

/** Whether the search is open. */
export const searching = signal(false);

/** Whether the training view lies over the graph. */
export const training = signal(false);

/** Lookup tables over the trace; see model/index.js. */
export const index = computed(() => (trace.value ? indexTrace(trace.value) : null));

/** The step now shown, or null before anything has happened. */
export const current = computed(() => trace.value?.steps[step.value] ?? null);

/** True once the editor holds something else than the program that was run. */
export const stale = computed(() => trace.value !== null && code.value !== codeOfTrace.value);

/** Duration of the animation between two neighbouring steps, in milliseconds. */
export const stepDuration = computed(() => Math.min(400, Math.max(150, 350 / speed.value)));

/**
 * Move to a step. Out-of-range targets are clamped.
 * @param {number} target
 */
export function goTo(target) {
  const last = (trace.value?.steps.length ?? 0) - 1;
  const to = Math.max(Math.min(target, last), Math.min(0, last));
  const from = step.value;
  if (to === from) return;
  batch(() => {
    transition.value = { from, to, jump: Math.abs(to - from) !== 1 };
    step.value = to;
  });
}

/**
 * Show a new run from a given step.
 * @param {Trace} next
 * @param {string} program
 * @param {number} [at]
 */
export function showTrace(next, program, at = next.steps.length - 1) {
  batch(() => {
    trace.value = next;
    fault.value = null;
    codeOfTrace.value = program;
    selection.value = null;
    pathTo.value = null;
    picking.value = false;
    sought.value = null;
    hovered.value = null;
    playing.value = false;
    loop.value = null;
    const to = Math.max(Math.min(at, next.steps.length - 1), -1);
    transition.value = { from: to, to, jump: true };
    step.value = to;
  });
}

/**
 * Choose a thing; while the other end of a path is asked for, it becomes that.
 * @param {Thing | null} thing
 */
export function select(thing) {
  batch(() => {
    const end = picking.value && thing !== null && selection.value !== null && !same(thing, selection.value);
    if (!end) selection.value = thing;
    pathTo.value = end ? thing : null;
    picking.value = false;
  });
}

/** Choose a thing and bring it near, whatever panel is shown. @param {Thing} thing */
export function jumpTo(thing) {
  batch(() => {
    select(thing);
    sought.value = thing;
    panel.value = "graph";
  });
}

/** @param {Thing | null} a @param {Thing | null} b */
export const same = (a, b) => a?.kind === b?.kind && a?.id === b?.id;
