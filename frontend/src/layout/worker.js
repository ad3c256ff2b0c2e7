/** The worker around `layoutPlan`: one message in; how far it is, now and then, and the places out. */
import { layoutPlan } from "./layout.js";

/** Milliseconds between two words of progress. */
const PAUSE = 60;

self.onmessage = (/** @type {MessageEvent<{ id: number, plan: import("./types.js").Plan }>} */ { data }) => {
  const begun = performance.now();
  let told = begun;
  const placed = layoutPlan(data.plan, (part) => {
    const now = performance.now();
    if (now - told < PAUSE) return;
    told = now;
    self.postMessage({ id: data.id, part });
  });
  self.postMessage({ id: data.id, placed, took: performance.now() - begun });
};
