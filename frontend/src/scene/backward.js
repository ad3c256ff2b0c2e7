/**
 * The backward graph: grad_fn nodes, their next_functions, what they saved, and the seeds of each backward call.
 * Each node knows its forward twin; positions follow from that alone.
 * @typedef {import("../model/index.js").Index} Index
 * @typedef {import("../wire").NodeInfo} NodeInfo
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Pill} Pill
 * @typedef {import("./types.js").Edge} Edge
 */
import { nodeName } from "../model/names.js";
import { lapOf } from "./laps.js";

/**
 * @param {Index} index
 * @param {number[]} laps
 * @param {{ items: Item[], data: Edge[], keysOfTensor: Map<number, string[]>, keyOfOp: Map<number, string> }} forward
 */
export function backwardGraph(index, laps, forward) {
  const build = new Builder(index, laps, forward);
  for (const node of index.trace.nodes) if (node.tensor === null) build.addNode(node);
  for (const node of index.trace.nodes) if (node.tensor === null) build.linkNode(node);
  for (const node of index.trace.nodes)
    if (node.tensor !== null && !build.keysOfNode.has(node.id)) build.leafPill(node, null, 0);
  const seeds = build.seeds();
  return { pills: build.pills, nexts: build.nexts, saved: build.saved, seeds, keysOfNode: build.keysOfNode };
}

class Builder {
  /**
   * @param {Index} index @param {number[]} laps
   * @param {{ items: Item[], data: Edge[], keysOfTensor: Map<number, string[]>, keyOfOp: Map<number, string> }} forward
   */
  constructor(index, laps, forward) {
    this.index = index;
    this.laps = laps;
    this.forward = forward;
    this.itemOf = new Map(forward.items.map((item) => [item.key, item]));
    /** @type {Map<string, Edge[]>} */
    this.into = new Map();
    for (const edge of forward.data) this.into.set(edge.to, [...(this.into.get(edge.to) ?? []), edge]);
    /** @type {Map<number, string>} node id -> a tensor box it is the grad_fn of */
    this.madeBy = new Map();
    for (const tensor of index.trace.tensors) {
      const keys = forward.keysOfTensor.get(tensor.id);
      if (tensor.grad_fn !== null && keys) this.madeBy.set(tensor.grad_fn, keys[keys.length - 1]);
    }
    /** @type {Map<number, string>} node id -> its forward twin */
    this.twins = new Map();
    /** @type {Pill[]} */
    this.pills = [];
    /** @type {Edge[]} */
    this.nexts = [];
    /** @type {Edge[]} */
    this.saved = [];
    /** @type {Map<number, string[]>} */
    this.keysOfNode = new Map();
    /** @type {Map<string, Pill>} */
    this.leafPills = new Map();
  }

  /** @param {NodeInfo} node */
  addNode(node) {
    const twin =
      (node.op !== null && this.forward.keyOfOp.get(node.op)) ||
      this.madeBy.get(node.id) ||
      this.writerAt(node.created_step);
    if (twin !== null) this.twins.set(node.id, twin);
    this.push(node, `n${node.id}`, twin, lapOf(this.laps, node.created_step));
  }

  /**
   * Writing into a view makes nodes besides the op's own: CopySlices stands with the op that wrote.
   * @param {number} step
   */
  writerAt(step) {
    const ops = this.index.trace.ops;
    const op =
      ops.find((each) => each.step >= step && each.kind === "inplace") ?? ops.findLast((each) => each.step <= step);
    return (op && this.forward.keyOfOp.get(op.id)) ?? null;
  }

  /** @param {NodeInfo} node @param {string} key @param {string | null} twin @param {number} lap */
  push(node, key, twin, lap) {
    /** @type {Pill} */
    const pill = {
      key,
      id: node.id,
      title: nodeName(node),
      twin,
      leaf: node.tensor,
      custom: node.is_custom,
      lap,
      line: node.line,
      born: Math.max(node.created_step, node.tensor !== null ? this.laps[lap] : 0),
      slots: node.saved
        .filter((saved) => saved.tensor !== null)
        .map((saved) => ({
          name: saved.name.replace(/^_saved_/, ""),
          version: saved.version,
          released: saved.released_step ?? Infinity,
          tensor: saved.tensor,
        })),
    };
    this.pills.push(pill);
    this.keysOfNode.set(node.id, [...(this.keysOfNode.get(node.id) ?? []), key]);
    return pill;
  }

