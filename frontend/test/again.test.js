import { describe, expect, it } from "vitest";
import { isThere, stepAgain } from "../src/model/again.js";
import { traces } from "./fixtures/index.js";

/** @param {import("../src/wire").Trace} trace @param {number} count */
const withoutFirst = (trace, count) => ({ ...trace, steps: trace.steps.slice(count) });

describe("what was shown, in the next run", () => {
  const { chain } = traces;
  const last = chain.steps.length - 1;

  it("is the same step where nothing moved, and the last for the last", () => {
    for (const at of chain.steps.keys()) expect(stepAgain(chain, at, chain)).toBe(at);
    expect(stepAgain(chain, last, withoutFirst(chain, 2))).toBe(last - 2);
  });

  it("is the step about the same, wherever that is now", () => {
    const at = chain.steps.findIndex((step) => step.kind === "node_apply");
    expect(stepAgain(chain, at, withoutFirst(chain, 2))).toBe(at - 2);
    expect(stepAgain(withoutFirst(chain, 2), at - 2, chain)).toBe(at);
  });

  it("is nothing where there is none of the kind", () => {
    const at = chain.steps.findIndex((step) => step.kind === "node_apply");
    const forward = { ...chain, steps: chain.steps.slice(0, 2) };
    expect(stepAgain(chain, at, forward)).toBe(null);
  });

  it("is the thing of the same number and name", () => {
    const other = { ...chain, nodes: chain.nodes.map((node) => ({ ...node, name: `${node.name}Twin` })) };
    expect(isThere(chain, { kind: "node", id: 0 }, chain)).toBe(true);
    expect(isThere(chain, { kind: "node", id: 0 }, other)).toBe(false);
    expect(isThere(chain, { kind: "op", id: 0 }, other)).toBe(true);
    expect(isThere(chain, { kind: "tensor", id: chain.tensors.length }, chain)).toBe(false);
  });
});
