import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { traces } from "./fixtures/index.js";
import { readAddress } from "../src/address.js";
import { openCompared, textToCarry, wordOf } from "../src/compare/link.js";
import { pack } from "../src/model/pack.js";
import { openId } from "../src/programs.js";
import { cancelRun, edit, endProgram, examples, keepReading, open, openExample, progress, runProgram, startProgram, turnToProgram } from "../src/session.js";
import * as store from "../src/store.js";

const EXAMPLES = {
  chapters: { basics: { en: "Basics", zh: "基础" } },
  examples: [
    { id: "chain", chapter: "basics", title: { en: "Chain", zh: "链" }, summary: { en: "", zh: "" }, code: "chain" },
    { id: "twice", chapter: "basics", title: { en: "Twice", zh: "两次" }, summary: { en: "", zh: "" }, code: "twice" },
  ],
};

/** @param {unknown} body @param {number} [status] @param {Record<string, string>} [headers] */
const reply = (body, status = 200, headers = {}) => new Response(JSON.stringify(body), { status, headers });

/** A server that answers programs by the name of a fixture. @param {(code: string) => Response | Promise<Response>} run */
const serve = (run) =>
  vi.stubGlobal("fetch", async (/** @type {string} */ path, /** @type {RequestInit | undefined} */ init) =>
    path.endsWith("examples") ? reply(EXAMPLES) : run(JSON.parse(String(init?.body)).code),
  );
const byName = (/** @type {string} */ code) => reply(traces[/** @type {keyof typeof traces} */ (code)]);

beforeEach(() => {
  store.trace.value = null;
  store.step.value = -1;
  store.example.value = null;
  store.code.value = "";
  store.run.value = { state: "idle", problem: null };
  examples.value = null;
});
afterEach(() => vi.unstubAllGlobals());

