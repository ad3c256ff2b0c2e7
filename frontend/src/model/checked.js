/** What is known of a graph's backward nodes: which kinds of them are compared with PyTorch's. */
import { CHECKED_NODES } from "./checkedNodes.js";

/**
 * Kinds of nodes by name; a program's own Functions and the nodes of leaves are nobody's derivative and are left out.
 * @param {import("../wire").Trace} trace
 * @returns {{ all: number, others: string[] }} how many kinds, and those that are not compared
 */
export function checkedOf(trace) {
  const kinds = new Set(trace.nodes.filter((node) => node.tensor === null && !node.is_custom).map((node) => node.name));
  return { all: kinds.size, others: [...kinds].filter((name) => !CHECKED_NODES.has(name)).sort() };
}

/** "2.13" of "2.13.0+cpu". @param {string} version */
export const shortVersion = (version) => version.split(".").slice(0, 2).join(".");
