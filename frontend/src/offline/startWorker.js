/** A stand-in for the layout worker: a file that was opened from disk may start none. */
import { layoutPlan } from "../layout/layout.js";

/** Answers as the worker does, after the page has had its turn. */
export function startLayoutWorker() {
  let ended = false;
  const stand = {
    onmessage: /** @type {((event: { data: unknown }) => void) | null} */ (null),
    onerror: /** @type {((event: { message: string }) => void) | null} */ (null),
    terminate: () => {
      ended = true;
    },
    /** @param {{ id: number, plan: import("../layout/types.js").Plan }} message */
    postMessage: ({ id, plan }) =>
      void setTimeout(() => {
        if (!ended) stand.onmessage?.({ data: { id, placed: layoutPlan(plan) } });
      }),
  };
  return /** @type {Worker} */ (/** @type {unknown} */ (stand));
}
