/**
 * Lookup tables over one trace, built once per run in a single pass over each table.
 * @typedef {import("../wire").Trace} Trace
 * @typedef {import("../wire").TensorInfo} TensorInfo
 * @typedef {import("../wire").OpInfo} OpInfo
 * @typedef {import("../wire").NodeInfo} NodeInfo
 * @typedef {import("../wire").Step} Step
 * @typedef {import("../store.js").Thing} Thing
 */
import { put } from "./gather.js";

/**
 * @typedef {object} Index
 * @property {Trace} trace
 * @property {Map<number, TensorInfo>} tensors
 * @property {Map<number, OpInfo>} ops
 * @property {Map<number, NodeInfo>} nodes
 * @property {Map<number, Step[]>} appliesOf  node id -> its node_apply steps, in order
 * @property {Map<number, Step[]>} accumulatesOf  tensor id -> its accumulate steps, in order
 * @property {Map<number, number>} accumulatorOf  leaf tensor id -> AccumulateGrad node id
 * @property {Map<number, Array<{ node: number, slot: number }>>} feeders  node id -> edges that lead into it
 * @property {Map<number, Thing[]>} byLine  source line -> what it made
 */

/**
 * @param {Trace} trace
 * @returns {Index}
 */
export function indexTrace(trace) {
  /** @type {Index} */
  const index = {
    trace,
    tensors: new Map(trace.tensors.map((item) => [item.id, item])),
    ops: new Map(trace.ops.map((item) => [item.id, item])),
    nodes: new Map(trace.nodes.map((item) => [item.id, item])),
    appliesOf: new Map(),
    accumulatesOf: new Map(),
    accumulatorOf: new Map(),
    feeders: new Map(),
    byLine: new Map(),
  };
  for (const step of trace.steps) {
    if (step.kind === "node_apply" && step.node != null) put(index.appliesOf, step.node, step);
    if (step.kind === "accumulate" && step.tensor != null) put(index.accumulatesOf, step.tensor, step);
  }
  for (const node of trace.nodes) {
    if (node.tensor !== null) index.accumulatorOf.set(node.tensor, node.id);
    node.next_functions.forEach((edge, slot) => {
      if (edge && edge[0] !== null) put(index.feeders, edge[0], { node: node.id, slot });
    });
  }
  for (const [kind, table] of /** @type {const} */ ([["op", trace.ops], ["tensor", trace.tensors], ["node", trace.nodes]])) {
    for (const item of table) if (item.line !== null) put(index.byLine, item.line, { kind, id: item.id });
  }
  return index;
}

/**
 * The table row a thing names, whatever its kind.
 * @param {Index} index
 * @param {Thing} thing
 * @returns {TensorInfo | OpInfo | NodeInfo | undefined}
 */
export function rowOf(index, thing) {
  const table = { tensor: index.tensors, op: index.ops, node: index.nodes }[thing.kind];
  return table.get(thing.id);
}