  /**
   * AccumulateGrad lives as long as its leaf; it is drawn once for each box of the leaf that it is reached from.
   * @param {NodeInfo} node @param {string | null} used  box of the leaf that was read, if known @param {number} lap
   */
  leafPill(node, used, lap) {
    const keys = this.forward.keysOfTensor.get(/** @type {number} */ (node.tensor)) ?? [];
    const key = used ?? keys.find((each) => this.itemOf.get(each)?.lap === lap) ?? keys[0] ?? null;
    const found = this.leafPills.get(`${node.id}@${key}`);
    if (found) return found;
    const count = this.keysOfNode.get(node.id)?.length ?? 0;
    const box = key === null ? undefined : this.itemOf.get(key);
    const pill = this.push(node, count === 0 ? `n${node.id}` : `n${node.id}.${count}`, key, box?.lap ?? lap);
    this.leafPills.set(`${node.id}@${key}`, pill);
    return pill;
  }

  /** @param {NodeInfo} node */
  linkNode(node) {
    const key = `n${node.id}`;
    const lap = lapOf(this.laps, node.created_step);
    node.next_functions.forEach((next, slot) => {
      const target = next && next[0] !== null ? this.index.nodes.get(next[0]) : undefined;
      if (!target) return;
      const via = this.viaOf(node, target);
      const to = target.tensor === null ? `n${target.id}` : this.leafPill(target, via?.from ?? null, lap).key;
      this.nexts.push({
        key: `${key}>${to}:${slot}`,
        kind: "next",
        from: key,
        to,
        slot,
        born: node.created_step,
        via: via?.key ?? null,
      });
    });
    node.saved
      .filter((saved) => saved.tensor !== null)
      .forEach((saved, slot) => {
        const from = this.savedFrom(node, /** @type {number} */ (saved.tensor), saved.version);
        if (from)
          this.saved.push({
            key: `${from}~${key}:${slot}`,
            kind: "saved",
            from,
            to: key,
            slot,
            born: node.created_step,
            via: null,
          });
      });
  }

  /** The data edge a gradient runs against. @param {NodeInfo} node @param {NodeInfo} target */
  viaOf(node, target) {
    const edges = this.into.get(this.twins.get(node.id) ?? "") ?? [];
    const made = edges.find((each) => {
      const item = this.itemOf.get(each.from);
      return target.tensor !== null ? item?.kind === "tensor" && item.id === target.tensor : item?.gradFn === target.id;
    });
    if (made || target.tensor !== null) return made;
    const twin = this.twins.get(target.id);
    return edges.find((each) => this.into.get(each.from)?.some((before) => before.from === twin));
  }

  /**
   * The box of a saved tensor as it was then.
   * @param {NodeInfo} node
   * @param {number} tensor
   * @param {number | null} version
   */
  savedFrom(node, tensor, version) {
    const boxes = (this.forward.keysOfTensor.get(tensor) ?? []).map(
      (key) => /** @type {Item} */ (this.itemOf.get(key)),
    );
    const lap = lapOf(this.laps, node.created_step);
    const fits = boxes.filter((item) => item.born <= node.created_step);
    const exact = fits.filter((item) => item.version === version && item.lap === lap);
    return (exact.at(-1) ?? fits.at(-1) ?? boxes[0])?.key ?? null;
  }

  /** @returns {Edge[]} */
  seeds() {
    return this.index.trace.backwards.flatMap((call) =>
      call.root_tensors.flatMap((tensor, slot) => {
        const boxes = (this.forward.keysOfTensor.get(tensor) ?? []).filter(
          (key) => (this.itemOf.get(key)?.born ?? 0) <= call.start_step,
        );
        const from = boxes.at(-1);
        const to = this.keysOfNode.get(call.roots[slot])?.at(-1);
        if (!from || !to) return [];
        return [
          {
            key: `seed${call.id}:${slot}`,
            kind: /** @type {const} */ ("seed"),
            from,
            to,
            slot,
            born: call.start_step,
            via: null,
          },
        ];
      }),
    );
  }
}
