// @ts-nocheck Plain objects stand in for what the page types.
import { describe, expect, it } from "vitest";
import { indexTrace } from "../src/model/index.js";
import { buildScene } from "../src/scene/scene.js";
import { layoutClient } from "../src/layout/client.js";
import { pathOf, pieces, pointAt, simplify } from "../src/layout/curve.js";
import { layoutPlan, layoutSheet } from "../src/layout/layout.js";
import { foldAtFirst, planOf } from "../src/layout/plan.js";
import { practice } from "../src/layout/practice.js";
import { chain, diamond, inplace, mlp, synthetic } from "./traces.js";

const WORDS = { leaf: "leaf", noGrad: "no grad", view: "view", inplace: "in place", lap: (turn) => `Turn ${turn}` };

function placed(trace, { collapsed = [], mode = "twins", room = 2000, wide = 7 } = {}) {
  const scene = buildScene(indexTrace(trace));
  const measure = (text) => text.length * wide;
  return { scene, ...layoutPlan(planOf(scene, { measure, words: WORDS, collapsed, mode, room })) };
}

const overlap = (a, b) =>
  a.x < b.x + b.width - 0.5 && b.x < a.x + a.width - 0.5 && a.y < b.y + b.height - 0.5 && b.y < a.y + a.height - 0.5;
const centre = (rect) => ({ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 });

/** Pairs of boxes that overlap, among those that hold no others. */
function overlaps({ rects, open }) {
  const frames = new Set(open);
  const boxes = Object.entries(rects)
    .filter(([key]) => !frames.has(key))
    .sort(([, a], [, b]) => a.y - b.y);
  const bad = [];
  boxes.forEach(([key, rect], at) => {
    for (let next = at + 1; next < boxes.length && boxes[next][1].y < rect.y + rect.height; next += 1) {
      if (overlap(rect, boxes[next][1])) bad.push([key, boxes[next][0]]);
    }
  });
  return bad;
}

describe("forward layout", () => {
  it("lays no box over another, with twins", () => {
    for (const trace of [chain(), diamond(), inplace(), mlp(3), mlp(2, 3)]) expect(overlaps(placed(trace))).toEqual([]);
  });

  it("flows down: every data line ends below its start", () => {
    for (const trace of [chain(), diamond(), inplace(), mlp(3), mlp(2, 3), synthetic(120)]) {
      const { lines } = placed(trace);
      for (const { kind, points } of lines) if (kind === "data") expect(points.at(-1).y).toBeGreaterThan(points[0].y);
    }
  });

  it("keeps the boxes of a group inside its frame", () => {
    const { rects, open, scene } = placed(mlp(3));
    for (const item of scene.items.filter((each) => open.includes(each.group))) {
      const [frame, rect] = [rects[item.group], rects[item.key]];
      expect([
        rect.x >= frame.x,
        rect.y >= frame.y,
        rect.x + rect.width <= frame.x + frame.width,
        rect.y + rect.height <= frame.y + frame.height,
      ]).toEqual([true, true, true, true]);
    }
  });

  it("lays equal module calls out once", () => {
    // Widths of this text are found in no other test, so nothing is cached at first.
    const { counts } = placed(mlp(12), { wide: 7.31 });
    expect(counts.modules).toBe(25);
    expect(counts.modules - counts.cached).toBeLessThanOrEqual(8);
    expect(placed(mlp(12), { wide: 7.31 }).counts.cached).toBe(25);
  });

  it("stacks the laps of a training loop", () => {
    const { rects } = placed(mlp(2, 3));
    const tops = ["lap0", "lap1", "lap2"].map((key) => rects[key]);
    expect(tops[1].y).toBeGreaterThanOrEqual(tops[0].y + tops[0].height);
    expect(tops[2].y).toBeGreaterThanOrEqual(tops[1].y + tops[1].height);
  });

  it("places a flat graph of 2,000 boxes without overlaps", () => {
    const large = placed(synthetic(2000), { mode: "auto" });
    expect(large.mode).toBe("badges");
    const badges = new Set(large.scene.pills.map((pill) => pill.key));
    expect(
      overlaps({
        open: [],
        rects: Object.fromEntries(Object.entries(large.rects).filter(([key]) => !badges.has(key))),
      }),
    ).toEqual([]);
    expect(large.counts.modules).toBe(1);
  }, 60_000);

  it("reads an empty scene", () => {
    const { bounds, lines } = placed({ ...chain(), tensors: [], ops: [], nodes: [], steps: [], backwards: [] });
    expect([bounds.width, bounds.height, lines]).toEqual([0, 0, []]);
  });
});

