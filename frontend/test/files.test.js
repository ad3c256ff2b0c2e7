// @ts-nocheck Plain objects stand in for what the page types.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { traces } from "./fixtures/index.js";
import { DEFAULT_PROGRAM } from "../src/defaultProgram.js";
import { wishedHeight } from "../src/embed.js";
import { gifWriter } from "../src/files/gif.js";
import { gifInWorker } from "../src/files/gifClient.js";
import { stepsShown } from "../src/files/moments.js";
import { offlinePage } from "../src/files/offlinePage.js";
import { readTrace, traceText } from "../src/files/openTrace.js";
import { tilesOf } from "../src/files/tiles.js";
import { checkTrace } from "../src/model/checkTrace.js";
import { embedTag, linkTo, partsOf } from "../src/model/links.js";
import { pack, unpack } from "../src/model/pack.js";

const copy = () => structuredClone(traces.chain);
/** @param {(trace: any) => void} change */
const problemOf = (change) => {
  const trace = copy();
  change(trace);
  return checkTrace(trace).problem;
};

describe("a packed program", () => {
  it("comes back as it was", async () => {
    for (const text of ["", "x = 1\n", "# 中文 ∂\n".repeat(500)]) expect(await unpack(await pack(text))).toBe(text);
    expect(await pack("x = 1")).toMatch(/^[\w-]+$/);
  });

  it("is refused when it is damaged, or unfolds to more than a program may be", async () => {
    expect(await unpack("no%such")).toBeNull();
    expect(await unpack((await pack("x = 1\ny = 2")).slice(0, 5))).toBeNull();
    expect(await unpack(await pack("a".repeat(70_000)))).toBeNull();
  });
});

describe("links", () => {
  it("name what is shown, and what an embedded page leaves out", () => {
    const fields = new URLSearchParams({ example: "one", step: "3" });
    expect(linkTo("https://a/b/", fields)).toBe("https://a/b/#example=one&step=3");
    expect(linkTo("https://a/", fields, { embed: true, hide: ["editor", "console"], autoplay: true })).toBe(
      "https://a/?embed=1&hide=editor,console&autoplay=1#example=one&step=3",
    );
    expect([...partsOf("console,nothing, editor")]).toEqual(["editor", "console"]);
  });

  it("are safe inside the tag", () => {
    expect(embedTag('https://a/?x="><script>&y', { title: "A & B", height: 10 })).toContain(
      'src="https://a/?x=&quot;&gt;&lt;script&gt;&amp;y" title="A &amp; B"',
    );
  });

  it("lead to frames that are neither too small nor too high", () => {
    expect([wishedHeight(10, 50), wishedHeight(400, 150), wishedHeight(9000, 150)]).toEqual([360, 680, 960]);
  });
});

describe("a picture in tiles", () => {
  it("is covered once and whole", () => {
    const tiles = tilesOf(250, 120, 100);
    expect(tiles.length).toBe(6);
    expect(tiles.reduce((sum, tile) => sum + tile.width * tile.height, 0)).toBe(250 * 120);
    expect(tiles.at(-1)).toEqual({ x: 200, y: 100, width: 50, height: 20, row: 1, column: 2 });
    expect(tilesOf(100, 100, 100).length).toBe(1);
  });
});

/** The pictures of a GIF, each as colours of all pixels, and their delays. @param {Uint8Array} bytes */
function unGif(bytes) {
  const word = (at) => bytes[at] | (bytes[at + 1] << 8);
  const [width, height] = [word(6), word(8)];
  const colour = (number) => [...bytes.subarray(13 + number * 3, 16 + number * 3)].join();
  const screen = Array(width * height).fill("");
  const frames = [];
  let [at, delay, transparent] = [13 + 768, 0, -1];
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) {
      if (bytes[at + 1] === 0xf9) [delay, transparent] = [word(at + 4), bytes[at + 3] & 1 ? bytes[at + 6] : -1];
      for (at += 2; bytes[at] > 0; ) at += bytes[at] + 1;
      at += 1;
      continue;
    }
    const [left, top, wide] = [word(at + 1), word(at + 3), word(at + 5)];
    const packed = [];
    for (at += 11; bytes[at] > 0; at += bytes[at] + 1) packed.push(...bytes.subarray(at + 1, at + 1 + bytes[at]));
    at += 1;
    unLzw(packed).forEach((number, place) => {
      if (number !== transparent) screen[(top + Math.floor(place / wide)) * width + left + (place % wide)] = colour(number);
    });
    frames.push({ delay, colours: [...screen] });
  }
  return { width, height, frames };
}

