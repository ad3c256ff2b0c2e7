import { describe, expect, it } from "vitest";
import { pointAt } from "../src/layout/curve.js";
import { standing } from "../src/graph/standing.js";

/** A line straight up from (0, 200) to its receiver, whose lower edge is at 0. */
const line = /** @type {import("../src/layout/types.js").Line} */ ({ key: "l", from: "a", to: "b", members: [], points: [{ x: 0, y: 200 }, { x: 0, y: 0 }] });
/** @param {Record<string, import("../src/layout/types.js").Rect>} rects @param {string[]} [open] */
const placed = (rects, open = []) => /** @type {any} */ ({ rects: { b: { x: -40, y: -30, width: 80, height: 30 }, ...rects }, lines: [], open });
const packet = { radius: 8, width: 30, leans: false, scale: 1 };

/** @param {ReturnType<typeof placed>} all @param {"door" | "wait"} place */
function rest(all, place) {
  const { along, left } = standing(all, line, { ...packet, place });
  return { before: Math.round((1 - along) * 200), left, y: pointAt(line, along).y };
}

describe("where a packet rests", () => {
  it("stands before its receiver, and further back while it waits", () => {
    expect(rest(placed({}), "door")).toMatchObject({ before: 22, left: false });
    expect(rest(placed({}), "wait")).toMatchObject({ before: 40, left: false });
  });

  it("goes nearer where its line runs under a box", () => {
    for (const from of [36, 42, 50]) {
      const all = placed({ under: { x: -40, y: from, width: 80, height: 60 } });
      for (const place of /** @type {const} */ (["wait", "door"])) expect(rest(all, place).y + 11).toBeLessThanOrEqual(from);
    }
  });

  it("goes further back where its line comes in from the side", () => {
    const slanting = { ...line, points: [{ x: 180, y: 45 }, { x: 0, y: 0 }] };
    const { along } = standing(placed({}), slanting, { ...packet, place: "door" });
    expect(pointAt(slanting, along).y).toBeGreaterThan(11);
  });

  it("turns its label away from a box beside the line", () => {
    expect(rest(placed({ beside: { x: 20, y: -30, width: 60, height: 90 } }), "door")).toMatchObject({ before: 22, left: true });
  });

  it("stays in a module that is drawn as an open frame", () => {
    expect(rest(placed({ frame: { x: -90, y: -90, width: 300, height: 400 } }, ["frame"]), "wait")).toMatchObject({ before: 40, left: false });
  });

  it("stays where it would be if nothing is free", () => {
    expect(rest(placed({ all: { x: -90, y: -90, width: 300, height: 400 } }), "wait")).toMatchObject({ before: 40, left: false });
  });
});
