import { describe, expect, it } from "vitest";
import { traces } from "./fixtures/index.js";
import { indexTrace } from "../src/model/index.js";
import * as moment from "../src/model/moment.js";
import { ledgerOf, ledgerSubject } from "../src/model/ledger.js";
import { bandsOf, nextBackward, twinStep } from "../src/model/bands.js";
import { grade, guessStep, questionAt } from "../src/model/question.js";
import { sentenceOf, titleOf } from "../src/model/sentence.js";

const chain = indexTrace(traces.chain);
const loop = indexTrace(traces.accumulate);
const twice = indexTrace(traces.twice);

/** @param {import("../src/model/index.js").Index} index @param {string} name */
const tensor = (index, name) => /** @type {any} */ (index.trace.tensors.find((item) => item.names[0] === name));
/** @param {import("../src/model/index.js").Index} index @param {string} name */
const node = (index, name) => /** @type {any} */ (index.trace.nodes.find((item) => item.name === name));

describe("a moment of the run", () => {
  it("knows no value before its tensor exists", () => {
    expect(moment.valueAt(tensor(chain, "loss"), 4)).toBeNull();
    expect(moment.valueAt(tensor(chain, "loss"), 5)?.data).toBe(49);
  });

  it("takes a gradient back when the step goes back", () => {
    expect(moment.gradAt(tensor(chain, "w"), 16)?.data).toBe(28);
    expect(moment.gradAt(tensor(chain, "w"), 12)).toBeNull();
  });

  it("shows the value and version of that time", () => {
    const w = tensor(loop, "w");
    const last = loop.trace.steps.length - 1;
    expect([moment.versionAt(w, 3), moment.versionAt(w, last)]).toEqual([0, 1]);
    expect(moment.valueAt(w, 3)?.data).toEqual([1, -2, 3]);
    expect(/** @type {number[]} */ (moment.valueAt(w, last)?.data)[0]).toBeCloseTo(0.6);
  });

  it("prints nothing before its step", () => {
    expect(moment.consoleAt(chain.trace, 15)).toEqual([]);
    expect(moment.consoleAt(chain.trace, 16)).toHaveLength(1);
  });

  it("fills and empties saved slots", () => {
    const pow = node(chain, "PowBackward0");
    const states = [4, 5, 7, 8].map((step) => moment.savedAt(pow, pow.saved[0], step));
    expect(states).toEqual(["empty", "held", "held", "released"]);
  });

  it("follows the engine's queue", () => {
    const mul = node(chain, "MulBackward0");
    const states = [2, 3, 6, 9, 11, 12].map((step) => moment.nodeStateAt(chain, mul, step));
    expect(states).toEqual(["absent", "made", "waiting", "ready", "running", "done"]);
  });

  it("counts the gradients each node still waits for", () => {
    const id = (/** @type {string} */ name) => node(chain, name).id;
    const leaf = (/** @type {string} */ name) => /** @type {number} */ (chain.accumulatorOf.get(tensor(chain, name).id));
    expect(moment.engineAt(chain, 5)).toBeNull();
    expect(moment.engineAt(chain, 9)).toEqual({
      ready: [leaf("b"), id("MulBackward0")],
      waiting: [[leaf("w"), 1], [leaf("x"), 1]],
      done: [id("PowBackward0"), id("AddBackward0")],
    });
    expect(moment.engineAt(chain, 15)).toMatchObject({ ready: [], waiting: [] });
  });

  it("treats a node as not run yet when a second backward starts", () => {
    const add = node(twice, "AddBackward0");
    const start = twice.trace.backwards[1].start_step;
    expect(moment.nodeStateAt(twice, add, start - 1)).toBe("done");
    expect(moment.nodeStateAt(twice, add, start)).toBe("waiting");
  });
});

describe("the gradient ledger", () => {
  it("lists contributions with a running sum, and only those that have arrived", () => {
    const w = tensor(loop, "w").id;
    const end = ledgerOf(loop, w, loop.trace.steps.length - 1);
    expect(end.rows.map((row) => row.after?.data)).toEqual([[2, -4, 6], [4, -8, 12]]);
    expect(end.rows.map((row) => row.backward)).toEqual([0, 1]);
    const first = ledgerOf(loop, w, end.rows[1].step - 1);
    expect(first.rows).toHaveLength(1);
    expect(first.nextStep).toBe(end.rows[1].step);
  });

  it("names both edges of a product with itself", () => {
    const [row] = ledgerOf(loop, tensor(loop, "w").id, loop.trace.steps.length - 1).rows;
    expect(row.sources.map((source) => source.slot)).toEqual([0, 1]);
    expect(row.sources.map((source) => source.value.data)).toEqual([[1, -2, 3], [1, -2, 3]]);
  });

  it("follows the selection, else the last leaf reached", () => {
    expect(ledgerSubject(chain, { kind: "tensor", id: tensor(chain, "x").id }, 0)).toBe(tensor(chain, "x").id);
    expect(ledgerSubject(chain, null, 13)).toBe(tensor(chain, "w").id);
  });
});

describe("the timeline", () => {
  it("is cut into bands", () => {
    expect(bandsOf(chain.trace)).toEqual([
      { phase: "forward", from: 0, to: 5 },
      { phase: "backward", from: 6, to: 15 },
      { phase: "rest", from: 16, to: 16 },
    ]);
  });

  it("counts an update under no_grad as the rest", () => {
    expect(bandsOf(loop.trace).at(-1)?.phase).toBe("rest");
    expect(bandsOf(loop.trace).map((band) => band.phase)).toEqual(["forward", "backward", "forward", "backward", "rest"]);
  });

  it("jumps to the next backward call and round", () => {
    const [first, second] = loop.trace.backwards.map((call) => call.start_step);
    expect(nextBackward(loop.trace, 0)).toBe(first);
    expect(nextBackward(loop.trace, first)).toBe(second);
    expect(nextBackward(loop.trace, second)).toBe(first);
  });

  it("finds the twin of a step in both directions", () => {
    expect(twinStep(chain, 3)).toBe(11);
    expect(twinStep(chain, 11)).toBe(3);
  });
});

describe("predict, then reveal", () => {
  it("stops where the gradient furthest from the loss is about to arrive", () => {
    const step = /** @type {number} */ (guessStep(chain));
    expect(chain.trace.steps[step + 1].node).toBe(node(chain, "MulBackward0").id);
    expect(questionAt(chain, step)).toMatchObject({ tensor: tensor(chain, "w").id, suffix: "", answer: 28 });
  });

  it("asks for one element of a larger leaf", () => {
    expect(questionAt(loop, /** @type {number} */ (guessStep(loop)))).toMatchObject({ suffix: "[0]", answer: 2 });
  });

  it("grades with tolerance and refuses what is no number", () => {
    expect([grade("28", 28), grade(" 28.01", 28), grade("27", 28), grade("", 28), grade("x", 28)]).toEqual([
      true, true, false, null, null,
    ]);
  });
});

describe("sentences", () => {
  it("exist for every step of a run", () => {
    for (const index of [chain, loop, twice]) {
      for (const step of index.trace.steps) {
        expect(titleOf(index, step).key).toMatch(/^title\./);
        expect(sentenceOf(index, step).key).toMatch(/^say\./);
      }
    }
  });

  it("say what an op keeps, and when a gradient passes unchanged", () => {
    expect(sentenceOf(chain, chain.trace.steps[3])).toEqual({ key: "say.op.saves", slots: { node: "MulBackward0" }, list: ["w", "x"] });
    expect(sentenceOf(chain, chain.trace.steps[9]).key).toBe("say.node_apply.identity");
  });
});
