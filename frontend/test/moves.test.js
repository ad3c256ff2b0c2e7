import { describe, expect, it } from "vitest";
import { indexTrace } from "../src/model/index.js";
import { callsAround, nextOfLine, nextOfThing, outOfModule, overModule, previousBackward } from "../src/model/moves.js";
import { drawable } from "../src/parts/Timeline.jsx";
import { deedsAt } from "../src/scene/deeds.js";
import { packetsAt, sizeOf } from "../src/scene/packets.js";
import { buildScene } from "../src/scene/scene.js";
import { momentOf } from "../src/scene/state.js";
import { chain, diamond, inplace, mlp } from "./traces.js";

const scalar = (/** @type {number | string} */ data) => /** @type {import("../src/wire").Value} */ ({ kind: "full", shape: [], dtype: "torch.float32", data, text: "" });

describe("moves through modules", () => {
  const index = indexTrace(mlp(2));
  const { steps, scopes } = index.trace;
  const name = (/** @type {number} */ step) => scopes.find((scope) => scope.id === callsAround(index)[step][0])?.name;
  const first = (/** @type {string} */ scope) => /** @type {import("../src/wire").Step} */ (steps.find((_, at) => name(at) === scope)).index;

  it("go over the next call to its last step, in both directions of the gradient", () => {
    const before = first("layers.0") - 1;
    const over = /** @type {number} */ (overModule(index, before));
    expect(name(over)).not.toBe("layers.0");
    const last = /** @type {number} */ (overModule(index, first("layers.0")));
    expect(last).toBe(first("layers.0") + 1);
    const relu = /** @type {number} */ (overModule(index, first("act.0") - 1));
    expect(name(relu)).toBe("act.0");
    expect(name(relu + 1)).not.toBe("act.0");
    const back = steps.findIndex((step, at) => step.kind === "node_apply" && name(at) === "layers.1");
    expect(name(/** @type {number} */ (outOfModule(index, back)))).toBe("act.0");
  });

  it("go out of a call, and nowhere from outside", () => {
    const out = /** @type {number} */ (outOfModule(index, first("layers.0")));
    expect(name(out)).toBe("act.0");
    expect(outOfModule(index, 0)).toBeNull();
    expect(overModule(index, steps.length - 1)).toBeNull();
  });
});

describe("moves to", () => {
  const index = indexTrace(diamond());
  it("a line, going round", () => {
    const there = /** @type {number} */ (nextOfLine(index.trace, 0, 3));
    expect(index.trace.steps[there].line).toBe(3);
    expect(nextOfLine(index.trace, there, 3)).toBe(there);
    expect(nextOfLine(index.trace, 0, 99)).toBeNull();
  });

  it("a thing's steps one after the other", () => {
    const node = index.trace.nodes[0];
    const runs = index.trace.steps.filter((step) => step.node === node.id).map((step) => step.index);
    expect(nextOfThing(index, 0, { kind: "node", id: node.id })).toBe(runs[0]);
    expect(nextOfThing(index, runs[0], { kind: "node", id: node.id })).toBe(runs[1]);
    expect(nextOfThing(index, runs[runs.length - 1], { kind: "node", id: node.id })).toBe(runs[0]);
    expect(nextOfThing(index, 0, { kind: "node", id: 999 })).toBeNull();
  });

  it("the backward call before", () => {
    const [one, two] = index.trace.backwards.map((call) => call.start_step);
    expect(previousBackward(index.trace, two + 1)).toBe(two);
    expect(previousBackward(index.trace, two)).toBe(one);
    expect(previousBackward(index.trace, one)).toBe(two);
  });
});

describe("the picture of a step", () => {
  /** @param {import("../src/wire").Trace} trace @param {string} kind */
  const deeds = (trace, kind) => {
    const scene = buildScene(indexTrace(trace));
    const step = trace.steps.findLast((each) => each.kind === kind);
    return deedsAt(momentOf(scene, step?.index ?? -1));
  };

  it("stands beside what the step is about, with the number that changed", () => {
    expect(deeds(inplace(), "inplace").map(({ kind, text }) => [kind, text])).toEqual([["inplace", "v1"]]);
    expect(deeds(chain(), "backward_start").map(({ text }) => text)).toEqual(["1"]);
    const cleared = deeds(mlp(2, 2), "zero_grad");
    expect(cleared.length).toBe(4);
    expect(cleared.every(({ kind, at }) => kind === "zero_grad" && at !== null)).toBe(true);
    expect(deeds(mlp(2, 2), "optimizer_step")).toHaveLength(4);
  });

  it("stands above the graph where the step is about no box", () => {
    const trace = chain();
    trace.steps.push({ index: trace.steps.length, kind: "print", line: 9, text: "tensor(42.)\nand more\n" });
    expect(deeds(trace, "print")).toEqual([{ at: null, kind: "print", text: "tensor(42.)…" }]);
    expect(deeds(trace, "backward_end").map(({ at }) => at)).toEqual([null]);
  });

  it("shows a gradient by its size", () => {
    expect(sizeOf(scalar(0))).toBe(0);
    expect(sizeOf(scalar("nan"))).toBe(-1);
    expect(sizeOf(scalar("inf"))).toBe(-1);
    expect(sizeOf(scalar(-100))).toBeGreaterThan(sizeOf(scalar(0.01)));
    expect(sizeOf(scalar(1e9))).toBe(1);
    const trace = chain();
    const scene = buildScene(indexTrace(trace));
    const ran = trace.steps.find((step) => step.kind === "node_apply");
    for (const packet of packetsAt(momentOf(scene, ran?.index ?? 0))) expect(packet.size).toBeGreaterThan(0);
  });
});

describe("the timeline", () => {
  it("draws no more bands than pixels", () => {
    const bands = Array.from({ length: 20_000 }, (_, at) => ({ phase: /** @type {const} */ ("forward"), from: at, to: at }));
    expect(drawable(bands, { count: 20_000, width: 900 }).length).toBeLessThanOrEqual(901);
    expect(drawable(bands.slice(0, 10), { count: 10, width: 900 })).toHaveLength(10);
  });
});
