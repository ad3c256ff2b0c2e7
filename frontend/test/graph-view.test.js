// @ts-nocheck Plain objects stand in for what the page types.
import { describe, expect, it } from "vitest";
import { indexTrace } from "../src/model/index.js";
import { buildScene } from "../src/scene/scene.js";
import { BACKWARD, FORWARD, outlineKey, outlineRows } from "../src/scene/outline.js";
import { drawsStrip, strip, valueText } from "../src/scene/format.js";
import { centred, detailAt, fit, held, mix, pan, reveal, seen, toScreen, toWorld, zoomAt } from "../src/graph/camera.js";
import { areaOf } from "../src/graph/follow.js";
import { cut } from "../src/graph/measure.js";
import { boxAt } from "../src/graph/pick.js";
import { createPlate, SPARE } from "../src/graph/plate.js";
import { visibleIn } from "../src/graph/sight.js";
import { layoutPlan } from "../src/layout/layout.js";
import { planOf } from "../src/layout/plan.js";
import { mlp, chain, synthetic } from "./traces.js";
import { valueOf } from "./recorder-ops.js";

const SIZE = { width: 600, height: 400 };

const WORDS = { leaf: "leaf", noGrad: "no grad", view: "view", inplace: "in place", lap: (turn) => `Turn ${turn}` };

describe("camera", () => {
  const camera = { x: 10, y: -20, k: 0.5 };

  it("goes between world and screen and back", () => {
    const point = { x: 37, y: 81 };
    expect(toWorld(camera, toScreen(camera, point))).toEqual(point);
    expect(seen(camera, SIZE)).toEqual({ x: -20, y: 40, width: 1200, height: 800 });
  });

  it("holds the point under the pointer still while it zooms, within limits", () => {
    const at = { x: 200, y: 100 };
    const before = toWorld(camera, at);
    const after = toWorld(zoomAt(camera, 1.7, at), at);
    expect(after.x).toBeCloseTo(before.x, 9);
    expect(after.y).toBeCloseTo(before.y, 9);
    expect(zoomAt(camera, 1e6, at).k).toBe(3);
    expect(zoomAt(camera, 1e-6, at).k).toBe(0.02);
  });

  it("fits a rectangle into the middle, without blowing up a small one", () => {
    const rect = { x: 100, y: 50, width: 2000, height: 300 };
    const fitted = fit(rect, SIZE, { margin: 20 });
    expect(fitted.k).toBeCloseTo(0.28, 9);
    expect(toScreen(fitted, { x: 1100, y: 200 })).toEqual({ x: 300, y: 200 });
    expect(fit({ x: 0, y: 0, width: 10, height: 10 }, SIZE).k).toBe(1.15);
  });

  it("moves no more than needed to reveal something", () => {
    const still = { x: 0, y: 0, k: 1 };
    expect(reveal(still, { x: 200, y: 150, width: 50, height: 50 }, SIZE, 50)).toBe(still);
    expect(reveal(still, { x: 700, y: 150, width: 50, height: 50 }, SIZE, 50)).toEqual({ x: -200, y: 0, k: 1 });
    expect(reveal(still, { x: -100, y: -100, width: 50, height: 50 }, SIZE, 50)).toEqual({ x: 150, y: 150, k: 1 });
    const large = reveal(still, { x: 0, y: 0, width: 5000, height: 10 }, SIZE, 50);
    expect(large.x).toBe(-2200);
  });

  it("keeps to a room, and shows no more beside the graph than it must", () => {
    const room = { x: 100, y: 50, width: 400, height: 300 };
    const k = 1;
    // What fits is inside, wherever in the room it was.
    const small = { x: 0, y: 0, width: 200, height: 100 };
    expect(held({ x: 150, y: 60, k }, small, room)).toEqual({ x: 150, y: 60, k });
    expect(held({ x: 20, y: 340, k }, small, room)).toEqual({ x: 100, y: 250, k });
    // What is too long for it fills it from end to end.
    const long = { x: 0, y: 0, width: 200, height: 1000 };
    expect(held({ x: 150, y: 200, k }, long, room).y).toBe(50);
    expect(held({ x: 150, y: -900, k }, long, room).y).toBe(350 - 1000);
    expect(held({ x: 150, y: -300, k }, long, room).y).toBe(-300);
    expect(fit(small, room, { margin: 0, most: 2 })).toEqual({ x: 100, y: 100, k: 2 });
    expect(reveal({ x: 0, y: 0, k }, { x: 0, y: 0, width: 10, height: 10 }, room, 20)).toEqual({ x: 120, y: 70, k });
  });

  it("is a value: pan and mix leave it as it was", () => {
    expect(pan(camera, 5, 5)).toEqual({ x: 15, y: -15, k: 0.5 });
    expect(mix(camera, centred({ x: 0, y: 0, width: 0, height: 0 }, SIZE, 1), 1)).toEqual({ x: 300, y: 200, k: 1 });
    expect(camera).toEqual({ x: 10, y: -20, k: 0.5 });
  });

  it("tells how much to draw", () => {
    expect([0.2, 0.5, 1].map(detailAt)).toEqual(["far", "middle", "near"]);
  });
});

