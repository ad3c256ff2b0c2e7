// @ts-nocheck Plain objects stand in for what the page types.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { traces } from "./fixtures/index.js";
import { chain, mlp } from "./traces.js";
import { DEFAULT_PROGRAM } from "../src/defaultProgram.js";
import { wishedHeight } from "../src/embed.js";
import { dotOf } from "../src/files/dot.js";
import { mermaidOf } from "../src/files/mermaid.js";
import { offlinePage } from "../src/files/offlinePage.js";
import { readTrace, traceText } from "../src/files/openTrace.js";
import { tilesOf } from "../src/files/tiles.js";
import { checkTrace } from "../src/model/checkTrace.js";
import { indexTrace } from "../src/model/index.js";
import { embedTag, linkTo, partsOf } from "../src/model/links.js";
import { pack, unpack } from "../src/model/pack.js";
import { buildScene } from "../src/scene/scene.js";

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

describe("text forms of the graph", () => {
  const scene = buildScene(indexTrace(chain()));

  it("hold every box and every edge", () => {
    const edges = scene.data.length + scene.nexts.length + scene.saved.length + scene.seeds.length;
    const dot = dotOf(scene);
    expect(dot.match(/ -> /g)?.length).toBe(edges);
    expect(dot.match(/\[label=/g)?.length).toBe(scene.items.length + scene.pills.length);
    expect(dot).toContain('[label="y\\n7"');
    const mermaid = mermaidOf(scene);
    expect(mermaid.match(/(-->|-\.->|-\.-)/g)?.length).toBe(edges);
    expect(mermaid).toMatch(/\["y<br>7"\]:::tensor/);
  });

  it("keep modules together", () => {
    const deep = buildScene(indexTrace(mlp()));
    expect(dotOf(deep).match(/subgraph/g)?.length).toBe(deep.groups.length);
    expect(mermaidOf(deep).match(/^\s*end$/gm)?.length).toBe(deep.groups.length);
  });

  it("take names for names, whatever they hold", () => {
    const trace = chain();
    trace.tensors.find((tensor) => tensor.names.includes("y")).names = ['"]; <b>'];
    const strange = buildScene(indexTrace(trace));
    expect(dotOf(strange)).toContain('label="\\"]; <b>\\n7"');
    expect(mermaidOf(strange)).toContain('["#34;]; #60;b#62;<br>7"]');
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
