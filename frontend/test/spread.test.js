import { describe, expect, it } from "vitest";
import { heatRows, histogramOf } from "../src/model/spread.js";

/** @param {unknown} data @param {number[]} shape */
const full = (data, shape) => /** @type {import("../src/wire").Value} */ ({ kind: "full", shape, dtype: "torch.float32", data, text: "" });

describe("a histogram", () => {
  it("counts every finite element once", () => {
    const value = full([...Array.from({ length: 20 }, (_, at) => at), "nan", "inf"], [22]);
    const histogram = /** @type {import("../src/wire").Histogram} */ (histogramOf(value));
    expect(histogram.counts.reduce((sum, each) => sum + each, 0)).toBe(20);
    expect(histogram.edges).toHaveLength(histogram.counts.length + 1);
    expect([histogram.edges[0], histogram.edges.at(-1)]).toEqual([0, 19]);
  });

  it("is none of few, of equal and of half-known elements; the value's own comes first", () => {
    expect(histogramOf(full([1, 2, 3], [3]))).toBeNull();
    expect(histogramOf(full(new Array(10).fill(1), [10]))).toBeNull();
    expect(histogramOf({ ...full([1, 2], [100]), kind: "preview" })).toBeNull();
    const own = { edges: [0, 1], counts: [5] };
    expect(histogramOf({ ...full([1, 2], [100]), kind: "preview", histogram: own })).toBe(own);
  });
});

describe("a heat map", () => {
  it("keeps the sign and is scaled by the largest", () => {
    expect(heatRows(full([[1, -2], [0, "nan"]], [2, 2]))).toEqual([[0.5, -1], [0, "odd"]]);
    expect(heatRows(full([[[1, 2]], [[-4, true]]], [2, 1, 2]))).toEqual([[0.25, 0.5], [-1, 0.25]]);
  });

  it("is none of a number, of what is too large, and of a preview", () => {
    expect(heatRows(full(3, []))).toBeNull();
    expect(heatRows(full([3], [1]))).toBeNull();
    expect(heatRows(full(new Array(65).fill(1), [65]))).toBeNull();
    expect(heatRows({ ...full([1, 2], [2]), kind: "preview" })).toBeNull();
    expect(heatRows(full([], [0]))).toBeNull();
  });
});
