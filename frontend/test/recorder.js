// @ts-nocheck Plain objects stand in for what the page types.
/**
 * A tape that writes a Trace while a small program runs: just enough tensors and ops to give the page's tests graphs
 * with true numbers. Values are flat arrays with a shape of at most two dimensions.
 */
import { NAMES, OPS, pairwise, size, valueOf } from "./recorder-ops.js";

export class Recorder {
  constructor() {
    this.trace = {
      schema_version: "1.0",
      torch_version: "2.13.0",
      seed: 0,
      outcome: { status: "ok", error: null, message: null, run_ms: 1, total_ms: 2 },
      console: [],
      tensors: [],
      ops: [],
      nodes: [],
      rules: {},
      steps: [],
      backwards: [],
      scopes: [],
      memory: [],
      series: [],
      truncated: [],
    };
    this.boxes = [];
    this.calls = new Map();
    this.scope = null;
    this.sequence = 0;
    this.line = 1;
  }

  step(kind, fields = {}) {
    const step = { index: this.trace.steps.length, kind, line: this.line, scope: this.scope, ...fields };
    this.trace.steps.push(step);
    return step;
  }

  tensor(
    shape,
    flat,
    { name = null, grad = false, parameter = false, op = null, node = null, base = null, step = null } = {},
  ) {
    const id = this.boxes.length;
    const index = step ?? this.step("create", { tensor: id }).index;
    const value = valueOf(shape, flat);
    const info = {
      id,
      names: name ? [name] : [],
      shape,
      dtype: "torch.float32",
      stride: shape.map((_, i) => size(shape.slice(i + 1))),
      storage: base === null ? id : this.boxes[base].info.storage,
      storage_offset: 0,
      requires_grad: grad,
      is_leaf: node === null,
      is_parameter: parameter,
      is_inference: false,
      is_view: base !== null,
      base,
      version: 0,
      value,
      values: [{ step: index, version: 0, value }],
      grad: null,
      grads: [],
      retains_grad: false,
      grad_fn: node,
      output_nr: 0,
      op,
      created_step: index,
      line: this.line,
      scope: this.scope,
      why_no_grad: null,
    };
    this.trace.tensors.push(info);
    const box = { id, shape, flat, info, storage: info.storage };
    this.boxes.push(box);
    return box;
  }

  leaf(name, shape, flat, options = {}) {
    return this.tensor(shape, flat, { name, grad: true, ...options });
  }
  data(name, shape, flat) {
    return this.tensor(shape, flat, { name });
  }

  /** Runs one op on boxes and numbers. */
  op(name, ...inputs) {
    const rule = OPS[name.replace(/_$/, "")];
    const inplace = name.endsWith("_");
    const out = rule.run(...inputs);
    const names = NAMES[name] ?? ["self", "other"];
    const id = this.trace.ops.length;
    const index = this.step(inplace ? "inplace" : "op", { op: id, tensor: inplace ? inputs[0].id : null }).index;
    const needs = !this.quiet && inputs.some((each) => each.info?.requires_grad);
    const node = needs ? this.node(rule, id, index, names, inputs) : null;
    const result = inplace
      ? this.overwrite(inputs[0], out, node, index, id)
      : this.tensor(out.shape, out.flat, {
          grad: needs,
          op: id,
          node,
          step: index,
          base: rule.view ? inputs[0].id : null,
        });
    if (node !== null && rule.saves.includes("result")) this.save(node, "result", result);
    this.trace.ops.push({
      id,
      name,
      overload: name,
      outputs: [result.id],
      kind: inplace ? "inplace" : rule.view ? "view" : "compute",
      line: this.line,
      inputs: inputs.map((each, i) =>
        each.info ? { name: names[i], tensor: each.id } : { name: names[i], constant: String(each) },
      ),
      step: index,
      scope: this.scope,
      grad_fn: node,
    });
    return result;
  }

  overwrite(box, out, node, step, op) {
    box.flat = out.flat;
    box.info.version += 1;
    box.info.values.push({ step, version: box.info.version, value: valueOf(out.shape, out.flat) });
    Object.assign(box.info, {
      value: valueOf(out.shape, out.flat),
      grad_fn: node,
      is_leaf: node === null,
      op: node === null ? box.info.op : op,
    });
    if (node !== null) box.info.requires_grad = true;
    return box;
  }

  node(rule, op, step, names, inputs) {
    const next = inputs
      .filter((each) => each.info)
      .map((each) => (each.info.requires_grad ? [each.info.grad_fn ?? this.accumulator(each, step), 0] : null));
    const id = this.trace.nodes.length;
    this.sequence += 1;
    this.trace.nodes.push({
      id,
      name: rule.node,
      next_functions: next,
      input_names: names.slice(0, next.length),
      saved: [],
      sequence_nr: this.sequence,
      op,
      tensor: null,
      hooks: [],
      rule: null,
      is_custom: false,
      line: this.line,
      created_step: step,
    });
    inputs.forEach((each, i) => {
      if (rule.saves.includes(names[i]) && each.info) this.save(id, names[i], each);
    });
    this.rules ??= new Map();
    this.rules.set(id, {
      rule,
      inputs: inputs.map((each) => (each.info ? { shape: each.shape, flat: each.flat, tensor: true } : each)),
    });
    return id;
  }

  save(node, name, box) {
    this.trace.nodes[node].saved.push({
      name: `_saved_${name}`,
      tensor: box.id,
      version: box.info.version,
      text: box.info.value.text,
      value: box.info.value,
      bytes: 4 * box.flat.length,
      released_step: null,
    });
  }

