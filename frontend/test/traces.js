// @ts-nocheck Plain objects stand in for what the page types.
/** Runs used by the tests of the graph. Each returns a Trace. */
import { Recorder } from "./recorder.js";

/** `y = w * x + b; loss = y ** 2; loss.backward()` */
export function chain() {
  const r = new Recorder();
  r.line = 3;
  const x = r.leaf("x", [], [2]);
  r.line = 4;
  const w = r.leaf("w", [], [3]);
  r.line = 5;
  const b = r.leaf("b", [], [1]);
  r.line = 7;
  const y = r.name(r.op("add", r.op("mul", w, x), b), "y");
  r.line = 8;
  const loss = r.name(r.op("pow", y, 2), "loss");
  r.line = 9;
  r.backward(loss);
  return r.trace;
}

/** `a = x * 2; b = x * x; c = a + b`: three gradients meet at x, two of them from one node. */
export function diamond() {
  const r = new Recorder();
  const x = r.leaf("x", [], [3]);
  r.line = 2;
  const a = r.name(r.op("pow", x, 2), "a");
  r.line = 3;
  const b = r.name(r.op("relu", x), "b");
  r.line = 4;
  const c = r.name(r.op("mul", a, b), "c");
  r.line = 5;
  r.backward(c, { retain: true });
  r.line = 6;
  r.backward(c);
  return r.trace;
}

/** `h = x * x; h.add_(x); loss = h ** 2` */
export function inplace() {
  const r = new Recorder();
  const x = r.leaf("x", [], [2]);
  r.line = 2;
  const h = r.name(r.op("mul", x, x), "h");
  r.line = 3;
  r.op("add_", h, x);
  r.line = 4;
  const loss = r.name(r.op("pow", h, 2), "loss");
  r.line = 5;
  r.backward(loss);
  return r.trace;
}

/** `loss = w ** 2; loss.backward(); with torch.no_grad(): w -= 0.1` */
export function updated() {
  const r = new Recorder();
  const w = r.leaf("w", [], [2]);
  r.line = 2;
  const loss = r.name(r.op("pow", w, 2), "loss");
  r.line = 3;
  r.backward(loss);
  r.line = 4;
  r.quietly(() => r.op("sub_", w, 0.1));
  return r.trace;
}

/** `w = torch.empty(()).sub_(1); loss = w ** 2`, or with the filled tensor wrapped in a Parameter. */
export function filled({ wrapped = false } = {}) {
  const r = new Recorder();
  const data = wrapped ? r.tensor([], [3]) : r.leaf("w", [], [3]);
  r.quietly(() => r.op("sub_", data, 1));
  const w = wrapped ? r.leaf("w", [], data.flat, { parameter: true }) : data;
  w.info.storage = data.info.storage;
  r.name(r.op("pow", w, 2), "loss");
  return r.trace;
}

/** A multilayer perceptron in module calls. @param {number} layers @param {number} turns of a training loop */
export function mlp(layers = 2, turns = 1) {
  const r = new Recorder();
  const wave = (n, k) => Array.from({ length: n }, (_, i) => Math.round(100 * Math.sin(i * 1.7 + k)) / 100);
  const x = r.data("x", [4, 3], wave(12, 0));
  const goal = r.data("target", [4, 3], wave(12, 2));
  const parameters = Array.from({ length: layers }, (_, k) => ({
    weight: r.leaf(`layers.${k}.weight`, [3, 3], wave(9, k + 3), { parameter: true }),
    bias: r.leaf(`layers.${k}.bias`, [3], wave(3, k), { parameter: true }),
  }));
  const all = parameters.flatMap((each) => [each.weight, each.bias]);
  for (let turn = 0; turn < turns; turn += 1) {
    r.line = 10;
    const out = r.call("MLP", "MLP", () =>
      parameters.reduce((h, { weight, bias }, k) => {
        const z = r.call(`layers.${k}`, "Linear", () => r.op("add", r.op("mm", h, r.op("t", weight)), bias));
        return k === layers - 1 ? z : r.call(`act.${k}`, "ReLU", () => r.op("relu", z));
      }, x),
    );
    r.line = 11;
    const loss = r.name(r.op("mean", r.op("pow", r.op("sub", out, goal), 2)), "loss");
    r.line = 12;
    r.backward(loss);
    if (turns === 1) break;
    r.line = 13;
    r.optimizer("SGD", all);
    r.line = 14;
    r.zeroGrad(all);
  }
  return r.trace;
}

/** A random graph of about `count` boxes. @param {number} count */
export function synthetic(count = 2000) {
  const r = new Recorder();
  let seed = 7;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  const pool = Array.from({ length: 4 }, (_, i) => r.leaf(`x${i}`, [], [0.5 + i / 10]));
  while (r.trace.ops.length * 2 + 4 < count) {
    r.line += 1;
    const recent = () => pool[Math.max(0, pool.length - 1 - Math.floor(random() ** 3 * 40))];
    pool.push(r.op(random() < 0.5 ? "add" : "mul", recent(), map01(r, recent())));
  }
  r.backward(pool[pool.length - 1]);
  return r.trace;
}

/** Keeps products from growing without bound. */
function map01(r, box) {
  return Math.abs(box.flat[0]) > 2 ? r.op("pow", box, 0) : box;
}

/** `(v * v.relu()).mean()` of five elements: two gradients meet at v. */
export function shared() {
  const r = new Recorder();
  const v = r.leaf("v", [5], [1, -2, 3, -4, 5]);
  r.backward(r.op("mean", r.op("mul", v, r.op("relu", v))));
  return r.trace;
}

/** `loss = (w * 2 + b) ** 2` descended with a rate of 0.1, `turns` times; the loss is recorded as a series. */
export function descent(turns = 3) {
  const r = new Recorder();
  const w = r.leaf("w", [], [1]);
  const b = r.leaf("b", [1], [0.5]);
  const two = r.data("two", [], [2]);
  const points = [];
  for (let turn = 0; turn < turns; turn += 1) {
    r.line = 4;
    const loss = r.name(r.op("mean", r.op("pow", r.op("add", r.op("mul", w, two), b), 2)), "loss");
    points.push({ step: loss.info.created_step + 1, value: loss.flat[0] });
    r.line = 5;
    r.backward(loss);
    r.line = 6;
    r.optimizer("SGD", [w, b]);
    r.zeroGrad([w, b]);
  }
  r.trace.series.push({ name: "loss", line: 4, points });
  return r.trace;
}

/** Equal blocks one after the other, with an op of the model's own between them. @param {number} count */
export function tower(count = 4) {
  const r = new Recorder();
  const x = r.leaf("x", [3], [1, 2, 3]);
  const out = r.call("Tower", "Tower", () => {
    let h = r.call("stem", "Stem", () => r.op("relu", x));
    for (let at = 0; at < count; at += 1) {
      const inner = h;
      h = r.call(`blocks.${at}`, "Block", () => r.op("mul", r.op("relu", inner), inner));
      h = r.op("add", h, x);
    }
    return h;
  });
  r.backward(r.name(r.op("mean", out), "loss"));
  return r.trace;
}
