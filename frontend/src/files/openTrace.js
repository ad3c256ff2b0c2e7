/** Opens a trace that was saved as a file. Nothing is sent anywhere. */
import { batch } from "@preact/signals";
import { checkTrace } from "../model/checkTrace.js";
import { admit } from "../programs.js";
import { fileProblem, panel, run, showTrace } from "../store.js";

/** Bytes of a file at most. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Show a file's run, as a program of its own, or say in the page why it cannot be shown.
 * @param {File} file
 * @returns {Promise<boolean>}
 */
export async function openTraceFile(file) {
  const read = await readTrace(file);
  if (read.problem) {
    fileProblem.value = read.problem;
    return false;
  }
  const { trace, program } = read;
  batch(() => {
    fileProblem.value = null;
    admit({ code: program, example: null }, false);
    run.value = { state: "ready", problem: null };
    panel.value = "graph";
    showTrace(trace, program);
  });
  return true;
}

/**
 * @param {File} file
 * @returns {Promise<{ trace: import("../wire").Trace, program: string, problem: null }
 *                 | { trace: null, program: null, problem: import("../model/checkTrace.js").Problem }>}
 */
export async function readTrace(file) {
  const refused = (/** @type {import("../model/checkTrace.js").Problem} */ problem) => ({ trace: null, program: null, problem });
  if (file.size > MOST_BYTES) return refused({ key: "too_large", at: "" });
  let document;
  try {
    document = JSON.parse(await file.text());
  } catch (error) {
    return refused({ key: error instanceof SyntaxError ? "not_json" : "unreadable", at: "" });
  }
  const { trace, problem } = checkTrace(document);
  if (!trace) return refused(problem);
  return { trace, program: trace.program ?? "", problem: null };
}

/** A run as a file: a Trace that holds its program. @param {import("../wire").Trace} trace @param {string} program */
export const traceText = (trace, program) => JSON.stringify({ ...trace, program });
