/** Opens a trace that was saved as a file. Nothing is sent anywhere. */
import { batch } from "@preact/signals";
import { checkTrace } from "../model/checkTrace.js";
import { code, example, fileProblem, panel, run, showTrace } from "../store.js";

/** Bytes of a file at most. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Show a file's run, or say in the page why it cannot be shown; then what was there stays.
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
    run.value = { state: "ready", problem: null };
    example.value = null;
    code.value = program;
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
  const { program = "" } = /** @type {{ program?: unknown }} */ (document);
  return { trace, program: typeof program === "string" ? program : "", problem: null };
}

/** A run as a file: the Trace as the API answers it, with its program beside. @param {import("../wire").Trace} trace @param {string} program */
export const traceText = (trace, program) => JSON.stringify({ ...trace, program });
