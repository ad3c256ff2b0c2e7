/** Writes a GIF off the page's thread: counting colours and packing pixels takes longer than drawing them. */
import { gifWriter } from "./gif.js";

/**
 * @typedef {{ begin: { width: number, height: number, samples: Uint8ClampedArray[] } }
 *   | { frame: import("./gif.js").Frame } | { end: true }} Told
 */

/** @type {ReturnType<typeof gifWriter> | null} */
let writer = null;

self.onmessage = (/** @type {MessageEvent<Told>} */ { data }) => {
  if ("begin" in data) writer = gifWriter(data.begin.width, data.begin.height, data.begin.samples);
  else if ("frame" in data) writer?.add(data.frame);
  // Each message is answered, so that no more than one picture waits.
  self.postMessage({ blob: "end" in data ? writer?.end() : null });
};
