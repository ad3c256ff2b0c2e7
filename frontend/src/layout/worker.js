/**
 * The worker around `layoutSheet`: one message in; how far it is, now and then, and the places out. It may be asked to
 * warm up before there is anything to lay out: code that has run a few times runs several times as fast.
 */
import { layoutSheet } from "./layout.js";
import { buffersOf } from "./sheet.js";
import { practice } from "./practice.js";

/** Milliseconds between two words of progress. */
const PAUSE = 60;

/** @typedef {{ id: number, sheet: import("./sheet.js").Sheet } | { warm: true }} Asked */

let asked = false;

self.onmessage = (/** @type {MessageEvent<Asked>} */ { data }) => {
  if ("warm" in data) {
    warm(practice());
    return;
  }
  asked = true;
  const begun = performance.now();
  let told = begun;
  const places = layoutSheet(data.sheet, (part) => {
    const now = performance.now();
    if (now - told < PAUSE) return;
    told = now;
    self.postMessage({ id: data.id, part });
  });
  self.postMessage({ id: data.id, places, took: performance.now() - begun }, { transfer: buffersOf(places) });
};

/** One layout after the other, and what is really asked for between them. @param {Generator<import("./sheet.js").Sheet>} sheets */
function warm(sheets) {
  const { done, value } = sheets.next();
  if (done || asked) return;
  layoutSheet(value);
  setTimeout(() => warm(sheets));
}