describe("backward nodes", () => {
  it("stand mirrored at the height of their twins", () => {
    for (const trace of [chain(), diamond(), mlp(2)]) {
      const { rects, axis, scene } = placed(trace);
      for (const pill of scene.pills) {
        const [own, twin] = [centre(rects[pill.key]), centre(rects[pill.twin])];
        expect(own.y).toBeCloseTo(twin.y, 6);
        expect(own.x - axis).toBeCloseTo(axis - twin.x, 6);
      }
    }
  });

  it("climb: every next_functions line ends above its start", () => {
    for (const mode of ["twins", "badges"]) {
      const { lines } = placed(mlp(2), { mode });
      for (const { kind, points } of lines) if (kind === "next") expect(points.at(-1).y).toBeLessThan(points[0].y);
    }
  });

  it("shrink to badges where the room is narrow, and on demand", () => {
    expect(placed(chain(), { mode: "auto", room: 1000 }).mode).toBe("twins");
    expect(placed(chain(), { mode: "auto", room: 300 }).mode).toBe("badges");
    const { rects, scene } = placed(chain(), { mode: "badges" });
    for (const pill of scene.pills) expect(overlap(rects[pill.key], rects[pill.twin])).toBe(true);
  });

  it("leave the title of their op free as badges", () => {
    const { rects, scene } = placed(mlp(2), { mode: "badges" });
    for (const pill of scene.pills)
      expect(rects[pill.key].x).toBeGreaterThanOrEqual(rects[pill.twin].x + rects[pill.twin].width - 8);
  });
});

describe("folding", () => {
  it("shows a folded module call as one box with one pill, and its lines end there", () => {
    const { rects, lines, shownAs, scene } = placed(mlp(2), { collapsed: ["s1"] });
    const inside = scene.items.filter((item) => item.group === "s1");
    expect(inside.length).toBeGreaterThan(3);
    for (const item of inside) expect([rects[item.key], shownAs[item.key]]).toEqual([undefined, "s1"]);
    expect(rects.s1).toBeDefined();
    expect(rects["s1|b"]).toBeDefined();
    for (const line of lines)
      expect([rects[line.from] !== undefined, rects[line.to] !== undefined]).toEqual([true, true]);
    expect(overlaps({ rects, open: ["s0", "s2", "s3"] })).toEqual([]);
  });

  it("hides calls inside a folded call", () => {
    const { rects, shownAs } = placed(mlp(2), { collapsed: ["s0", "s1"] });
    expect(rects.s1).toBeUndefined();
    expect(shownAs.s1).toBe("s0");
  });

  it("carries every edge of the scene on a line, but for those inside one box", () => {
    const { lines, shownAs, scene } = placed(mlp(2), { collapsed: ["s1"] });
    const carried = new Set(lines.flatMap((line) => line.members));
    const seen = (key) => shownAs[key] ?? key;
    for (const edge of [...scene.data, ...scene.nexts, ...scene.saved])
      expect(carried.has(edge.key)).toBe(seen(edge.from) !== seen(edge.to));
  });

  it("folds nothing of a small graph, and whole levels of a large one", () => {
    const small = buildScene(indexTrace(mlp(2)));
    expect(foldAtFirst(small, 90).size).toBe(0);
    const large = buildScene(indexTrace(mlp(12)));
    const folded = foldAtFirst(large, 60);
    const calls = large.groups.filter((group) => group.parent !== null).map((group) => group.key);
    expect([...folded].sort()).toEqual(calls.sort());
  });
});

describe("lines", () => {
  const line = {
    points: [
      { x: 0, y: 0 },
      { x: 40, y: 50 },
      { x: 60, y: 100 },
    ],
    bend: "upright",
  };

  it("begin and end where they should", () => {
    expect(pointAt(line, 0)).toEqual({ x: 0, y: 0 });
    expect(pointAt(line, 1)).toEqual({ x: 60, y: 100 });
    expect(pathOf(line)).toMatch(/^M0 0C/);
  });

  it("never swing beyond their waypoints", () => {
    for (let t = 0; t <= 1; t += 0.02) {
      const { x } = pointAt(line, t);
      expect(x).toBeGreaterThanOrEqual(-1e-9);
      expect(x).toBeLessThanOrEqual(60 + 1e-9);
    }
  });

  it("drop waypoints on a straight stretch only", () => {
    expect(
      simplify([
        { x: 0, y: 0 },
        { x: 0, y: 10 },
        { x: 0, y: 20 },
      ]),
    ).toHaveLength(2);
    expect(
      simplify([
        { x: 0, y: 0 },
        { x: 30, y: 10 },
        { x: 0, y: 20 },
      ]),
    ).toHaveLength(3);
    expect(
      pieces({
        points: [
          { x: 0, y: 0 },
          { x: 9, y: 9 },
        ],
        bend: "corner",
      }),
    ).toHaveLength(1);
  });
});

