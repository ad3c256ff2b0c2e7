/**
 * The page's side of the layout worker. Only the newest plan counts: a layout still running when another is asked for
 * is ended with its worker, since a layout cannot be interrupted from inside.
 * @typedef {import("./types.js").Plan} Plan
 * @typedef {import("./types.js").Placed} Placed
 * @typedef {import("./sheet.js").Sheet} Sheet
 * @typedef {import("./sheet.js").Places} Places
 */
import { placedOf, sameSheet, sheetOf } from "./sheet.js";

/** Items up to which the way to the worker and back takes longer than the layout itself. */
const FEW = 60;

/** @typedef {(sheet: Sheet) => Places} Layout */

/**
 * @param {() => Worker} start  makes a worker
 * @param {() => Promise<Layout | null>} [load]  the layout for the page itself, asked for once there is a picture; a
 *   small graph is then laid out where it stands, without a wait for the worker
 */
export function layoutClient(start, load) {
  /** @type {Layout | null} */
  let here = null;
  let loading = false;
  /** @type {Worker | null} */
  let worker = null;
  /** @type {((error: Error) => void) | null} */
  let giveUp = null;
  let latest = 0;
  /** What was last laid out: a run that changed numbers alone asks for the same again. @type {{ sheet: Sheet, places: Places } | null} */
  let known = null;

  function stop() {
    worker?.terminate();
    worker = null;
    giveUp?.(new DOMException("superseded", "AbortError"));
    giveUp = null;
  }

  /** @param {Sheet} sheet @param {((part: number) => void) | undefined} report @returns {Promise<Places>} */
  function ask(sheet, report) {
    if (giveUp) stop();
    const running = (worker ??= start());
    latest += 1;
    const id = latest;
    const asked = performance.now();
    return new Promise((resolve, reject) => {
      giveUp = reject;
      running.onmessage = ({ data }) => {
        if (data.id !== id) return;
        if (data.part !== undefined) {
          report?.(data.part);
          return;
        }
        giveUp = null;
        // Seen in the browser's own tools: the wait for the places, and what of it the layout itself took.
        performance.measure("layout", { start: asked, detail: { boxes: sheet.items, took: data.took ?? 0 } });
        resolve(data.places);
      };
      running.onerror = (event) => {
        giveUp = null;
        worker = null;
        running.terminate();
        reject(new Error(event.message));
      };
      running.postMessage({ id, sheet });
    });
  }

  /** @param {Layout} layout @param {Sheet} sheet */
  function atOnce(layout, sheet) {
    const start = performance.now();
    const places = layout(sheet);
    performance.measure("layout", { start, detail: { boxes: sheet.items, took: performance.now() - start } });
    return places;
  }

  function prepare() {
    loading = true;
    void load?.().then((layout) => {
      here = layout;
    });
  }

  return {
    /**
     * Rejects with an AbortError when superseded or stopped.
     * @param {Plan} plan
     * @param {(part: number) => void} [report]  told how much of it is done, from 0 to 1
     * @returns {Promise<Placed>}
     */
    async layout(plan, report) {
      const sheet = sheetOf(plan);
      const same = known !== null && sameSheet(known.sheet, sheet);
      const near = here && sheet.items <= FEW ? here : null;
      if (giveUp && (same || near)) stop();
      if (!known || !same) known = { sheet, places: near ? atOnce(near, sheet) : await ask(sheet, report) };
      if (!loading) prepare();
      return placedOf(plan, known.places);
    },
    stop,
  };
}