/** @param {number[]} bytes @returns {number[]} */
function unLzw(bytes) {
  const out = [];
  let [bit, size, table, last] = [0, 9, [], null];
  for (;;) {
    let code = 0;
    for (let each = 0; each < size; each += 1, bit += 1) code |= ((bytes[bit >> 3] >> (bit & 7)) & 1) << each;
    if (code === 257) return out;
    if (code === 256) {
      [size, last] = [9, null];
      table = Array.from({ length: 258 }, (_, number) => [number]);
      continue;
    }
    const entry = table[code] ?? [...last, last[0]];
    out.push(...entry);
    if (last && table.length < 4096) table.push([...last, entry[0]]);
    if (table.length === 1 << size && size < 12) size += 1;
    last = entry;
  }
}

describe("a moving picture", () => {
  it("is read back as it was drawn, picture by picture", async () => {
    const [width, height] = [90, 70];
    // Colours apart from each other by more than the table tells apart, in an order that fills the dictionary.
    const pixels = [0, 1, 2].map((shift) =>
      Uint8ClampedArray.from({ length: width * height * 4 }, (_, at) => (at % 4 === 3 ? 255 : ((((at >> 2) * 7919 + (at >> 2 < 3000 ? 0 : shift)) % 5) * 8 + (at % 4)) * 6 & 248)),
    );
    const writer = gifWriter(width, height, pixels);
    pixels.forEach((each, at) => writer.add({ pixels: each, delay: 10 + at }));
    const blob = writer.end();
    const read = unGif(new Uint8Array(await blob.arrayBuffer()));
    expect([read.width, read.height, read.frames.map((frame) => frame.delay)]).toEqual([90, 70, [10, 11, 12]]);
    for (const [number, each] of pixels.entries()) {
      const drawn = Array.from({ length: width * height }, (_, at) => [...each.subarray(at * 4, at * 4 + 3)].join());
      expect(read.frames[number].colours).toEqual(drawn);
    }
  });

  it("shows a long run from the current step on", () => {
    expect(stepsShown(5, 3, 9)).toEqual({ first: 0, last: 4 });
    expect(stepsShown(600, 599, 9)).toEqual({ first: 0, last: 599 });
    expect(stepsShown(5000, 400, 9)).toEqual({ first: 400, last: 999 });
    expect(stepsShown(5000, 4990, 9)).toEqual({ first: 4400, last: 4999 });
    expect(stepsShown(5000, -1, 9)).toEqual({ first: 0, last: 599 });
    // Of a large graph fewer, each of which takes longer to draw; never almost none.
    expect(stepsShown(5000, 0, 1000)).toEqual({ first: 0, last: 119 });
    expect(stepsShown(5000, 0, 20_000)).toEqual({ first: 0, last: 59 });
  });

  it("is written elsewhere, one picture after the other", async () => {
    const told = [];
    const worker = {
      terminate: () => told.push("ended"),
      postMessage: (message, given) => {
        told.push([Object.keys(message)[0], given.length]);
        queueMicrotask(() => worker.onmessage({ data: { blob: "end" in message ? new Blob(["gif"]) : null } }));
      },
    };
    const gif = gifInWorker(() => worker);
    await gif.begin(2, 1, [new Uint8ClampedArray(8), new Uint8ClampedArray(8)]);
    await gif.add({ pixels: new Uint8ClampedArray(8), delay: 7 });
    expect(await (await gif.end()).text()).toBe("gif");
    gif.stop();
    expect(told).toEqual([["begin", 2], ["frame", 1], ["end", 0], "ended"]);
    const broken = gifInWorker(() => ({ postMessage() { queueMicrotask(() => this.onerror({ message: "no memory" })); } }));
    await expect(broken.begin(1, 1, [])).rejects.toThrow("no memory");
  });
});