describe("a run", () => {
  it("shows the trace at its end", async () => {
    serve(byName);
    store.code.value = "chain";
    expect(await runProgram()).toBe(true);
    expect(store.step.value).toBe(16);
    expect(store.run.value).toEqual({ state: "ready", problem: null });
    expect(store.stale.value).toBe(false);
  });

  it("that takes its time tells where it stands, and can be given up", async () => {
    const place = { elapsed_ms: 312.5, phase: "running", position: null, line: 3, steps: 40 };
    /** @type {ReadableStreamDefaultController<Uint8Array>[]} */
    const open = [];
    const tell = (/** @type {string} */ name, /** @type {unknown} */ data) =>
      open.at(-1)?.enqueue(new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
    serve(() => {
      const body = new ReadableStream({ start: (controller) => void open.push(controller) });
      return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
    });
    store.code.value = "chain";
    const first = runProgram();
    await vi.waitFor(() => expect(open.length).toBe(1));
    tell("progress", place);
    await vi.waitFor(() => expect(progress.value).toEqual(place));
    cancelRun();
    tell("trace", traces.chain);
    open[0].close();
    expect(await first).toBe(false);
    expect([progress.value, store.trace.value]).toEqual([null, null]);
    expect(store.run.value).toEqual({ state: "idle", problem: null });

    const second = runProgram();
    await vi.waitFor(() => expect(open.length).toBe(2));
    tell("trace", traces.chain);
    open[1].close();
    expect(await second).toBe(true);

    const third = runProgram();
    await vi.waitFor(() => expect(open.length).toBe(3));
    tell("problem", { status: 429, title: "Too Many Requests", detail: "busy", retry_after: 4 });
    open[2].close();
    expect(await third).toBe(false);
    expect(store.run.value.problem).toMatchObject({ kind: "busy", detail: "busy", retryAfter: 4 });

    const fourth = runProgram();
    await vi.waitFor(() => expect(open.length).toBe(4));
    open[3].close();
    expect(await fourth).toBe(false);
    expect(store.run.value.problem).toMatchObject({ kind: "unreachable" });
  });

  it("is given up for another program, and nothing of it stays", async () => {
    /** @type {ReadableStreamDefaultController<Uint8Array>[]} */
    const going = [];
    serve(() => new Response(new ReadableStream({ start: (controller) => void going.push(controller) }), { headers: { "content-type": "text/event-stream" } }));
    store.showTrace(traces.chain, "chain");
    const first = openId.value;
    await startProgram();
    const second = openId.value;
    store.code.value = "slow";
    const slow = runProgram();
    await vi.waitFor(() => expect(going.length).toBe(1));
    going[0].enqueue(new TextEncoder().encode('event: progress\ndata: {"elapsed_ms": 300, "phase": "running", "position": null, "line": 1, "steps": 2}\n\n'));
    await vi.waitFor(() => expect(progress.value).not.toBeNull());
    await turnToProgram(first);
    expect([progress.value, store.run.value.state, store.trace.value === traces.chain]).toEqual([null, "ready", true]);
    going[0].close();
    expect(await slow).toBe(false);
    await endProgram(second);
  });

  it("is not sent without a program", async () => {
    serve(() => {
      throw new Error("sent");
    });
    store.code.value = "  \n";
    expect(await runProgram()).toBe(false);
    expect(store.run.value.problem?.kind).toBe("empty");
  });

  it.each([
    [429, { "retry-after": "7" }, "busy", 7],
    [503, {}, "busy", null],
    [413, {}, "too_long", null],
    [422, {}, "invalid", null],
    [500, {}, "server", null],
    [502, {}, "unreachable", null],
  ])("that is refused with %i keeps program and trace", async (status, headers, kind, retryAfter) => {
    serve(byName);
    store.code.value = "chain";
    await runProgram();
    serve(() => reply({ title: "no", status, detail: "why" }, status, /** @type {Record<string, string>} */ (headers)));
    store.code.value = "changed";
    expect(await runProgram()).toBe(false);
    expect(store.run.value.problem).toMatchObject({ kind, retryAfter, detail: "why" });
    expect([store.code.value, store.trace.value, store.step.value]).toEqual(["changed", traces.chain, 16]);
  });

  it("that cannot reach the server says so", async () => {
    serve(() => {
      throw new TypeError("failed to fetch");
    });
    store.code.value = "chain";
    await runProgram();
    expect(store.run.value).toMatchObject({ state: "failed", problem: { kind: "unreachable" } });
  });

  it("gives way to a newer one", async () => {
    let answer = (/** @type {Response} */ _response) => {};
    serve((code) => (code === "chain" ? new Promise((resolve) => (answer = resolve)) : byName(code)));
    store.code.value = "chain";
    const old = runProgram();
    store.code.value = "twice";
    expect(await runProgram()).toBe(true);
    answer(byName("chain"));
    expect(await old).toBe(false);
    expect(store.trace.value).toEqual(traces.twice);
  });
});

describe("an opened page", () => {
  const nothing = { example: null, snippet: null, packed: null, step: null, selection: null, play: false, breakpoints: null };

  it("runs the first example and stops where a gradient is about to arrive", async () => {
    serve(byName);
    await open(nothing);
    expect([store.example.value, store.code.value, store.step.value]).toEqual(["chain", "chain", 10]);
  });

  it("shows what its link names", async () => {
    serve(byName);
    await open({ ...nothing, example: "twice", step: 3, selection: { kind: "op", id: 0 } });
    expect([store.example.value, store.step.value]).toEqual(["twice", 3]);
    expect(store.selection.value).toEqual({ kind: "op", id: 0 });
  });

  it("runs the program kept from last time", async () => {
    serve(byName);
    store.code.value = "accumulate";
    await open(nothing);
    expect([store.example.value, store.code.value]).toEqual([null, "accumulate"]);
  });

  it("goes to the end of a program that fails", async () => {
    serve(byName);
    examples.value = /** @type {any} */ (EXAMPLES);
    await openExample("twice");
    expect(store.step.value).toBe(traces.twice.steps.length - 1);
  });
});

describe("typing", () => {
  it("turns an example into the user's own program, and marks the trace as stale", async () => {
    serve(byName);
    await open({ example: "chain", snippet: null, packed: null, step: null, selection: null, play: false, breakpoints: null });
    edit("chain # mine");
    expect([store.example.value, store.stale.value]).toEqual([null, true]);
  });
});

describe("a program that was changed", () => {
  it("is read, not run, and what cannot be read is said", async () => {
    const error = { type: "SyntaxError", message: "'(' was never closed", line: 1, column: 5, explanation: "syntax" };
    /** @type {any[]} */
    const asked = [];
    vi.stubGlobal("fetch", async (/** @type {string} */ _, /** @type {RequestInit} */ init) => {
      asked.push(JSON.parse(String(init.body)));
      return reply({ outcome: { status: "error", error }, tensors: [] });
    });
    store.live.value = false;
    examples.value = EXAMPLES;
    store.code.value = "x = (1";
    const stop = keepReading();
    await vi.waitFor(() => expect(store.fault.value).toEqual({ program: "x = (1", line: 1, column: 5, text: "SyntaxError: '(' was never closed" }));
    expect(asked).toEqual([{ code: "x = (1", seed: 0, options: { until: { line: 1 } } }]);
    expect(store.trace.value).toBeNull();
    stop();
  });
});

describe("a comparison in a link", () => {
  it("names each side by a word, and a program it brings along stands beside the others", async () => {
    store.code.value = "mine";
    const { compared } = readAddress(`#show=compare&before=code:${await pack("another")}&after=open`);
    if (!compared) throw new Error("no comparison");
    expect(await openCompared(compared)).toBeNull();
    expect(store.comparing.value).toBe(true);
    expect([textToCarry("before"), textToCarry("after")]).toEqual(["another", null]);
    expect([wordOf("before", "code:xyz"), wordOf("after", null)]).toEqual(["code:xyz", "open"]);
    expect(store.code.value).toBe("mine");
    expect(await openCompared({ before: "code:%%%", after: "example:chain" })).toMatchObject({ kind: "broken_link" });
    expect([store.compared.before.value, wordOf("after", null)]).toEqual(["", "example:chain"]);
    store.comparing.value = false;
  });
});

describe("an address", () => {
  it("sets the preferences it names and asks for the rest", () => {
    vi.stubGlobal("navigator", { language: "en-GB" });
    const wanted = readAddress("#example=chain&step=12&select=node:4&lang=zh&theme=dark&speed=2");
    expect(wanted).toMatchObject({ example: "chain", step: 11, selection: { kind: "node", id: 4 } });
    expect([store.language.value, store.theme.value, store.speed.value]).toEqual(["zh", "dark", 2]);
  });

  it("that holds nonsense changes nothing", () => {
    vi.stubGlobal("navigator", { language: "zh-Hans-CN" });
    store.speed.value = 1;
    expect(readAddress("#step=x&select=what&theme=pink&speed=99")).toMatchObject({ step: null, selection: null });
    expect([store.language.value, store.theme.value, store.speed.value]).toEqual(["zh", "auto", 1]);
  });
});

describe("a step", () => {
  it("stays within the run and knows whether it was reached by a jump", () => {
    store.showTrace(traces.chain, "chain", 3);
    store.goTo(4);
    expect(store.transition.value).toEqual({ from: 3, to: 4, jump: false });
    store.goTo(99);
    expect([store.step.value, store.transition.value.jump]).toEqual([16, true]);
    store.goTo(-5);
    expect(store.step.value).toBe(0);
  });
});
