/**
 * The forward graph: one box for each op and for each version of each tensor, so that it stays free of cycles
 * even where the program writes in place.
 * @typedef {import("../model/index.js").Index} Index
 * @typedef {import("../wire").TensorInfo} TensorInfo
 * @typedef {import("../wire").OpInfo} OpInfo
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Edge} Edge
 * @typedef {import("./types.js").Chip} Chip
 */
import { constantName, tensorName } from "../model/names.js";
import { lapOf } from "./laps.js";

/** Constants that read well without their name. */
const PLAIN_NAMES = new Set(["self", "other", "exponent", "value", "input", "mat2", "vec", ""]);
const DULL = new Set(["None", "True", "False", "0", "1"]);

/**
 * @param {Index} index
 * @param {number[]} laps
 */
export function forwardGraph(index, laps) {
  const build = new Builder(index, laps);
  const ops = [...index.trace.ops].sort((a, b) => a.step - b.step);
  for (const op of ops) build.addOp(op);
  for (const tensor of index.trace.tensors) build.addUnused(tensor);
  return tidy(index, build);
}

/**
 * Leaves out nameless boxes that nothing is joined to, such as the tensor a Parameter is made from; whoever asks for
 * them is shown a box of the same storage.
 * @param {Index} index @param {Builder} build
 */
function tidy(index, { items, data, keysOfTensor, keyOfOp }) {
  const joined = new Set(data.flatMap((edge) => [edge.from, edge.to]));
  const roots = new Set(index.trace.backwards.flatMap((call) => call.root_tensors));
  const lone = (/** @type {Item} */ item) =>
    !joined.has(item.key) && !roots.has(item.id) && !index.tensors.get(item.id)?.names.length;
  const kept = items.filter((item) => item.kind === "op" || !lone(item));
  const left = new Set(kept.map((item) => item.key));
  /** @type {Map<number, string>} storage -> first box on it */
  const onStorage = new Map();
  for (const item of kept.toReversed()) {
    const storage = item.kind === "tensor" ? index.tensors.get(item.id)?.storage : undefined;
    if (storage !== undefined) onStorage.set(storage, item.key);
  }
  /** @type {Map<string, string>} */
  const instead = new Map();
  for (const [id, keys] of keysOfTensor) {
    if (left.has(keys[0])) continue;
    const other = onStorage.get(index.tensors.get(id)?.storage ?? -1);
    keysOfTensor.set(id, other ? [other] : []);
    for (const key of keys) if (other) instead.set(key, other);
  }
  for (const [id, key] of keyOfOp) {
    const other = left.has(key) ? key : instead.get(key);
    if (other) keyOfOp.set(id, other);
    else keyOfOp.delete(id);
  }
  return { items: kept, data, keysOfTensor, keyOfOp };
}

class Builder {
  /** @param {Index} index @param {number[]} laps */
  constructor(index, laps) {
    this.index = index;
    this.laps = laps;
    /** @type {Item[]} */
    this.items = [];
    /** @type {Edge[]} */
    this.data = [];
    /** @type {Map<number, string[]>} */
    this.keysOfTensor = new Map();
    /** @type {Map<number, string>} */
    this.keyOfOp = new Map();
    /** @type {Map<number, Item>} newest box of each tensor */
    this.newest = new Map();
    /** @type {Set<string>} boxes that something reads or made */
    this.read = new Set();
    this.lastUse = lastUses(index);
  }

  /** @param {OpInfo} op */
  addOp(op) {
    const sources = op.inputs.flatMap((input) => (input.tensor != null ? [input.tensor] : (input.tensors ?? [])));
    const inputs = sources
      .filter((id) => id !== null)
      .map((id) => this.use(id, op.step))
      .filter((item) => item !== null);
    if (this.fills(op, inputs)) {
      this.keyOfOp.set(op.id, inputs[0].key);
      inputs[0].version = versionAt(/** @type {TensorInfo} */ (this.index.tensors.get(inputs[0].id)), op.step);
      return;
    }
    const makes = this.outputsOf(op);
    if (inputs.length === 0) {
      // A factory such as torch.randn has nothing to draw besides what it makes.
      const first = makes.map((id) => this.make(id, op, "create"))[0];
      if (first) this.keyOfOp.set(op.id, first.key);
      return;
    }
    const box = this.push({
      key: `o${op.id}`,
      kind: "op",
      id: op.id,
      look: "op",
      flavor: op.kind,
      title: op.name,
      chips: chipsOf(op),
      group: null,
      born: op.step,
      until: Infinity,
      version: 0,
      lap: lapOf(this.laps, op.step),
      gradFn: op.grad_fn,
      line: op.line,
    });
    this.keyOfOp.set(op.id, box.key);
    inputs.forEach((item, slot) => this.join(item.key, box.key, slot, op.step));
    makes.forEach((id, slot) => {
      const made = this.make(id, op, op.kind);
      if (made) this.join(box.key, made.key, slot, op.step);
    });
  }

  /**
   * Whether an op only gives a fresh tensor its first values, as `torch.empty(3).uniform_()` and every nn layer do:
   * one box says that better than three.
   * @param {OpInfo} op @param {Item[]} inputs
   */
  fills(op, inputs) {
    const [box] = inputs;
    return (
      op.kind === "inplace" &&
      op.grad_fn === null &&
      inputs.length === 1 &&
      box.flavor === "create" &&
      op.outputs[0] === box.id &&
      !this.read.has(box.key)
    );
  }