describe("the worker's client", () => {
  function fakes(load) {
    const workers = [];
    const start = () => {
      const worker = {
        sent: [],
        ended: false,
        postMessage: (message) => worker.sent.push(message),
        terminate: () => {
          worker.ended = true;
        },
      };
      workers.push(worker);
      return worker;
    };
    return { workers, client: layoutClient(start, load) };
  }

  const planFor = (trace) => planOf(buildScene(indexTrace(trace)), { measure: (text) => text.length * 7, words: WORDS, collapsed: [], mode: "twins", room: 2000 });
  const one = planFor(chain());
  const two = planFor(diamond());
  /** Does what the worker does with its latest message. */
  const answer = (worker) => {
    const { id, sheet } = worker.sent.at(-1);
    worker.onmessage({ data: { id, places: layoutSheet(sheet) } });
  };

  it("ends a layout that a newer one supersedes", async () => {
    const { workers, client } = fakes();
    const first = client.layout(one);
    const second = client.layout(two);
    await expect(first).rejects.toMatchObject({ name: "AbortError" });
    expect(workers.map((worker) => worker.ended)).toEqual([true, false]);
    answer(workers[1]);
    await expect(second).resolves.toEqual(layoutPlan(two));
  });

  it("tells how far a layout is, and stops it when asked", async () => {
    const { workers, client } = fakes();
    const parts = [];
    const layout = client.layout(one, (part) => parts.push(part));
    workers[0].onmessage({ data: { id: 1, part: 0.5 } });
    workers[0].onmessage({ data: { id: 0, part: 0.9 } });
    expect(parts).toEqual([0.5]);
    client.stop();
    await expect(layout).rejects.toMatchObject({ name: "AbortError" });
    expect(workers[0].ended).toBe(true);
  });

  it("lays a small graph out where it stands, once there is a picture, and a large one in the worker", async () => {
    const { workers, client } = fakes(async () => layoutSheet);
    const first = client.layout(one);
    answer(workers[0]);
    await first;
    await Promise.resolve();
    expect(await client.layout(two)).toEqual(layoutPlan(two));
    expect(workers[0].sent).toHaveLength(1);
    const large = client.layout(planFor(synthetic(120)));
    expect(workers[0].sent).toHaveLength(2);
    // A small one that is asked for meanwhile is drawn at once, and the large one given up.
    expect(await client.layout(one)).toEqual(layoutPlan(one));
    await expect(large).rejects.toMatchObject({ name: "AbortError" });
    expect(workers.map((worker) => worker.ended)).toEqual([true]);
  });

  it("keeps a worker that is idle", async () => {
    const { workers, client } = fakes();
    const first = client.layout(one);
    answer(workers[0]);
    await first;
    const second = client.layout(two);
    answer(workers[0]);
    await expect(second).resolves.toEqual(layoutPlan(two));
    expect(workers).toHaveLength(1);
  });

  it("asks the worker nothing when only numbers changed", async () => {
    const { workers, client } = fakes();
    const first = client.layout(one);
    answer(workers[0]);
    await first;
    await expect(client.layout(planFor(chain()))).resolves.toEqual(layoutPlan(one));
    expect(workers[0].sent).toHaveLength(1);
    // And what was asked for in between is not wanted any more.
    const other = client.layout(two);
    await client.layout(one);
    await expect(other).rejects.toMatchObject({ name: "AbortError" });
  });

  it("is told numbers alone", async () => {
    const { workers, client } = fakes();
    void client.layout(planFor(mlp(3))).catch(() => null);
    const { sheet } = workers[0].sent[0];
    const kinds = new Set(Object.values(sheet).map((part) => (ArrayBuffer.isView(part) ? "numbers" : typeof part)));
    expect(kinds).toEqual(new Set(["number", "numbers", "boolean", "string"]));
    expect(sheet.mode).toBe("twins");
  });

  it("reports what went wrong and starts afresh", async () => {
    const { workers, client } = fakes();
    const first = client.layout(one);
    workers[0].onerror({ message: "no" });
    await expect(first).rejects.toThrow("no");
    void client.layout(two).catch(() => null);
    expect(workers).toHaveLength(2);
  });

  it("may practise before there is anything to lay out", () => {
    const rounds = [...practice()];
    expect(rounds.length).toBeGreaterThan(3);
    for (const sheet of rounds) {
      const { counts, rects, kinds } = layoutSheet(sheet);
      expect(counts.modules).toBeGreaterThan(2);
      expect(rects.slice(0, 4).every(Number.isFinite)).toBe(true);
      expect(new Set(kinds)).toEqual(new Set([0, 1, 2, 3]));
    }
    const shapes = rounds.map((sheet) => layoutSheet(sheet).rects.join());
    expect(new Set(shapes).size).toBe(rounds.length);
  });
});
