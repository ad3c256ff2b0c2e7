import { describe, expect, it } from "vitest";
import { frameAt, sameMomentIn } from "../src/graph/frames.js";
import { layoutPlan } from "../src/layout/layout.js";
import { foldAtFirst, planOf } from "../src/layout/plan.js";
import { indexTrace } from "../src/model/index.js";
import { buildScene } from "../src/scene/scene.js";
import { chain, diamond, mlp, tower } from "./traces.js";

const WORDS = { leaf: "leaf", noGrad: "no grad", view: "view", inplace: "in place", lap: (/** @type {string} */ turn) => `Turn ${turn}` };
const sceneOf = (/** @type {import("../src/wire").Trace} */ trace) => buildScene(indexTrace(trace));
/** @param {import("../src/scene/types.js").Scene} scene @param {Iterable<string>} collapsed */
const placed = (scene, collapsed) =>
  layoutPlan(planOf(scene, { measure: (text) => text.length * 7, words: WORDS, collapsed, mode: "twins", room: 2000 }));

describe("equal blocks", () => {
  it("get one group, with what lies between them", () => {
    const scene = sceneOf(tower(4));
    const around = scene.groups.filter((group) => group.blocks);
    expect(around.map((group) => [group.title, group.module])).toEqual([["Block × 4", "blocks.0 … blocks.3"]]);
    const blocks = scene.groups.filter((group) => group.module === "Block");
    expect(blocks.map((group) => group.parent)).toEqual(Array(4).fill(around[0].key));
    const adds = scene.items.filter((item) => item.kind === "op" && item.title === "add");
    expect(adds.map((item) => item.group === around[0].key)).toEqual([true, true, true, false]);
  });

  it("are not made of few, unequal or trivial ones", () => {
    expect(sceneOf(tower(2)).groups.some((group) => group.blocks)).toBe(false);
    expect(sceneOf(mlp(4)).groups.some((group) => group.blocks)).toBe(false);
  });

  it("fold into one box that lines pass through, and unfold without a cycle", () => {
    const scene = sceneOf(tower(12));
    const around = /** @type {import("../src/scene/types.js").Group} */ (scene.groups.find((group) => group.blocks));
    const folded = placed(scene, foldAtFirst(scene, 20));
    expect(folded.rects[around.key]).toBeDefined();
    expect(Object.keys(folded.rects).filter((key) => around.blocks?.includes(key))).toEqual([]);
    expect(folded.lines.some((line) => line.kind === "data" && line.from === around.key)).toBe(true);
    const open = placed(scene, around.blocks ?? []);
    const tops = (around.blocks ?? []).map((key) => open.rects[key].y);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
    for (const line of open.lines.filter((each) => each.kind === "data"))
      expect(line.points[line.points.length - 1].y).toBeGreaterThan(line.points[0].y);
  });
});

describe("the layout", () => {
  it("tells how far it is", () => {
    const parts = /** @type {number[]} */ ([]);
    const scene = sceneOf(tower(6));
    const measure = (/** @type {string} */ text) => text.length * 7;
    layoutPlan(planOf(scene, { measure, words: WORDS, collapsed: [], mode: "twins", room: 2000 }), (part) => parts.push(part));
    expect(parts.length).toBe(scene.groups.length + 1);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    expect(parts.at(-1)).toBe(1);
  });
});

describe("frames", () => {
  it("are the turns of a loop; the same moment is as far from backward", () => {
    const scene = sceneOf(mlp(2, 4));
    const [, second, third] = scene.index.trace.backwards;
    expect(frameAt(scene, second.start_step + 2)).toEqual({ kind: "turn", at: 1, count: 4 });
    expect(sameMomentIn(scene, second.start_step + 2, 2)).toBe(third.start_step + 2);
    const { steps } = scene.index.trace;
    const update = steps.findIndex((step) => step.kind === "optimizer_step");
    const forward = steps.findIndex((step) => step.index > update && step.line === 10);
    expect(scene.laps[1]).toBe(update);
    // What the program does after its update is of the same turn, up to where it goes back to.
    expect(frameAt(scene, update)).toMatchObject({ at: 0 });
    expect(frameAt(scene, forward - 1)).toMatchObject({ at: 0 });
    expect(frameAt(scene, forward)).toMatchObject({ at: 1 });
    expect(sameMomentIn(scene, 0, 1)).toBe(forward);
  });

  it("are the backward calls over one graph", () => {
    const scene = sceneOf(diamond());
    const [first, second] = scene.index.trace.backwards;
    expect(frameAt(scene, first.start_step)).toEqual({ kind: "backward", at: 0, count: 2 });
    expect(sameMomentIn(scene, first.start_step + 1, 1)).toBe(second.start_step + 1);
    expect(sameMomentIn(scene, 5, 2)).toBe(5);
  });

  it("are none in a run that goes through once", () => {
    expect(frameAt(sceneOf(chain()), 3)).toBeNull();
  });

  it("open at the turn of the step", () => {
    const folds = foldAtFirst(sceneOf(mlp(4, 12)), 20, 7);
    expect([...folds].filter((key) => key.startsWith("lap"))).toHaveLength(11);
    expect(folds.has("lap7")).toBe(false);
  });
});