describe("what is on screen", () => {
  const placed = {
    rects: {
      a: { x: 0, y: 0, width: 10, height: 10 },
      b: { x: 500, y: 0, width: 10, height: 10 },
      frame: { x: -5, y: -5, width: 600, height: 50 },
    },
    lines: [
      {
        members: ["e"],
        from: "a",
        to: "b",
        points: [
          { x: 5, y: 10 },
          { x: 505, y: 30 },
        ],
      },
    ],
    open: ["frame"],
    shownAs: { hidden: "b" },
  };

  it("is what touches the window", () => {
    expect(visibleIn(placed, { x: 100, y: 0, width: 100, height: 100 })).toEqual({
      boxes: ["frame"],
      lines: placed.lines,
    });
    expect(visibleIn(placed, { x: 0, y: 100, width: 1000, height: 100 })).toEqual({ boxes: [], lines: [] });
  });

  it("is found among many as it would be by asking each", () => {
    const scene = buildScene(indexTrace(synthetic(120)));
    const all = layoutPlan(planOf(scene, { measure: (text) => text.length * 7, words: WORDS, collapsed: [], mode: "badges", room: 900 }));
    const touches = ([left, top, right, bottom], area) => left <= area.x + area.width && right >= area.x && top <= area.y + area.height && bottom >= area.y;
    const { x, y, width, height } = all.bounds;
    for (const share of [0, 0.3, 0.7, 0.95])
      for (const side of [60, 900, 40_000]) {
        const area = { x: x + share * width - side / 2, y: y + share * height - side / 2, width: side, height: side };
        const boxes = Object.keys(all.rects).filter((key) => {
          const rect = all.rects[key];
          return touches([rect.x, rect.y, rect.x + rect.width, rect.y + rect.height], area);
        });
        const lines = all.lines.filter(({ points }) => {
          const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
          return touches([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)], area);
        });
        expect(visibleIn(all, area)).toEqual({ boxes, lines });
      }
    expect(visibleIn(all, { x, y: y - 90_000, width, height: 10 })).toEqual({ boxes: [], lines: [] });
  });

  it("can be hit, frames aside", () => {
    expect(boxAt(placed, { x: 5, y: 5 }, 0)).toBe("a");
    expect(boxAt(placed, { x: 100, y: 5 }, 3)).toBeNull();
    expect(boxAt(placed, { x: 12, y: 5 }, 3)).toBe("a");
  });

  it("is followed by what a step is about, folded or not", () => {
    expect(areaOf(placed, ["hidden"], [])).toEqual(placed.rects.b);
    expect(areaOf(placed, [], ["e"])).toEqual({ x: 0, y: 0, width: 510, height: 10 });
    expect(areaOf(placed, ["nothing"], [])).toBeNull();
  });
});

