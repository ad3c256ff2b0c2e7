import { describe, expect, it, vi } from "vitest";
import { traces } from "./fixtures/index.js";
import { indexTrace } from "../src/model/index.js";
import { iterationAt, startingValue, trainingOf } from "../src/training/iterations.js";
import { overridesAt } from "../src/training/measure.js";
import { contour, gridAround, heightAt, heightsOf, levelsOf, missing, placeOf, pointOf, ticksIn } from "../src/training/surface.js";
import { survey } from "../src/training/survey.js";
import { chain, descent, mlp } from "./traces.js";

const found = (/** @type {import("../src/wire").Trace} */ trace) =>
  /** @type {import("../src/training/iterations.js").Training} */ (trainingOf(indexTrace(trace)));

describe("a training loop", () => {
  it("pairs each loss with the parameters it was computed from", () => {
    const trace = descent(3);
    const training = found(trace);
    const [w, b] = training.parameters;
    expect([w.label, b.label]).toEqual(["w", "b"]);
    training.losses[0].values.forEach((loss, turn) =>
      expect(loss).toBeCloseTo((2 * Number(w.values[turn]) + Number(b.values[turn])) ** 2, 5),
    );
    expect(training.lossTensors.map((id) => trace.tensors[id].names)).toEqual([["loss"], ["loss"], ["loss"]]);
  });

  it("gives the gradient of each iteration, not of the one before", () => {
    const [gradient] = found(descent(3)).gradients;
    const [w] = found(descent(3)).parameters;
    const [b] = found(descent(3)).parameters.slice(1);
    gradient.values.forEach((norm, turn) => expect(norm).toBeCloseTo(Math.abs(4 * (2 * Number(w.values[turn]) + Number(b.values[turn]))), 4));
  });

  it("counts losses of backward calls where none is named, and draws norms of large parameters", () => {
    const training = found(mlp(2, 3));
    expect(training.steps).toHaveLength(3);
    expect(training.losses[0].values.every((value) => value !== null)).toBe(true);
    expect(training.parameters.map((curve) => curve.label)).toContain("‖layers.0.weight‖");
    expect(training.parameters.map((curve) => curve.label)).toContain("layers.0.bias[2]");
  });

  it("is none in a program that goes through once, or through one graph again", () => {
    expect(trainingOf(indexTrace(chain()))).toBeNull();
    expect(trainingOf(indexTrace(traces.twice))).toBeNull();
  });

  it("knows the iteration a step lies in", () => {
    const training = found(descent(3));
    expect(iterationAt(training, 0)).toBe(0);
    expect(iterationAt(training, training.steps[1])).toBe(1);
    expect(iterationAt(training, training.steps[2] - 1)).toBe(1);
    expect(iterationAt(training, 9999)).toBe(2);
  });
});

describe("other starting values", () => {
  it("keep a parameter's shape and its other elements", () => {
    const index = indexTrace(mlp(2, 2));
    const value = /** @type {number[]} */ (startingValue(index, "layers.0.bias", new Map([[1, 9]])));
    const before = /** @type {number[]} */ (startingValue(index, "layers.0.bias", new Map()));
    expect(value).toEqual([before[0], 9, before[2]]);
  });

  it("are one override for each parameter, also for two elements of one", () => {
    const index = indexTrace(mlp(2, 2));
    const bias = (/** @type {number} */ element) => ({ name: "layers.0.bias", element });
    const overrides = overridesAt(index, [bias(0), bias(2)], { x: 7, y: 8 });
    expect(overrides).toHaveLength(1);
    expect(overrides?.[0].value).toEqual([7, expect.any(Number), 8]);
    const two = overridesAt(indexTrace(descent()), [{ name: "w", element: 0 }, { name: "b", element: 0 }], { x: 1, y: 2 });
    expect(two).toEqual([
      { name: "w", value: 1 },
      { name: "b", value: [2] },
    ]);
  });
});

/** Heights of a function on a grid from -1 to 1. @param {number} side @param {(x: number, y: number) => number} f */
function measuredBy(side, f) {
  const grid = { x: { from: -1, to: 1 }, y: { from: -1, to: 1 }, side };
  const all = missing(new Map(), side).map(({ column, row }) => {
    const { x, y } = pointOf(grid, column, row);
    return /** @type {[string, number]} */ ([placeOf(side, column, row), f(x, y)]);
  });
  return new Map(all);
}

