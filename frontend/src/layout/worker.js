/** The worker around `layoutPlan`: one message in, one out. */
import { layoutPlan } from "./layout.js";

self.onmessage = (/** @type {MessageEvent<{ id: number, plan: import("./types.js").Plan }>} */ { data }) => {
  self.postMessage({ id: data.id, placed: layoutPlan(data.plan) });
};
