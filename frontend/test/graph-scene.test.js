// @ts-nocheck Plain objects stand in for what the page types.
import { describe, expect, it } from "vitest";
import { indexTrace } from "../src/model/index.js";
import { buildScene } from "../src/scene/scene.js";
import { relativesOf } from "../src/scene/relatives.js";
import { keysOf, keysOfLine, thingOf } from "../src/scene/things.js";
import { chain, diamond, filled, inplace, mlp, synthetic, updated } from "./traces.js";

const sceneOf = (trace) => buildScene(indexTrace(trace));
const titles = (scene) => scene.items.map((item) => item.title);

describe("forward graph", () => {
  it("draws each tensor and each op once, joined as the program did", () => {
    const scene = sceneOf(chain());
    expect(titles(scene).sort()).toEqual(["add", "b", "loss", "mul", "pow", "w", "w × x", "x", "y"]);
    expect(scene.data.map(({ from, to }) => `${scene.itemOf.get(from).title}>${scene.itemOf.get(to).title}`)).toEqual([
      "w>mul",
      "x>mul",
      "mul>w × x",
      "w × x>add",
      "b>add",
      "add>y",
      "y>pow",
      "pow>loss",
    ]);
  });

  it("tells leaves, results and constants apart", () => {
    const scene = sceneOf(mlp());
    const look = (title) => scene.items.find((item) => item.title === title).look;
    expect([look("x"), look("layers.0.weight"), look("loss"), look("mm")]).toEqual([
      "constant",
      "leaf",
      "tensor",
      "op",
    ]);
    expect(scene.items.filter((item) => item.title === "t").every((item) => item.flavor === "view")).toBe(true);
  });

  it("shows the exponent as a chip of its op", () => {
    const pow = sceneOf(chain()).items.find((item) => item.title === "pow");
    expect(pow.chips).toEqual([{ name: "exponent", text: "2" }]);
  });

  it("says where a slice starts, and nothing of its open end", () => {
    const trace = chain();
    const pow = trace.ops.find((op) => op.name === "pow");
    const given = { dim: "0", start: "1", end: "9223372036854775807", step: "1" };
    const constants = Object.entries(given).map(([name, constant]) => ({ name, tensor: null, tensors: null, constant }));
    pow.inputs = [pow.inputs[0], ...constants];
    const chips = sceneOf(trace).items.find((item) => item.title === "pow").chips;
    expect(chips.map((chip) => chip.text)).toEqual(["dim=0", "start=1"]);
  });

  it("gives a tensor written in place a second box, so the graph has no cycle", () => {
    const scene = sceneOf(inplace());
    const boxes = scene.items.filter((item) => item.title === "h");
    expect(boxes.map(({ key, version }) => [key, version])).toEqual([
      ["t1", 0],
      ["t1.1", 1],
    ]);
    expect(boxes[0].until).toBe(boxes[1].born);
    const reach = relativesOf(scene, ["t1"]);
    expect(reach.has("t1.1")).toBe(true);
    expect(hasCycle(scene)).toBe(false);
  });

  it("draws a training loop as laps, each with its own boxes for the parameters", () => {
    const scene = sceneOf(mlp(2, 3));
    expect(scene.groups.filter((group) => group.module === "").map((group) => group.key)).toEqual([
      "lap0",
      "lap1",
      "lap2",
    ]);
    const weight = scene.items.filter((item) => item.title === "layers.0.weight");
    expect(weight.map(({ lap, version }) => [lap, version])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
    expect(scene.data.every(({ from, to }) => scene.itemOf.get(from).lap === scene.itemOf.get(to).lap)).toBe(true);
  });

  it("puts parameters into the module call that uses them, and inputs outside", () => {
    const scene = sceneOf(mlp());
    const group = (title) => scene.groupOf.get(scene.items.find((item) => item.title === title).group)?.title ?? null;
    expect([group("layers.0.weight"), group("layers.1.bias"), group("x")]).toEqual(["layers.0", "layers.1", null]);
  });
});

describe("what is not worth a box", () => {
  it("is a fill of a fresh tensor: the tensor has that value", () => {
    const trace = filled();
    const scene = sceneOf(trace);
    expect(titles(scene)).toEqual(["w", "pow", "loss"]);
    expect(scene.keyOfOp.get(0)).toBe(scene.items[0].key);
  });

  it("is a nameless tensor that nothing uses; its storage stands for it", () => {
    const trace = filled({ wrapped: true });
    const scene = sceneOf(trace);
    expect(titles(scene)).toEqual(["w", "pow", "loss"]);
    expect(keysOf(scene, { kind: "tensor", id: 0 })).toEqual(["t1"]);
    expect(scene.keyOfOp.get(0)).toBe("t1");
  });
});

describe("backward graph", () => {
  it("knows the twin of every node", () => {
    const scene = sceneOf(chain());
    const twins = scene.pills.map((pill) => [pill.title, scene.itemOf.get(pill.twin).title]);
    expect(twins).toEqual(
      expect.arrayContaining([
        ["MulBackward0", "mul"],
        ["AddBackward0", "add"],
        ["PowBackward0", "pow"],
        ["AccumulateGrad", "w"],
      ]),
    );
    expect(twins).toHaveLength(6);
  });

  it("runs every next_functions line against the data line it belongs to", () => {
    for (const trace of [chain(), diamond(), mlp()]) {
      const scene = sceneOf(trace);
      const data = new Map(scene.data.map((edge) => [edge.key, edge]));
      for (const next of scene.nexts) expect(data.get(next.via).to).toBe(scene.pillOf.get(next.from).twin);
    }
  });

  it("bridges from the tensor that was saved, at its version", () => {
    const scene = sceneOf(inplace());
    const bridge = scene.saved.find((edge) => scene.pillOf.get(edge.to).title === "PowBackward0");
    expect(bridge.from).toBe("t1.1");
  });

  it("puts AccumulateGrad at the leaf as it was used, not as it was written afterwards", () => {
    const scene = sceneOf(updated());
    const pill = scene.pills.find((each) => each.leaf !== null);
    expect(scene.itemOf.get(pill.twin).version).toBe(0);
    expect(scene.items.filter((item) => item.title === "w").map((item) => item.version)).toEqual([0, 1]);
  });

  it("draws one AccumulateGrad for each lap that reaches it", () => {
    const scene = sceneOf(mlp(2, 3));
    const id = scene.index.trace.nodes.find((node) => node.tensor !== null).id;
    expect(scene.keysOfNode.get(id)).toHaveLength(3);
    expect(scene.keysOfNode.get(id).map((key) => scene.pillOf.get(key).lap)).toEqual([0, 1, 2]);
  });
});

describe("links to the rest of the page", () => {
  it("names what a box is and finds the boxes of a thing", () => {
    const scene = sceneOf(inplace());
    expect(thingOf(scene, "t1.1")).toEqual({ kind: "tensor", id: 1 });
    expect(keysOf(scene, { kind: "tensor", id: 1 })).toEqual(["t1", "t1.1"]);
    for (const pill of scene.pills) expect(keysOf(scene, thingOf(scene, pill.key))).toContain(pill.key);
  });

  it("finds what a line made", () => {
    const scene = sceneOf(chain());
    const made = [...keysOfLine(scene, 8)].map((key) => scene.itemOf.get(key)?.title ?? scene.pillOf.get(key).title);
    expect(made.sort()).toEqual(["PowBackward0", "loss", "pow"]);
    expect(keysOfLine(scene, null).size).toBe(0);
  });

  it("relates a box to its ancestors, its descendants and their twins, and to nothing else", () => {
    const scene = sceneOf(chain());
    const product = scene.items.find((item) => item.title === "w × x").key;
    const names = [...relativesOf(scene, [product])].map(
      (key) => scene.itemOf.get(key)?.title ?? scene.pillOf.get(key).title,
    );
    expect(names).not.toContain("b");
    expect(names).toEqual(expect.arrayContaining(["w", "x", "mul", "add", "y", "pow", "loss", "MulBackward0"]));
  });
});

describe("a large run", () => {
  it("becomes a scene with every op and every node", () => {
    const trace = synthetic(2000);
    const scene = sceneOf(trace);
    expect(scene.items.filter((item) => item.kind === "op")).toHaveLength(trace.ops.length);
    expect(scene.pills).toHaveLength(trace.nodes.length);
    expect(hasCycle(scene)).toBe(false);
  }, 60_000);
});

function hasCycle(scene) {
  const waits = new Map(scene.items.map((item) => [item.key, 0]));
  for (const { to } of scene.data) waits.set(to, waits.get(to) + 1);
  const ready = [...waits].filter(([, count]) => count === 0).map(([key]) => key);
  const after = new Map();
  for (const edge of scene.data) after.set(edge.from, [...(after.get(edge.from) ?? []), edge.to]);
  let seen = 0;
  while (ready.length > 0) {
    seen += 1;
    for (const to of after.get(ready.pop()) ?? []) {
      waits.set(to, waits.get(to) - 1);
      if (waits.get(to) === 0) ready.push(to);
    }
  }
  return seen !== scene.items.length;
}