  accumulator(box, step) {
    const found = this.trace.nodes.find((node) => node.tensor === box.id);
    if (found) return found.id;
    const id = this.trace.nodes.length;
    this.trace.nodes.push({
      id,
      name: "torch::autograd::AccumulateGrad",
      next_functions: [],
      input_names: [],
      saved: [],
      sequence_nr: null,
      op: null,
      tensor: box.id,
      hooks: [],
      rule: null,
      is_custom: false,
      line: box.info.line,
      created_step: step,
    });
    return id;
  }

  /** The engine's order: AccumulateGrad first, then the highest sequence number. */
  backward(box, { retain = false } = {}) {
    const { trace } = this;
    const call = trace.backwards.length;
    const root = box.info.grad_fn;
    const start = this.step("backward_start", { backward: call }).index;
    const info = {
      id: call,
      call: "backward",
      roots: [root],
      root_tensors: [box.id],
      line: this.line,
      start_step: start,
      end_step: null,
      retain_graph: retain,
      create_graph: false,
      order: [],
    };
    trace.backwards.push(info);
    const counts = this.dependencies(root);
    const ready = [root];
    const buffers = new Map([[root, { shape: box.shape, flat: box.flat.map(() => 1) }]]);
    const rank = (id) => trace.nodes[id].sequence_nr ?? Infinity;
    while (ready.length > 0) {
      ready.sort((a, b) => rank(b) - rank(a));
      const id = ready.shift();
      const grad = buffers.get(id);
      info.order.push(id);
      if (trace.nodes[id].tensor !== null) this.accumulate(trace.nodes[id], grad, call);
      else this.apply(trace.nodes[id], grad, call, { counts, buffers, ready, retain });
    }
    info.end_step = this.step("backward_end", { backward: call }).index;
  }

  dependencies(root) {
    const counts = new Map();
    const seen = new Set([root]);
    const queue = [root];
    while (queue.length > 0) {
      for (const next of this.trace.nodes[queue.pop()].next_functions) {
        if (!next) continue;
        counts.set(next[0], (counts.get(next[0]) ?? 0) + 1);
        if (!seen.has(next[0])) queue.push(next[0]);
        seen.add(next[0]);
      }
    }
    return counts;
  }

  apply(node, grad, call, { counts, buffers, ready, retain }) {
    const { rule, inputs } = this.rules.get(node.id);
    const grads = rule.grads(grad, ...inputs);
    const out = node.next_functions.map((next, i) => (next ? grads[i] : null));
    node.next_functions.forEach((next, i) => {
      if (!next) return;
      const before = buffers.get(next[0]);
      buffers.set(next[0], before ? pairwise(before, out[i], (a, b) => a + b) : out[i]);
      counts.set(next[0], counts.get(next[0]) - 1);
      if (counts.get(next[0]) === 0) ready.push(next[0]);
    });
    const index = this.step("node_apply", {
      node: node.id,
      backward: call,
      grads_in: [valueOf(grad.shape, grad.flat)],
      grads_out: out.map((each) => each && valueOf(each.shape, each.flat)),
    }).index;
    if (!retain) for (const saved of node.saved) saved.released_step ??= index;
  }

  accumulate(node, grad, call) {
    const box = this.boxes[node.tensor];
    const before = box.grad ?? null;
    box.grad = before ? pairwise(before, grad, (a, b) => a + b) : grad;
    const after = valueOf(box.grad.shape, box.grad.flat);
    const index = this.step("accumulate", {
      node: node.id,
      tensor: box.id,
      backward: call,
      before: before && valueOf(before.shape, before.flat),
      contribution: valueOf(grad.shape, grad.flat),
      after,
    }).index;
    box.info.grads.push({ step: index, value: after });
    box.info.grad = after;
  }

  optimizer(name, boxes, rate = 0.1) {
    const index = this.step("optimizer_step", { tensors: boxes.map((box) => box.id), optimizer: name }).index;
    for (const box of boxes)
      this.overwrite(
        box,
        pairwise(box, box.grad, (x, g) => x - rate * g),
        null,
        index,
        null,
      );
  }

  zeroGrad(boxes) {
    const index = this.step("zero_grad", {
      tensors: boxes.map((box) => box.id),
      optimizer: "SGD",
      set_to_none: true,
    }).index;
    for (const box of boxes) {
      box.grad = null;
      box.info.grad = null;
      box.info.grads.push({ step: index, value: null });
    }
  }

  /** Runs `body` under no_grad. */
  quietly(body) {
    this.step("mode_enter", { mode: "no_grad" });
    this.quiet = true;
    body();
    this.quiet = false;
    this.step("mode_exit", { mode: "no_grad" });
  }

  /** Runs `body` inside a module call. */
  call(name, module, body) {
    const id = this.trace.scopes.length;
    const count = (this.calls.get(name) ?? 0) + 1;
    this.calls.set(name, count);
    const info = {
      id,
      parent: this.scope,
      name,
      module,
      call: count,
      first_step: this.trace.steps.length,
      last_step: null,
    };
    this.trace.scopes.push(info);
    const outer = this.scope;
    this.scope = id;
    const result = body();
    this.scope = outer;
    info.last_step = this.trace.steps.length - 1;
    return result;
  }

  name(box, name) {
    box.info.names.push(name);
    return box;
  }
}
