// @ts-nocheck Plain objects stand in for what the page types.
import { describe, expect, it } from "vitest";
import { indexTrace } from "../src/model/index.js";
import { buildScene } from "../src/scene/scene.js";
import { gradText } from "../src/scene/labels.js";
import { packetsAt, sumsAt } from "../src/scene/packets.js";
import {
  dataPhase,
  gradPhase,
  itemPhase,
  itemValue,
  momentOf,
  pillGrad,
  pillPhase,
  pillReceived,
  savedPhase,
} from "../src/scene/state.js";
import { chain, diamond, inplace, mlp, shared } from "./traces.js";

const sceneOf = (trace) => buildScene(indexTrace(trace));
const named = (scene, title) =>
  scene.items.find((item) => item.title === title) ?? scene.pills.find((pill) => pill.title === title);
const leafPill = (scene, name) =>
  scene.pills.find((pill) => pill.leaf !== null && scene.index.tensors.get(pill.leaf).names[0] === name);
const stepOf = (scene, kind, title) =>
  scene.index.trace.steps.find(
    (step) =>
      step.kind === kind &&
      (title === undefined || step.node === (typeof title === "object" ? title.id : named(scene, title).id)),
  ).index;

describe("the forward pass", () => {
  it("goes from not yet to now to past", () => {
    const scene = sceneOf(chain());
    const add = named(scene, "add");
    const phases = [add.born - 1, add.born, add.born + 1].map((step) => itemPhase(momentOf(scene, step), add));
    expect(phases).toEqual(["future", "now", "past"]);
    expect(itemPhase(momentOf(scene, -1), named(scene, "x"))).toBe("future");
  });

  it("shows no value before it exists", () => {
    const scene = sceneOf(chain());
    const y = named(scene, "y");
    expect(itemValue(momentOf(scene, y.born - 1), y)).toBeNull();
    expect(itemValue(momentOf(scene, y.born), y).data).toBe(7);
  });

  it("keeps the old value on the box of the old version", () => {
    const scene = sceneOf(inplace());
    const [before, after] = scene.items.filter((item) => item.title === "h");
    const end = momentOf(scene, scene.index.trace.steps.length - 1);
    expect([itemValue(end, before).data, itemValue(end, after).data]).toEqual([4, 6]);
  });

  it("carries the inputs of an op to it", () => {
    const scene = sceneOf(chain());
    const moment = momentOf(scene, named(scene, "add").born);
    expect(packetsAt(moment).map(({ kind, text }) => [kind, text])).toEqual([
      ["forward", "6"],
      ["forward", "1"],
    ]);
    expect(scene.data.filter((edge) => dataPhase(moment, edge) === "now").map((edge) => edge.to)).toContain(
      named(scene, "add").key,
    );
  });
});

describe("the backward pass", () => {
  it("makes a node with its op, runs it later", () => {
    const scene = sceneOf(chain());
    const mul = named(scene, "MulBackward0");
    const run = stepOf(scene, "node_apply", "MulBackward0");
    expect([mul.born - 1, mul.born, run, run + 1].map((step) => pillPhase(momentOf(scene, step), mul))).toEqual([
      "future",
      "idle",
      "now",
      "done",
    ]);
    expect(pillReceived(momentOf(scene, run - 1), mul)).toBeNull();
    expect(pillReceived(momentOf(scene, run), mul).data).toBe(14);
  });

  it("sends 1 into the root and the gradient of y on", () => {
    const scene = sceneOf(chain());
    const root = packetsAt(momentOf(scene, stepOf(scene, "node_apply", "PowBackward0")));
    expect(root.map(({ edge, text, rest }) => [edge.startsWith("seed"), text, rest])).toEqual([[true, "1", "door"]]);
    const add = packetsAt(momentOf(scene, stepOf(scene, "node_apply", "AddBackward0")));
    expect(add.map(({ text }) => text)).toEqual(["14"]);
  });

  it("writes w.grad from None over ? to the number", () => {
    const scene = sceneOf(chain());
    const w = leafPill(scene, "w");
    const at = stepOf(scene, "accumulate", w);
    const start = stepOf(scene, "backward_start");
    const texts = [start - 1, start, at - 1, at].map((step) => gradText(scene, w, pillGrad(momentOf(scene, step), w)));
    expect(texts).toEqual(["w.grad = None", "w.grad = ?", "w.grad = ?", "w.grad = 28"]);
  });

  it("lets a gradient wait at a join and writes the sum where they meet", () => {
    const scene = sceneOf(diamond());
    const x = leafPill(scene, "x");
    const meet = stepOf(scene, "accumulate", x);
    const before = packetsAt(momentOf(scene, meet - 1));
    expect(before.filter((packet) => packet.rest === "wait").map((packet) => packet.text)).toEqual(["9"]);
    const moment = momentOf(scene, meet);
    expect(packetsAt(moment).map(({ start, rest }) => [start, rest])).toEqual([
      ["wait", "door"],
      ["sender", "door"],
    ]);
    expect(sumsAt(moment)).toEqual([{ at: x.key, text: "9 + 18 = 27" }]);
  });

  it("adds a second backward to what the first left", () => {
    const scene = sceneOf(diamond());
    const steps = scene.index.trace.steps.filter((step) => step.kind === "accumulate");
    expect(sumsAt(momentOf(scene, steps[1].index))[0].text).toBe("27 + 27 = 54");
    const mul = named(scene, "MulBackward0");
    const second = scene.index.trace.backwards[1].start_step;
    expect([second - 1, second].map((step) => pillPhase(momentOf(scene, step), mul))).toEqual(["done", "idle"]);
  });

  it("marks a line idle, now, done as its gradient passes", () => {
    const scene = sceneOf(chain());
    const edge = scene.nexts.find(
      (next) => next.from === named(scene, "AddBackward0").key && next.to === named(scene, "MulBackward0").key,
    );
    const run = stepOf(scene, "node_apply", "MulBackward0");
    const phases = [edge.born - 1, edge.born, run - 1, run, run + 1].map((step) =>
      gradPhase(momentOf(scene, step), edge),
    );
    expect(phases).toEqual(["future", "idle", "waiting", "now", "done"]);
  });

  it("frees what was saved, unless the graph is retained", () => {
    const scene = sceneOf(diamond());
    const mul = named(scene, "MulBackward0");
    const [first, second] = scene.index.trace.steps
      .filter((step) => step.kind === "node_apply" && step.node === mul.id)
      .map((step) => step.index);
    const phases = [mul.born - 1, first + 1, second - 1, second].map((step) =>
      savedPhase(momentOf(scene, step), mul, mul.slots[0].released),
    );
    expect(phases).toEqual(["future", "held", "held", "freed"]);
  });
});

