// @ts-nocheck Plain objects stand in for what the page types.
import { Graph, layout } from "@dagrejs/dagre";
import { expect, it } from "vitest";
import { ordered } from "../src/layout/order.js";

/** Numbers from 0 to 1, the same ones every time. */
function numbers(seed) {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

/** A graph whose edges lead from earlier boxes to later ones. */
function graphOf(seed) {
  const next = numbers(seed);
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB" });
  graph.setDefaultEdgeLabel(() => ({}));
  const count = 3 + Math.floor(next() * 24);
  for (let box = 0; box < count; box += 1) graph.setNode(box % 3 ? `${box}` : `i${box}`, { width: 40, height: 20 });
  const keys = graph.nodes();
  for (let edge = 0; edge < count * 1.6; edge += 1) {
    const [one, other] = [Math.floor(next() * count), Math.floor(next() * count)].sort((a, b) => a - b);
    if (one !== other) graph.setEdge(keys[one], keys[other]);
  }
  return graph;
}

/** dagre's order of a graph it has ranked, and ours of the same. */
function ordersOf(seed) {
  const found = {};
  layout(graphOf(seed), {
    customOrder(graph, order) {
      const keys = graph.nodes();
      const rows = [];
      keys.forEach((key, at) => (rows[graph.node(key).rank] ??= []).push(at));
      const numbersOf = (list) => list.map((key) => keys.indexOf(key));
      const [above, below] = [keys.map((key) => numbersOf(graph.predecessors(key))), keys.map((key) => numbersOf(graph.successors(key)))];
      found.ours = ordered({ rows, above, below });
      order(graph, {});
      found.theirs = rows.map((row) => [...row].sort((a, b) => graph.node(keys[a]).order - graph.node(keys[b]).order));
    },
  });
  return found;
}

it("orders the boxes of each rank as dagre does", () => {
  for (let seed = 1; seed <= 80; seed += 1) {
    const { ours, theirs } = ordersOf(seed);
    expect(ours.length).toBeGreaterThan(1);
    expect(ours, `graph ${seed}`).toEqual(theirs);
  }
});
