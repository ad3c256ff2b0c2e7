// @ts-nocheck Plain objects stand in for what the page types.
import { afterEach, describe, expect, it, vi } from "vitest";
import { traces } from "./fixtures/index.js";
import { importedAs, namesAfter } from "../src/editor/completion.js";
import { TORCH_NAMES } from "../src/editor/torchNames.js";
import { stopsAt } from "../src/player/stops.js";
import { keepLive } from "../src/session.js";
import * as store from "../src/store.js";

describe("completion", () => {
  const program = "import torch\nimport torch.nn.functional as F\nfrom torch import nn, optim as o\nimport math\n";

  it("knows modules by the names they were imported as", () => {
    expect(Object.fromEntries(importedAs(program))).toEqual({
      torch: "torch",
      F: "torch.nn.functional",
      nn: "torch.nn",
      o: "torch.optim",
    });
  });

  it("offers what a module holds, and a tensor's methods after anything else", () => {
    expect(namesAfter(TORCH_NAMES, "torch", program).names).toContain("tensor");
    expect(namesAfter(TORCH_NAMES, "nn.functional", program).names).toContain("cross_entropy");
    expect(namesAfter(TORCH_NAMES, "F", program).names).toContain("relu");
    expect(namesAfter(TORCH_NAMES, "o", program).names).toContain("SGD");
    expect(namesAfter(TORCH_NAMES, "loss", program).names).toContain("backward");
    expect(namesAfter(TORCH_NAMES, "self", program).names).toContain("parameters");
    expect(namesAfter(TORCH_NAMES, "torch.unheard", program).names).toEqual([]);
  });
});

describe("a breakpoint", () => {
  const steps = [{ line: 1 }, { line: 2 }, { line: 2 }, { line: null }, { line: 2 }];

  it("stops where its line is come to, and not at each step of it", () => {
    const stops = steps.map((_, now) => now > 0 && stopsAt(steps, now - 1, now, [2]));
    expect(stops).toEqual([false, true, false, false, true]);
    expect(stopsAt(steps, 1, 1, [2])).toBe(false);
    expect(stopsAt(steps, 0, 1, [])).toBe(false);
  });
});

describe("a live program", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    store.live.value = false;
  });

  /** @param {(code: string) => unknown} answer  null for a server that is busy @param {() => Promise<void>} [wait] */
  const start = (answer, wait = async () => {}) => {
    vi.useFakeTimers();
    const sent = [];
    const given = [];
    vi.stubGlobal("fetch", async (path, init) => {
      if (path.endsWith("examples")) return new Response("{}", { status: 503 });
      const place = sent.push(JSON.parse(init.body).code) - 1;
      given[place] = false;
      init.signal.addEventListener("abort", () => {
        given[place] = true;
      });
      await wait();
      const said = answer(sent[place]);
      return said === null ? new Response("{}", { status: 429 }) : new Response(JSON.stringify(said));
    });
    store.showTrace(traces.chain, "chain", 3);
    store.code.value = "chain";
    store.live.value = true;
    return { sent, given, stop: keepLive() };
  };

  it("runs at once, and stays where it was", async () => {
    const { sent, stop } = start(() => traces.chain);
    store.code.value = "chain 2";
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual(["chain 2"]);
    expect([store.step.value, store.stale.value]).toEqual([3, false]);
    stop();
  });

  it("keeps what was chosen, and says what went wrong once typing has paused", async () => {
    const failed = { ...traces.chain, outcome: { ...traces.chain.outcome, status: "error", error: { type: "NameError", message: "name 'v' is not defined", line: 1 } } };
    const { stop } = start((code) => (code === "v" ? failed : { ...traces.chain }));
    store.select({ kind: "node", id: 0 });
    store.code.value = "chain 2";
    await vi.advanceTimersByTimeAsync(0);
    expect([store.codeOfTrace.value, store.selection.value]).toEqual(["chain 2", { kind: "node", id: 0 }]);
    store.code.value = "v";
    await vi.advanceTimersByTimeAsync(300);
    expect(store.codeOfTrace.value).toBe("chain 2");
    await vi.advanceTimersByTimeAsync(1000);
    expect([store.codeOfTrace.value, store.trace.value?.outcome.status]).toEqual(["v", "error"]);
    store.code.value = "vw";
    store.code.value = "v";
    await vi.advanceTimersByTimeAsync(300);
    store.code.value = "chain 3";
    await vi.advanceTimersByTimeAsync(1000);
    expect(store.codeOfTrace.value).toBe("chain 3");
    stop();
  });

  it("runs what is typed during a run together after it", async () => {
    /** @type {Array<() => void>} */
    const answers = [];
    const { sent, stop } = start(() => traces.chain, () => new Promise((done) => answers.push(done)));
    for (const text of ["chain 2", "chain 23", "chain 234"]) {
      store.code.value = text;
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(sent).toEqual(["chain 2"]);
    answers[0]();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual(["chain 2", "chain 234"]);
    answers[1]();
    await vi.advanceTimersByTimeAsync(5000);
    expect([sent.length, store.codeOfTrace.value, store.stale.value]).toEqual([2, "chain 234", false]);
    stop();
  });

  it("gives up a run that keeps what was typed waiting", async () => {
    const { sent, given, stop } = start(() => traces.chain, () => new Promise(() => {}));
    store.code.value = "while True: pass";
    await vi.advanceTimersByTimeAsync(0);
    store.code.value = "chain 2";
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toEqual(["while True: pass", "chain 2"]);
    expect(given).toEqual([true, false]);
    stop();
  });

  it("waits for a server that is busy, and says nothing", async () => {
    const answers = [null, traces.chain];
    const { sent, stop } = start(() => answers.shift());
    store.code.value = "chain 2";
    await vi.advanceTimersByTimeAsync(500);
    expect([sent.length, store.run.value.state]).toEqual([1, "ready"]);
    store.code.value = "chain 23";
    await vi.advanceTimersByTimeAsync(400);
    expect(sent).toEqual(["chain 2"]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([sent, store.codeOfTrace.value]).toEqual([["chain 2", "chain 23"], "chain 23"]);
    stop();
  });

  it("says so when it has waited some times, and asks no more for that program", async () => {
    const { sent, stop } = start(() => null);
    store.code.value = "chain 2";
    await vi.advanceTimersByTimeAsync(10_000);
    expect([sent.length, store.run.value.state]).toEqual([4, "failed"]);
    store.code.value = "chain 23";
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent.slice(4)).toEqual(["chain 23"]);
    stop();
  });

  it("that cannot be read keeps the picture and says why", async () => {
    const error = { type: "SyntaxError", message: "'(' was never closed", line: 2, column: 5, frames: [], explanation: "syntax" };
    const { sent, stop } = start(() => ({ ...traces.chain, tensors: [], steps: [], outcome: { status: "error", error } }));
    store.code.value = "chain (";
    await vi.advanceTimersByTimeAsync(1000);
    expect(store.trace.value).toBe(traces.chain);
    expect(store.fault.value).toEqual({ program: "chain (", line: 2, column: 5, text: "SyntaxError: '(' was never closed" });
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent.length).toBe(1);
    stop();
  });
});