describe("a training loop", () => {
  it("leaves finished laps as they ended", () => {
    const scene = sceneOf(mlp(2, 3));
    const end = momentOf(scene, scene.index.trace.steps.length - 1);
    const id = scene.index.trace.nodes.find((node) => node.tensor !== null).id;
    const [first, second] = scene.keysOfNode.get(id).map((key) => scene.pillOf.get(key));
    expect(pillPhase(end, first)).toBe("done");
    expect(pillGrad(end, first).data).not.toEqual(pillGrad(end, second).data);
    const early = momentOf(scene, scene.laps[1] - 1);
    expect([pillPhase(early, first), pillPhase(early, second)]).toEqual(["done", "future"]);
  });
});

describe("every step", () => {
  it("is a function of the step alone: going back gives what going forward gave", () => {
    for (const trace of [chain(), diamond(), inplace(), mlp(2, 2)]) {
      const scene = sceneOf(trace);
      const picture = (step) => {
        const moment = momentOf(scene, step);
        return JSON.stringify([
          scene.items.map((item) => itemPhase(moment, item)),
          scene.pills.map((pill) => [pillPhase(moment, pill), pillGrad(moment, pill)]),
          scene.nexts.map((edge) => gradPhase(moment, edge)),
          packetsAt(moment),
          sumsAt(moment),
        ]);
      };
      const forwards = trace.steps.map((step) => picture(step.index));
      const backwards = trace.steps
        .toReversed()
        .map((step) => picture(step.index))
        .reverse();
      expect(backwards).toEqual(forwards);
    }
  });

  it("delivers every gradient that was sent, over a line of the graph", () => {
    for (const trace of [chain(), diamond(), mlp(3, 2)]) {
      const { history, nexts, seeds } = sceneOf(trace);
      const keys = new Set([...nexts, ...seeds].map((edge) => edge.key));
      const sent =
        trace.steps.reduce((sum, step) => sum + (step.grads_out ?? []).filter(Boolean).length, 0) +
        trace.backwards.length;
      expect(history.deliveries).toHaveLength(sent);
      expect(
        history.deliveries.every(
          (each) => keys.has(each.edge) && each.received > each.sent && Number.isFinite(each.received),
        ),
      ).toBe(true);
    }
  });
});

describe("a sum of tensors", () => {
  it("tells the shape where the elements would not fit", () => {
    const scene = sceneOf(mlp(2, 1));
    const texts = scene.index.trace.steps.flatMap((step) => sumsAt(momentOf(scene, step.index))).map((sum) => sum.text);
    expect(texts).toEqual([]);
    const twice = sceneOf(shared());
    const sums = twice.index.trace.steps.flatMap((step) => sumsAt(momentOf(twice, step.index))).map((sum) => sum.text);
    expect(sums).toEqual(["g₁ + g₂ = [5]"]);
  });
});