  /**
   * What an op makes; writing into a view also makes a new version of its base if that is used again.
   * @param {OpInfo} op
   */
  outputsOf(op) {
    if (op.kind !== "inplace") return op.outputs;
    const bases = op.outputs.map((id) => this.index.tensors.get(id)?.base ?? null).filter((id) => id !== null);
    const again = bases.filter((id) => this.newest.has(id) && (this.lastUse.get(id) ?? -1) > op.step);
    return [...new Set([...op.outputs, ...again])];
  }

  /**
   * The box an op at `step` reads. A tensor with no history is drawn anew in each lap.
   * @param {number} id @param {number} step
   */
  use(id, step) {
    const tensor = this.index.tensors.get(id);
    if (!tensor) return null;
    const found = this.newest.get(id);
    const lap = lapOf(this.laps, step);
    if (!found) return this.add(tensor, Math.max(tensor.created_step, 0), lap, null);
    if (found.lap === lap || found.gradFn !== null || !tensor.is_leaf) return found;
    found.until = Math.min(found.until, this.laps[lap]);
    return this.add(tensor, this.laps[lap], lap, null);
  }

  /** @param {number} id @param {OpInfo} op @param {Item["flavor"]} flavor */
  make(id, op, flavor) {
    const tensor = this.index.tensors.get(id);
    if (!tensor) return null;
    const before = this.newest.get(id);
    if (before) before.until = op.step;
    // A custom Function hands on what its forward() made: until then that had neither the name nor the grad_fn.
    if (before && flavor !== "inplace") Object.assign(before, { title: "", look: "plain" });
    const item = this.add(tensor, op.step, lapOf(this.laps, op.step), op.grad_fn, flavor);
    item.line = op.line;
    return item;
  }

  /** A named tensor that nothing used is still worth a box. @param {TensorInfo} tensor */
  addUnused(tensor) {
    if (this.newest.has(tensor.id) || tensor.names.length === 0) return;
    this.add(tensor, tensor.created_step, lapOf(this.laps, tensor.created_step), null);
  }

  /**
   * @param {TensorInfo} tensor @param {number} born @param {number} lap @param {number | null} gradFn
   * @param {Item["flavor"]} [flavor]
   */
  add(tensor, born, lap, gradFn, flavor = "create") {
    const keys = this.keysOfTensor.get(tensor.id) ?? [];
    const item = this.push({
      key: keys.length === 0 ? `t${tensor.id}` : `t${tensor.id}.${keys.length}`,
      kind: "tensor",
      id: tensor.id,
      look: lookOf(tensor, gradFn, flavor),
      flavor,
      title: titleOf(this.index, tensor),
      chips: [],
      group: null,
      born,
      until: Infinity,
      version: versionAt(tensor, born),
      lap,
      gradFn,
      line: tensor.line,
    });
    this.keysOfTensor.set(tensor.id, [...keys, item.key]);
    this.newest.set(tensor.id, item);
    return item;
  }

  /** @param {Item} item */
  push(item) {
    this.items.push(item);
    return item;
  }

  /** @param {string} from @param {string} to @param {number} slot @param {number} born */
  join(from, to, slot, born) {
    this.read.add(from);
    this.data.push({ key: `${from}>${to}:${slot}`, kind: "data", from, to, slot, born, via: null });
  }
}

/**
 * A result without a name is titled by a short expression, or not at all.
 * @param {Index} index
 * @param {TensorInfo} tensor
 */
function titleOf(index, tensor) {
  const name = tensorName(index, tensor.id);
  return tensor.names.length > 0 || !/[…#]/.test(name) ? name : "";
}

/** @param {TensorInfo} tensor @param {number} step */
function versionAt(tensor, step) {
  let version = 0;
  for (const row of tensor.values) if (row.step <= step) version = row.version;
  return version;
}

/** @param {TensorInfo} tensor @param {number | null} gradFn @param {Item["flavor"]} flavor @returns {Item["look"]} */
function lookOf(tensor, gradFn, flavor) {
  if (tensor.is_leaf && tensor.requires_grad) return "leaf";
  if (gradFn !== null || tensor.requires_grad) return "tensor";
  return flavor === "create" ? "constant" : "plain";
}

/** @param {OpInfo} op @returns {Chip[]} */
function chipsOf(op) {
  const told = op.inputs.filter((input) => input.constant != null && !isDull(input));
  return told.slice(0, 2).map((input) => {
    const text = constantName(input.constant);
    const label = PLAIN_NAMES.has(input.name) ? text : `${input.name}=${text}`;
    return { name: input.name, text: label.length > 14 ? `${label.slice(0, 13)}…` : label };
  });
}

/**
 * Defaults and the open end of a slice say nothing; an operand and a start always do.
 * @param {import("../wire").OpArgument} input
 */
function isDull(input) {
  if (!constantName(input.constant)) return true;
  if (PLAIN_NAMES.has(input.name) || input.name.startsWith("dim")) return false;
  return DULL.has(String(input.constant)) && !(input.name === "start" && input.constant === "1");
}

/** @param {Index} index @returns {Map<number, number>} */
function lastUses(index) {
  /** @type {Map<number, number>} */
  const last = new Map();
  /** @param {number | null} id @param {number} step */
  const note = (id, step) => {
    if (id !== null) last.set(id, Math.max(last.get(id) ?? -1, step));
  };
  for (const op of index.trace.ops) {
    for (const input of op.inputs) for (const id of input.tensors ?? [input.tensor ?? null]) note(id, op.step);
  }
  for (const call of index.trace.backwards) for (const id of call.root_tensors) note(id, call.start_step);
  return last;
}
