import { describe, expect, it } from "vitest";
import { narrowed, printed } from "../src/model/print.js";

/** @param {unknown} data @param {number[]} shape @param {string} [dtype] */
const text = (data, shape, dtype = "torch.float32") =>
  printed(/** @type {import("../src/wire").Value} */ ({ kind: "full", shape, dtype, data, text: "" }));

// Every expected text was printed by PyTorch 2.13.
describe("a tensor is printed as PyTorch prints it", () => {
  it("with whole numbers, fractions and powers of ten", () => {
    expect(text(14, [])).toBe("tensor(14.)");
    expect(text(0.1550, [])).toBe("tensor(0.1550)");
    expect(text([1, -2, 3], [3])).toBe("tensor([ 1., -2.,  3.])");
    expect(text([1.5, -2, 30], [3])).toBe("tensor([ 1.5000, -2.0000, 30.0000])");
    expect(text([1e-5, 1], [2])).toBe("tensor([1.0000e-05, 1.0000e+00])");
    expect(text([0, 0], [2])).toBe("tensor([0., 0.])");
  });

  it("with NaN, infinity, and other types", () => {
    expect(text(["nan", "-inf", 1.3863], [3])).toBe("tensor([   nan,   -inf, 1.3863])");
    expect(text([1, 20], [2], "torch.int64")).toBe("tensor([ 1, 20])");
    expect(text([true, false], [2], "torch.bool")).toBe("tensor([ True, False])");
    expect(text([1, 2.5], [2], "torch.float64")).toBe("tensor([1.0000, 2.5000], dtype=torch.float64)");
  });

  it("in rows, blocks and lines that fit", () => {
    expect(text([[1, 2], [3, 4]], [2, 2])).toBe("tensor([[1., 2.],\n        [3., 4.]])");
    expect(text([[[1], [2]], [[3], [4]]], [2, 2, 1])).toBe(
      "tensor([[[1.],\n         [2.]],\n\n        [[3.],\n         [4.]]])",
    );
    const long = text(Array.from({ length: 12 }, (_, at) => at / 8), [12]);
    expect(long).toBe(
      "tensor([0.0000, 0.1250, 0.2500, 0.3750, 0.5000, 0.6250, 0.7500, 0.8750, 1.0000,\n        1.1250, 1.2500, 1.3750])",
    );
  });
});

it("a printed tensor is put into the lines of a narrower PyTorch", () => {
  const wide = [
    "tensor([[-1.0000, -0.8750, -0.7500, -0.6250, -0.5000, -0.3750, -0.2500, -0.1250,",
    "          0.0000,  0.1250,  0.2500,  0.3750],",
    "        [ 0.5000,  0.6250,  0.7500,  0.8750,  1.0000,  1.1250,  1.2500,  1.3750,",
    "          1.5000,  1.6250,  1.7500,  1.8750]], dtype=torch.float64)",
  ].join("\n");
  const narrow = [
    "tensor([[-1.0000, -0.8750, -0.7500, -0.6250,",
    "         -0.5000, -0.3750, -0.2500, -0.1250,",
    "          0.0000,  0.1250,  0.2500,  0.3750],",
    "        [ 0.5000,  0.6250,  0.7500,  0.8750,",
    "          1.0000,  1.1250,  1.2500,  1.3750,",
    "          1.5000,  1.6250,  1.7500,  1.8750]],",
    "       dtype=torch.float64)",
  ].join("\n");
  expect(narrowed(wide, 44)).toBe(narrow);
  expect(narrowed(wide, 80)).toBe(wide);
  expect(narrowed("tensor(3.5000)", 5)).toBe("tensor(3.5000)");
});
