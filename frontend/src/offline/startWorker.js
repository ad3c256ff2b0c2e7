/** A stand-in for the layout worker: a file that was opened from disk may start none. */
import { layoutSheet } from "../layout/layout.js";

/** Answers as the worker does, after the page has had its turn. */
export function startLayoutWorker() {
  let ended = false;
  const stand = {
    onmessage: /** @type {((event: { data: unknown }) => void) | null} */ (null),
    onerror: /** @type {((event: { message: string }) => void) | null} */ (null),
    terminate: () => {
      ended = true;
    },
    /** @param {import("../layout/worker.js").Asked} message */
    postMessage: (message) =>
      void setTimeout(() => {
        if (!ended && "sheet" in message) stand.onmessage?.({ data: { id: message.id, places: layoutSheet(message.sheet) } });
      }),
  };
  return /** @type {Worker} */ (/** @type {unknown} */ (stand));
}

/** What stands in for the worker is in the page already. */
export const loadLayout = async () => null;