describe("a trace from a file", () => {
  it("is accepted as the server and the page write it", async () => {
    for (const trace of Object.values(traces)) expect(checkTrace(trace).problem).toBeNull();
    const read = await readTrace(new File([traceText(traces.chain, "the program")], "a.json"));
    expect(read.program).toBe("the program");
    expect(read.trace.steps).toEqual(traces.chain.steps);
  });

  it("is refused with the reason", async () => {
    expect((await readTrace(new File(["{"], "a.json"))).problem).toEqual({ key: "not_json", at: "" });
    expect(checkTrace({ hello: 1 }).problem?.key).toBe("not_trace");
    expect(checkTrace(null).problem?.key).toBe("not_trace");
    expect(problemOf((trace) => (trace.schema_version = "2.0"))).toEqual({ key: "newer", at: "2.0" });
    expect(problemOf((trace) => (trace.tensors[0].shape = "wide"))).toEqual({ key: "broken", at: "trace.tensors[0].shape" });
    expect(problemOf((trace) => delete trace.nodes)).toEqual({ key: "broken", at: "trace.nodes" });
    expect(problemOf((trace) => (trace.tensors[0].names = ["x".repeat(10_000_000)]))?.key).toBe("too_large");
    expect(problemOf((trace) => (trace.tensors[1].value.data = [[1], 2]))?.key).toBe("broken");
  });

  it("is refused when it leads nowhere or back to itself", () => {
    expect(problemOf((trace) => (trace.ops[0].outputs = [999]))?.key).toBe("broken");
    expect(problemOf((trace) => (trace.steps[3].index = 7))?.key).toBe("broken");
    const linked = traces.chain.nodes.find((node) => node.next_functions.some((edge) => edge?.[0] != null));
    expect(
      problemOf((trace) => {
        const to = linked.next_functions.find((edge) => edge?.[0] != null)[0];
        trace.nodes.find((node) => node.id === to).next_functions = [[linked.id, 0]];
      }),
    ).toEqual({ key: "cyclic", at: "nodes" });
    const scope = { name: "a", module: "A", call: 1, first_step: 0, last_step: null };
    expect(problemOf((trace) => (trace.scopes = [{ ...scope, id: 0, parent: 1 }, { ...scope, id: 1, parent: 0 }]))?.key).toBe("cyclic");
  });
});

describe("an offline page", () => {
  it("keeps what is inside from ending its script", () => {
    const run = { trace: { ...copy(), torch_version: "</script><script>alert(1)" }, program: "<!--", step: 2, language: "zh", theme: "auto" };
    const page = offlinePage({ script: 'let a = "</script>";', styles: "a{}</style>" }, run, "A <b>");
    expect(page.match(/<\/script>/g)?.length).toBe(2);
    expect(page.match(/<\/style>/g)?.length).toBe(1);
    expect(page).toContain("<title>A &#60;b&#62;</title>");
    const inside = /id="run">(.*?)<\/script>/s.exec(page)[1];
    expect(JSON.parse(inside)).toEqual(run);
  });
});

describe("the program of a page without a server", () => {
  it("is the first example of the menu", () => {
    const folder = new URL("../../backend/examples/", import.meta.url);
    const [first] = JSON.parse(readFileSync(new URL("index.json", folder), "utf-8")).examples;
    expect(DEFAULT_PROGRAM).toBe(readFileSync(new URL(`${first.id}.py.txt`, folder), "utf-8"));
  });
});
