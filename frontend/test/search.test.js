// @ts-nocheck Plain objects stand in for what the page types.
import { describe, expect, it } from "vitest";
import { indexTrace } from "../src/model/index.js";
import { firstOdd, oddIn } from "../src/model/odd.js";
import { search, termsOf } from "../src/model/search.js";
import { pathsBetween } from "../src/scene/paths.js";
import { relativesOf } from "../src/scene/relatives.js";
import { buildScene } from "../src/scene/scene.js";
import { normOf, tintsAt } from "../src/scene/tint.js";
import { chain, diamond, mlp } from "./traces.js";

const scalar = (data) => ({ kind: "full", shape: [], dtype: "torch.float32", data, text: String(data) });
const titles = (trace, query) => search(indexTrace(trace), query).map((found) => found.title);

describe("what is searched for", () => {
  it("is read as names, shapes and lines", () => {
    expect(termsOf("Relu 2x3")).toEqual([{ text: "relu" }, { shape: [2, 3] }]);
    expect(termsOf("(2, 3)")).toEqual([{ shape: [2, 3] }]);
    expect(termsOf("[4]")).toEqual([{ shape: [4] }]);
    expect(termsOf("2 × 3")).toEqual([{ shape: [2, 3] }]);
    expect([termsOf("line 7"), termsOf("第 7 行"), termsOf("L7"), termsOf(":7")]).toEqual(Array(4).fill([{ line: 7 }]));
    expect(termsOf("  ")).toEqual([]);
  });

  it("finds names before what only holds them", () => {
    expect(titles(chain(), "w")[0]).toBe("w");
    expect(titles(chain(), "w")).toContain("w × x");
    expect(titles(chain(), "accumulategrad").sort()).toEqual(["AccumulateGrad(b)", "AccumulateGrad(w)", "AccumulateGrad(x)"]);
  });

  it("finds by line and by shape, and only what fits every word", () => {
    expect(titles(chain(), "line 8").sort()).toEqual(["PowBackward0", "loss", "pow"]);
    expect(titles(chain(), "pow line 8").sort()).toEqual(["PowBackward0", "pow"]);
    const index = indexTrace(mlp());
    const shape = index.trace.tensors.find((tensor) => tensor.shape.length === 2).shape;
    for (const found of search(index, shape.join("x"))) expect(found.shape).toEqual(shape);
    expect(search(index, shape.join("x")).length).toBeGreaterThan(1);
    expect(titles(chain(), "nothing like it")).toEqual([]);
  });
});

describe("paths", () => {
  const scene = buildScene(indexTrace(diamond()));
  const key = (title) => scene.items.find((item) => item.title === title).key;

  it("are counted and hold what lies between, whichever end comes first", () => {
    const there = pathsBetween(scene, [key("x")], [key("c")]);
    expect(there.count).toBe(2);
    expect([...there.keys]).toEqual(expect.arrayContaining([key("a"), key("b"), key("pow"), key("relu")]));
    expect(pathsBetween(scene, [key("c")], [key("x")])).toEqual(there);
    expect(pathsBetween(scene, [key("a")], [key("b")]).count).toBe(0);
  });

  it("run through the start of backward into the other graph", () => {
    const leaf = scene.pills.find((pill) => pill.leaf !== null);
    expect(pathsBetween(scene, [key("c")], [leaf.key]).count).toBeGreaterThan(0);
  });

  it("have ancestors on one side and descendants on the other", () => {
    const before = relativesOf(scene, [key("a")], "before");
    const after = relativesOf(scene, [key("a")], "after");
    expect([before.has(key("x")), before.has(key("c"))]).toEqual([true, false]);
    expect([after.has(key("x")), after.has(key("c"))]).toEqual([false, true]);
  });
});

describe("NaN and infinities", () => {
  it("are found in whole values and in statistics", () => {
    expect(oddIn(scalar("nan"))).toBe("nan");
    expect(oddIn(scalar("-inf"))).toBe("inf");
    expect(oddIn(scalar(1))).toBeNull();
    expect(oddIn(null)).toBeNull();
    expect(oddIn({ ...scalar([1]), kind: "preview", stats: { nan: 0, inf: 2 } })).toBe("inf");
  });

  it("are traced to the first step that made one, a NaN before an infinity", () => {
    const trace = chain();
    expect(firstOdd(indexTrace(trace))).toBeNull();
    const [y, loss] = ["y", "loss"].map((name) => trace.tensors.find((tensor) => tensor.names.includes(name)));
    y.value = scalar("inf");
    y.values = [];
    expect(firstOdd(indexTrace(trace))).toMatchObject({ thing: { kind: "tensor", id: y.id }, odd: "inf", step: y.created_step });
    loss.value = scalar("nan");
    loss.values = [];
    expect(firstOdd(indexTrace(trace))).toMatchObject({ thing: { kind: "tensor", id: loss.id }, odd: "nan", step: loss.created_step });
  });

  it("are meant where the program writes an infinity, and not found again in what is computed of it", () => {
    const trace = chain();
    const [y, loss] = ["y", "loss"].map((name) => trace.tensors.find((tensor) => tensor.names.includes(name)));
    const makes = (tensor) => trace.ops.find((op) => op.outputs.includes(tensor.id));
    y.value = scalar("-inf");
    y.values = [];
    makes(y).inputs.push({ name: "value", tensor: null, tensors: null, constant: "-inf" });
    loss.value = scalar("inf");
    loss.values = [];
    expect(firstOdd(indexTrace(trace))).toBeNull();
    y.value = scalar(1);
    expect(firstOdd(indexTrace(trace))).toMatchObject({ thing: { kind: "tensor", id: loss.id }, odd: "inf" });
  });

  it("are meant in a tensor that an operation is the first to be seen with, as in the mask a module makes", () => {
    const trace = chain();
    const [y, b] = ["y", "b"].map((name) => trace.tensors.find((tensor) => tensor.names.includes(name)));
    for (const each of [y, b]) [each.value, each.values] = [scalar("-inf"), []];
    trace.steps = trace.steps.filter((step) => step.kind !== "create" || step.tensor !== b.id);
    trace.steps.forEach((step, at) => (step.index = at));
    b.created_step = y.created_step = trace.steps.find((step) => trace.ops.find((op) => op.id === step.op)?.outputs.includes(y.id)).index;
    expect(firstOdd(indexTrace(trace))).toBeNull();
  });
});

describe("colours by meaning", () => {
  const words = { yes: "yes", no: "no" };
  const scene = buildScene(indexTrace(chain()));
  const last = scene.index.trace.steps.length - 1;
  const key = (title) => scene.items.find((item) => item.title === title).key;

  it("are those of kinds unless another is asked for", () => {
    expect(tintsAt(scene, last, "kind", words)).toBeNull();
  });

  it("follow the gradient and its step", () => {
    expect(tintsAt(scene, last, "grad", words).of(key("x"))).toEqual({ shade: "seq-4", text: "42" });
    expect(tintsAt(scene, 0, "grad", words).of(key("x"))).toBeNull();
  });

  it("name each dtype and each need", () => {
    expect(tintsAt(scene, last, "dtype", words).legend.map((each) => each.text)).toEqual(["float32"]);
    expect(tintsAt(scene, last, "requires", words).of(key("loss")).text).toBe("yes");
  });

  it("take the norm over all elements", () => {
    expect(normOf({ ...scalar([3, 4]), shape: [2] })).toBe(5);
    expect(normOf(scalar("nan"))).toBeNaN();
    expect(normOf(scalar("inf"))).toBe(Infinity);
  });
});