describe("outline", () => {
  const scene = buildScene(indexTrace(mlp(2)));

  it("lists every box and every node once", () => {
    const keys = outlineRows(scene, new Set()).map((row) => row.key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toHaveLength(scene.items.length + scene.groups.length + scene.pills.length + 2);
  });

  it("leaves out what is folded", () => {
    const rows = outlineRows(scene, new Set(["s0", BACKWARD]));
    expect(rows.find((row) => row.key === "s0").expanded).toBe(false);
    expect(rows.some((row) => row.key === "s1" || scene.pillOf.has(row.key))).toBe(false);
  });

  it("lists nodes in the order in which they ran", () => {
    const small = buildScene(indexTrace(chain()));
    const rows = outlineRows(small, new Set())
      .filter((row) => small.pillOf.has(row.key))
      .map((row) => small.pillOf.get(row.key).title);
    expect(rows).toEqual([
      "PowBackward0",
      "AddBackward0",
      "AccumulateGrad",
      "MulBackward0",
      "AccumulateGrad",
      "AccumulateGrad",
    ]);
  });

  it("is walked with the keys of a tree", () => {
    const rows = outlineRows(scene, new Set(["s1"]));
    expect(outlineKey(rows, FORWARD, "ArrowDown")).toEqual({ move: rows[1].key });
    expect(outlineKey(rows, FORWARD, "ArrowUp")).toEqual({ move: FORWARD });
    expect(outlineKey(rows, "s1", "ArrowRight")).toEqual({ toggle: "s1" });
    expect(outlineKey(rows, "s1", "ArrowLeft")).toEqual({ move: "s0" });
    expect(outlineKey(rows, "s0", "ArrowLeft")).toEqual({ toggle: "s0" });
    expect(outlineKey(rows, rows[1].key, "Enter")).toEqual({ select: rows[1].key });
    expect(outlineKey(rows, FORWARD, "End")).toEqual({ move: rows.at(-1).key });
    expect(outlineKey(rows, FORWARD, "x")).toBeNull();
  });
});

describe("words and bars", () => {
  it("writes a number, a short vector, or a shape", () => {
    expect([valueOf([], [3]), valueOf([2], [1, -0.5]), valueOf([2, 3], [1, 2, 3, 4, 5, 6])].map(valueText)).toEqual([
      "3",
      "[1, -0.5]",
      "2×3",
    ]);
  });

  it("draws elements against the largest, and marks what is no number", () => {
    expect(strip(valueOf([3], [2, -4, 0]))).toEqual([0.5, -1, 0]);
    expect(strip({ ...valueOf([2], [1, 1]), data: [1, "nan"] })).toEqual([1, null]);
    expect(
      [valueOf([], [1]), valueOf([4], [1, 2, 3, 4]), valueOf([100], Array(100).fill(1)), valueOf([0], [])].map(
        drawsStrip,
      ),
    ).toEqual([false, true, false, false]);
  });

  it("cuts what does not fit", () => {
    const measure = (text) => text.length;
    expect(cut("weight", 6, measure)).toBe("weight");
    expect(cut("weight", 4, measure)).toBe("wei…");
  });
});

describe("the plate of the far picture", () => {
  function plate() {
    const painted = [];
    const canvas = { width: 0, height: 0, getContext: () => ({}) };
    const { at } = createPlate(() => canvas);
    const show = (camera, key = ["a"]) =>
      at(camera, { width: 600, height: 400, ratio: 2 }, key, (_, camera, size) => painted.push({ camera, size }));
    return { painted, show, canvas };
  }

  it("is larger than the screen and shifts with a pan", () => {
    const { painted, show, canvas } = plate();
    const first = show({ x: 10, y: 20, k: 0.1 });
    const second = show({ x: 60, y: -10, k: 0.1 });
    expect(painted).toEqual([
      { camera: { x: 10 + SPARE, y: 20 + SPARE, k: 0.1 }, size: { width: 600 + 2 * SPARE, height: 400 + 2 * SPARE } },
    ]);
    expect([first.x, first.y, second.x, second.y]).toEqual([-SPARE, -SPARE, 50 - SPARE, -30 - SPARE]);
    expect([canvas.width, canvas.height]).toEqual([2 * (600 + 2 * SPARE), 2 * (400 + 2 * SPARE)]);
  });

  it("is painted again for another zoom, another content, or beyond its margin", () => {
    const { painted, show } = plate();
    show({ x: 0, y: 0, k: 0.1 });
    show({ x: 0, y: 0, k: 0.2 });
    show({ x: 0, y: 0, k: 0.2 }, ["b"]);
    show({ x: SPARE + 1, y: 0, k: 0.2 }, ["b"]);
    expect(painted).toHaveLength(4);
  });
});
