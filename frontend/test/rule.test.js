import { describe, expect, it } from "vitest";
import { traces } from "./fixtures/index.js";
import { indexTrace } from "../src/model/index.js";
import { tensorName } from "../src/model/names.js";
import { fill, isSummed, nameTex, ownRule, ruleLines, tensorTex } from "../src/model/rule.js";
import { brief, plain, plainTex, valueTex } from "../src/model/numbers.js";


describe("a rule", () => {
  it("is filled with the program's names, then with its numbers", () => {
    const index = indexTrace(traces.chain);
    const lines = ruleLines(index, index.trace.steps[11]);
    expect(lines.map((line) => line.left)).toEqual(["\\bar{w}", "\\bar{x}"]);
    expect(lines[0].symbols).toBe("{\\overline{w \\cdot x}} \\cdot {x}");
    expect(lines[0].numbers).toBe("{14} \\cdot {2}");
    expect(lines.map((line) => line.value.data)).toEqual([28, 42]);
  });

  it("takes constants from the op", () => {
    const index = indexTrace(traces.chain);
    const [line] = ruleLines(index, index.trace.steps[7]);
    expect(line.symbols).toBe("{\\overline{\\textit{loss}}} \\cdot {2} \\cdot {y}^{{2}-1}");
    expect(line.numbers).toBe("{1} \\cdot {2} \\cdot {7}^{{2}-1}");
  });

  it("puts brackets round a negative number in a product, not when it stands alone", () => {
    const minus = () => ({ tex: "-2", compound: true });
    expect(fill("3 \\cdot [[self]]", minus)).toBe("3 \\cdot \\left(-2\\right)");
    expect(fill("[[self]]", minus)).toBe("{-2}");
    expect(fill("\\frac{[[self]]}{3}", minus)).toBe("\\frac{{-2}}{3}");
  });

  it("is not shown with numbers that are missing", () => {
    expect(fill("[[grad]] + [[other]]", (name) => (name === "grad" ? { tex: "1", compound: false } : null))).toBeNull();
  });

  it("writes names as symbols", () => {
    expect(["x", "w1", "loss", "a_b"].map((name) => nameTex(name).tex)).toEqual(["x", "w_{1}", "\\textit{loss}", "\\textit{a\\_b}"]);
  });

  it("writes an unnamed tensor as the expression that made it", () => {
    const index = indexTrace(traces.chain);
    const unnamed = index.trace.tensors.find((item) => item.names.length === 0)?.id;
    expect(tensorName(index, unnamed)).toBe("w × x");
    expect(tensorTex(index, unnamed)).toEqual({ tex: "w \\cdot x", compound: true });
    expect(tensorName(index, unnamed, 0)).toBe("mul(…)");
  });

  it("shared by several inputs is taken apart, or left to the first of them", () => {
    const listed = "[[grad]] a,\\; [[grad]] b";
    expect(ownRule({ self: listed, other: listed }, "other")).toBe("[[grad]] b");
    const joint = "g,\\; g = [[grad]] w";
    const three = { input: joint, weight: joint, bias: joint };
    expect([ownRule(three, "input"), ownRule(three, "bias")]).toEqual([joint, undefined]);
    expect(ownRule({ self: "[[grad]]", other: "[[grad]]" }, "other")).toBe("[[grad]]");
  });

  it("says when a broadcast input has its gradient summed back", () => {
    expect(isSummed("[[grad]]", [2, 3], [3])).toBe(true);
    expect(isSummed("[[grad]]", [2, 3], [2, 1])).toBe(true);
    expect(isSummed("[[grad]]", [2, 3], [2, 3])).toBe(false);
    expect(isSummed("[[grad]]", [], [2, 3])).toBe(false);
    expect(isSummed("[[grad]]\\, [[mat2]]^{\\top}", [16, 8], [16, 1])).toBe(false);
  });
});

describe("numbers", () => {
  it("are short and whole where they can be", () => {
    expect([28, 0.1 + 0.2, 1234.5678, 1e-7, 2.5e9, -0, "nan", true].map((item) => plain(item))).toEqual([
      "28", "0.3", "1235", "1e-7", "2.5e9", "0", "nan", "True",
    ]);
    expect(plainTex(1e-7)).toBe("1 \\cdot 10^{-7}");
    expect(plainTex("-inf")).toBe("-\\infty");
  });

  it("of a tensor are a matrix when small and a shape when large", () => {
    /** @param {number[]} shape @param {unknown} data @returns {any} */
    const value = (shape, data) => ({ kind: "full", shape, dtype: "torch.float32", data, text: "" });
    expect(valueTex(value([2, 2], [[1, 2], [3, 4]]))).toBe("\\begin{bmatrix}1 & 2 \\\\ 3 & 4\\end{bmatrix}");
    expect(valueTex(value([9], Array(9).fill(0)))).toBe("[9]");
    expect(brief(value([2], [1, 2]))).toBe("[1, 2]");
    expect(brief(value([9], Array(9).fill(0.5)))).toBe("[9] μ 0.5");
  });
});
