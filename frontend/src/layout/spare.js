/** A worker that is started and warm before anything is laid out, while the first run is still under way. */
import { startLayoutWorker } from "./startWorker.js";

/** @type {Worker | null} */
let spare = null;

/** Have one ready. */
export function prepareLayoutWorker() {
  if (spare) return;
  spare = startLayoutWorker();
  spare.postMessage({ warm: true });
}

/** The one that is ready, or a new one. */
export function takeLayoutWorker() {
  const worker = spare ?? startLayoutWorker();
  spare = null;
  return worker;
}