describe("the surface", () => {
  it("has room for the path, and for one that does not move", () => {
    expect(gridAround([0, 10], [3, 3], 9).x).toEqual({ from: -4, to: 14 });
    expect(ticksIn({ from: -0.928, to: 3.25 }, 6)).toEqual([0, 1, 2, 3]);
    expect(ticksIn({ from: -1.34, to: 0.384 }, 7)).toEqual([-1, -0.5, 0]);
    expect(ticksIn({ from: 0.1, to: 0.4 }, 6)).toEqual([0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]);
    const { from, to } = gridAround([0, 10], [3, 3], 9).y;
    expect(from < 3 && 3 < to).toBe(true);
  });

  it("keeps the points of the coarse grid in the fine one", () => {
    expect(missing(new Map(), 9)).toHaveLength(81);
    expect(missing(measuredBy(9, () => 0), 17)).toHaveLength(17 * 17 - 81);
    expect(missing(new Map(), 9)[0]).toEqual({ column: 4, row: 4 });
  });

  it("has lines where the height is that of the line", () => {
    const heights = heightsOf(measuredBy(17, (x, y) => x + 2 * y), 17);
    const segments = contour(heights, 0.5);
    expect(segments.length).toBeGreaterThan(8);
    for (const [x0, y0, x1, y1] of segments) {
      expect(heightAt(heights, x0, y0)).toBeCloseTo(0.5, 6);
      expect(heightAt(heights, x1, y1)).toBeCloseTo(0.5, 6);
    }
  });

  it("closes a line around a bowl: every end meets another", () => {
    const ends = contour(heightsOf(measuredBy(9, (x, y) => x * x + y * y), 9), 0.47).flatMap(([x0, y0, x1, y1]) => [
      `${x0.toFixed(6)},${y0.toFixed(6)}`,
      `${x1.toFixed(6)},${y1.toFixed(6)}`,
    ]);
    for (const end of ends) expect(ends.filter((each) => each === end)).toHaveLength(2);
  });

  it("does not cross itself at a saddle", () => {
    const cell = contour([[1, 0], [0, 1]], 0.4);
    expect(cell).toHaveLength(2);
    for (const [x0, y0, x1, y1] of cell) expect(Math.hypot(x1 - x0, y1 - y0)).toBeLessThan(1);
  });

  it("leaves out what was not measured", () => {
    const holed = measuredBy(9, (x) => x);
    holed.delete(placeOf(9, 4, 4));
    const heights = heightsOf(holed, 9);
    expect(heightAt(heights, 4, 4)).toBeNull();
    expect(contour(heights, 0.01).length).toBe(contour(heightsOf(measuredBy(9, (x) => x), 9), 0.01).length - 2);
    expect(levelsOf([[null, null]], 9)).toEqual([]);
    expect(levelsOf([[0, 1]], 3)).toEqual([1 / 16, 4 / 16, 9 / 16]);
  });
});

describe("a survey", () => {
  it("asks for every point once, two at a time, and waits when told to", async () => {
    const asked = new Map();
    let under = 0;
    let most = 0;
    const pause = vi.fn(async () => {});
    const told = /** @type {number[]} */ ([]);
    const refused = await survey([1, 2, 3, 4, 5], {
      signal: new AbortController().signal,
      pause,
      tell: (point) => told.push(point),
      measure: async (point) => {
        asked.set(point, (asked.get(point) ?? 0) + 1);
        most = Math.max(most, ++under);
        await Promise.resolve();
        under -= 1;
        return point === 3 && asked.get(3) === 1 ? { wait: 2 } : { value: point };
      },
    });
    expect(refused).toBeNull();
    expect(told.sort()).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
    expect(pause).toHaveBeenCalledWith(2);
  });

  it("ends when it is given up and when the server refuses", async () => {
    const stop = new AbortController();
    const tell = vi.fn(() => stop.abort());
    await survey([1, 2, 3, 4, 5, 6], { signal: stop.signal, tell, measure: async () => ({ value: 1 }) });
    expect(tell).toHaveBeenCalledTimes(1);
    const problem = { kind: /** @type {const} */ ("unreachable"), status: 0, detail: "", retryAfter: null };
    const quiet = vi.fn();
    expect(await survey([1, 2, 3, 4], { signal: new AbortController().signal, tell: quiet, measure: async () => ({ problem }) })).toEqual(problem);
    expect(quiet).not.toHaveBeenCalled();
  });
});
