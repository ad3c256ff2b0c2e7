/**
 * What moves when: each gradient that one node sent and another received, and the boxes each step is about.
 * @typedef {import("../model/index.js").Index} Index
 * @typedef {import("../wire").Value} Value
 * @typedef {import("./types.js").Edge} Edge
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Pill} Pill
 */
import { lapOf } from "./laps.js";

/**
 * @typedef {object} Delivery
 * @property {string} edge  key of a next or seed edge
 * @property {string} to  key of the receiving pill
 * @property {number} sent  step
 * @property {number} received  step; Infinity when the run ended first
 * @property {Value} value
 */

/**
 * @typedef {object} History
 * @property {Delivery[]} deliveries  in order of `sent`
 * @property {Map<string, Delivery[]>} byEdge
 * @property {Map<number, Delivery[]>} receivedAt
 * @property {Map<number, string[]>} focus  step -> keys it is about
 */

/**
 * @param {Index} index
 * @param {{ items: Item[], pills: Pill[], nexts: Edge[], seeds: Edge[], laps: number[], keyOfOp: Map<number, string>,
 *           keysOfTensor: Map<number, string[]>, keysOfNode: Map<number, string[]>,
 *           itemOf: Map<string, Item>, pillOf: Map<string, Pill> }} parts
 * @returns {History}
 */
export function historyOf(index, parts) {
  const deliveries = deliveriesOf(index, parts);
  /** @type {History} */
  const history = { deliveries, byEdge: new Map(), receivedAt: new Map(), focus: focusOf(index, parts) };
  for (const each of deliveries) {
    history.byEdge.set(each.edge, [...(history.byEdge.get(each.edge) ?? []), each]);
    if (Number.isFinite(each.received))
      history.receivedAt.set(each.received, [...(history.receivedAt.get(each.received) ?? []), each]);
  }
  return history;
}

/** @param {Index} index @param {Parameters<typeof historyOf>[1]} parts @returns {Delivery[]} */
function deliveriesOf(index, parts) {
  const edgesFrom = new Map();
  for (const edge of parts.nexts) edgesFrom.set(`${edge.from}:${edge.slot}`, edge);
  /** @type {Delivery[]} */
  const all = [];
  /** @type {Map<number, Delivery[]>} node id -> sent and not yet received */
  const pending = new Map();
  /** @param {Edge} edge @param {number} sent @param {Value} value */
  const send = (edge, sent, value) => {
    const node = parts.pillOf.get(edge.to)?.id ?? -1;
    const delivery = { edge: edge.key, to: edge.to, sent, received: Infinity, value };
    all.push(delivery);
    pending.set(node, [...(pending.get(node) ?? []), delivery]);
  };
  for (const step of index.trace.steps) {
    if (step.kind === "backward_start") {
      pending.clear();
      for (const edge of parts.seeds) if (edge.born === step.index) send(edge, step.index, ONE);
    }
    if ((step.kind !== "node_apply" && step.kind !== "accumulate") || step.node == null) continue;
    const arrived = pending.get(step.node) ?? [];
    pending.delete(step.node);
    for (const delivery of arrived) {
      delivery.received = step.index;
      if (delivery.value === ONE)
        delivery.value = step.grads_in?.find((grad) => grad !== null) ?? step.contribution ?? ONE;
    }
    step.grads_out?.forEach((value, slot) => {
      const edge = edgesFrom.get(`n${step.node}:${slot}`);
      if (edge && value) send(edge, step.index, value);
    });
  }
  return all;
}

/** Stands in for a seed until the root node reports what it received. @type {Value} */
const ONE = { kind: "full", shape: [], dtype: "torch.float32", data: 1, text: "tensor(1.)" };

/** @param {Index} index @param {Parameters<typeof historyOf>[1]} parts @returns {Map<number, string[]>} */
function focusOf(index, parts) {
  /** @type {Map<number, string[]>} */
  const focus = new Map();
  /** @type {Map<number, string[]>} */
  const bornAt = new Map();
  for (const item of parts.items) bornAt.set(item.born, [...(bornAt.get(item.born) ?? []), item.key]);
  for (const step of index.trace.steps) {
    const lap = lapOf(parts.laps, step.index);
    /** @param {number} id */
    const pills = (id) =>
      (parts.keysOfNode.get(id) ?? []).filter((key, at, all) => all.length === 1 || parts.pillOf.get(key)?.lap === lap);
    /** @param {number} id */
    const boxes = (id) =>
      (parts.keysOfTensor.get(id) ?? []).filter((key) => {
        const item = parts.itemOf.get(key);
        return item && item.born <= step.index && step.index < item.until;
      });
    const keys = [];
    if (step.kind === "create") keys.push(...(bornAt.get(step.index) ?? []));
    if (step.op != null) keys.push(parts.keyOfOp.get(step.op) ?? "", ...(bornAt.get(step.index) ?? []));
    if (step.node != null) keys.push(...pills(step.node));
    else if (step.tensor != null) keys.push(...boxes(step.tensor));
    if (step.kind === "zero_grad") {
      for (const id of step.tensors ?? []) keys.push(...pills(index.accumulatorOf.get(id) ?? -1));
    }
    if (step.kind === "optimizer_step") for (const id of step.tensors ?? []) keys.push(...boxes(id));
    if (step.kind === "backward_start") {
      for (const call of index.trace.backwards)
        if (call.start_step === step.index) keys.push(...call.root_tensors.flatMap(boxes));
    }
    const named = [...new Set(keys)].filter(Boolean);
    if (named.length > 0) focus.set(step.index, named);
  }
  return focus;
}
