import { describe, expect, it } from "vitest";
import { traces } from "./fixtures/index.js";
import { lineDiff } from "../src/compare/lines.js";
import { diffTints } from "../src/compare/tints.js";
import { indexTrace } from "../src/model/index.js";
import { nameIn } from "../src/model/programName.js";
import { buildScene } from "../src/scene/scene.js";

describe("lines of two programs", () => {
  it("differ where one has what the other has not", () => {
    const { removed, added } = lineDiff("a\nb\nc\nd", "a\nx\nc\nd\ne");
    expect([[...removed], [...added]]).toEqual([[2], [2, 5]]);
  });

  it("are all the same in equal programs, and all different in others", () => {
    expect(lineDiff("a\nb", "a\nb")).toEqual({ removed: new Set(), added: new Set() });
    expect(lineDiff("a\nb", "c")).toEqual({ removed: new Set([1, 2]), added: new Set([1]) });
  });
});

describe("the colours of a comparison", () => {
  const index = indexTrace(traces.chain);
  const scene = buildScene(index);
  const node = index.trace.nodes.find((each) => each.name === "MulBackward0");
  const summary = { id: node?.id ?? -1, name: "MulBackward0", output: null, line: 7 };
  const grad = { name: "x", before: null, after: null, max_difference: 1 };
  const diff = /** @type {import("../src/wire").GraphDiff} */ (/** @type {unknown} */ ({
    nodes: { unchanged: 4, added: [summary], removed: [], changed: [] },
    gradients: { unchanged: [], added: [], removed: [], changed: [grad] },
  }));
  const tints = diffTints(diff, "after", (kind) => kind)(scene);
  const of = (/** @type {string} */ title) => {
    const box = [...scene.items, ...scene.pills].find((each) => each.title === title);
    return tints.of(box?.key ?? "");
  };

  it("reach the node, its op and what that made", () => {
    expect(of("MulBackward0")).toEqual({ shade: "diff-added", text: "+ added" });
    expect(of("mul")?.shade).toBe("diff-added");
  });

  it("mark a leaf whose gradient alone is another, and leave the rest", () => {
    expect(of("x")).toEqual({ shade: "diff-grad", text: "≠ grad" });
    expect(of("AddBackward0")).toBeNull();
  });
});

describe("a program's name", () => {
  it("is its first comment, if it begins with one", () => {
    expect(nameIn("\n# a neuron \nimport torch")).toBe("a neuron");
    expect([nameIn("import torch\n# later"), nameIn("#"), nameIn("")]).toEqual([null, null, null]);
    expect(nameIn(`# ${"x".repeat(60)}`)).toHaveLength(32);
  });
});
