/**
 * Whether a document from outside is a Trace that the page can show: it may be cut off, of a later schema, or made to
 * do harm. Texts are shown as texts wherever they appear; here their length, all sizes and all references are checked.
 * @typedef {import("../wire").Trace} Trace
 * @typedef {{ key: "not_trace" | "newer" | "broken" | "too_large" | "cyclic" | "not_json" | "unreadable", at: string }} Problem
 * @typedef {(value: any, at: string) => void} Check
 */

/** The schema the page knows; a document of the same first number is read. */
const SCHEMA = 1;
const MOST = { rows: 300_000, text: 2_000_000, name: 2_000, dimensions: 64 };

class Refused extends Error {
  /** @param {Problem["key"]} key @param {string} at */
  constructor(key, at) {
    super(key);
    this.problem = { key, at };
  }
}

/** @param {boolean} holds @param {string} at @param {Problem["key"]} [key] */
function need(holds, at, key = "broken") {
  if (!holds) throw new Refused(key, at);
}

/** @type {Check} */
const int = (value, at) => need(Number.isSafeInteger(value) && value >= 0, at);
/** @type {Check} */
const bool = (value, at) => need(typeof value === "boolean", at);
/** @param {number} most @returns {Check} */
const textUpTo = (most) => (value, at) => {
  need(typeof value === "string", at);
  need(value.length <= most, at, "too_large");
};
const text = textUpTo(MOST.text);
const name = textUpTo(MOST.name);
/** @param {Check} check @returns {Check} */
const orNull = (check) => (value, at) => {
  if (value !== null && value !== undefined) check(value, at);
};
/** @param {Check} check @param {number} [most] @returns {Check} */
const list = (check, most = MOST.rows) => (value, at) => {
  need(Array.isArray(value), at);
  need(value.length <= most, at, "too_large");
  for (let place = 0; place < value.length; place += 1) check(value[place], `${at}[${place}]`);
};
/** @param {string[]} words @returns {Check} */
const one = (...words) => (value, at) => need(words.includes(value), at);
/** @param {Record<string, Check>} fields @returns {Check} */
const row = (fields) => (value, at) => {
  need(typeof value === "object" && value !== null && !Array.isArray(value), at);
  for (const key in fields) fields[key](value[key], `${at}.${key}`);
};
/** @param {Check} check @returns {Check} */
const table = (check) => (value, at) => {
  need(typeof value === "object" && value !== null && !Array.isArray(value), at);
  for (const key of Object.keys(value)) check(value[key], `${at}.${key}`);
};

const shape = list(int, MOST.dimensions);
/** @type {Check} */
const number = (value, at) => {
  if (typeof value === "string") name(value, at);
  else need(typeof value === "number" || typeof value === "boolean", at);
};
const statistics = row({
  min: orNull(number), max: orNull(number), mean: orNull(number), std: orNull(number), norm: orNull(number),
  nan: int, inf: int, zeros: int,
});

/** @type {Check} */
const value = (each, at) => {
  row({
    kind: one("full", "preview"), shape, dtype: name, text,
    stats: orNull(statistics), histogram: orNull(row({ edges: list(number), counts: list(int) })),
  })(each, at);
  const sizes = each.kind === "full" ? each.shape : null;
  if (sizes) elements(each.data, sizes, 0, `${at}.data`);
  else list(number)(each.data, `${at}.data`);
};

/** Nested as the shape says. @param {any} data @param {number[]} sizes @param {number} depth @param {string} at */
function elements(data, sizes, depth, at) {
  if (depth === sizes.length) return number(data, at);
  need(Array.isArray(data) && data.length === sizes[depth], at);
  for (const each of data) elements(each, sizes, depth + 1, at);
}

const line = orNull(int);
const id = orNull(int);
const hook = row({ kind: name, name, line });
const queue = row({ ready: list(int), waiting: list((pair, at) => {
  list(int, 2)(pair, at);
  need(pair.length === 2, at);
}) });

const TRACE = row({
  torch_version: name,
  program: orNull(text),
  seed: (seed, at) => need(typeof seed === "number", at),
  outcome: row({
    status: one("ok", "error", "timeout", "memory", "output", "crash", "too_large"),
    error: orNull(row({
      type: name, message: text, line, traceback: orNull(text), explanation: orNull(name),
      frames: list(row({ line: int, function: name, source: text })),
    })),
    message: orNull(text), reason: orNull(name), reason_values: orNull(table(text)),
  }),
  console: list(row({ step: int, stream: one("stdout", "stderr"), text, line })),
  tensors: list(row({
    id: int, names: list(name), shape, dtype: name, stride: list(int, MOST.dimensions), storage: int, storage_offset: int,
    requires_grad: bool, is_leaf: bool, is_parameter: bool, is_inference: bool, is_view: bool, base: id, version: int,
    value, values: list(row({ step: int, version: int, value })), grad: orNull(value),
    grads: list(row({ step: int, value: orNull(value) })), retains_grad: bool, grad_fn: id, output_nr: int, op: id,
    created_step: int, line, scope: id, why_no_grad: orNull(name),
  })),
  ops: list(row({
    id: int, name, overload: name, outputs: list(int), kind: one("compute", "view", "inplace", "create"), line, step: int,
    inputs: list(row({ name, tensor: id, tensors: orNull(list(id)), constant: orNull(text) })), scope: id, grad_fn: id,
  })),
  nodes: list(row({
    id: int, name, input_names: orNull(list(name)), sequence_nr: id, op: id, tensor: id, hooks: list(hook), rule: orNull(name),
    is_custom: bool, line, created_step: int,
    next_functions: list(orNull((edge, at) => {
      need(Array.isArray(edge) && edge.length === 2, at);
      id(edge[0], at);
      int(edge[1], at);
    })),
    saved: list(row({
      name, tensor: id, version: id, text, value: orNull(value), bytes: int, released_step: id,
    })),
  })),
  rules: table(row({ forward: text, backward: table(text) })),
  steps: list(row({
    index: int, line, tensor: id, op: id, node: id, backward: id, mode: orNull(name), grads_in: orNull(list(orNull(value))),
    kind: one(
      "create", "op", "inplace", "mode_enter", "mode_exit", "backward_start", "node_apply", "accumulate", "hook", "release",
      "backward_end", "zero_grad", "optimizer_step", "print", "warning", "error",
    ),
    grads_out: orNull(list(orNull(value))), queue: orNull(queue), before: orNull(value), contribution: orNull(value),
    after: orNull(value), hook: orNull(hook), saved: orNull(list(name)), bytes: id, tensors: orNull(list(int)),
    optimizer: orNull(name), text: orNull(text),
  })),
  backwards: list(row({
    id: int, call: one("backward", "grad"), roots: list(int), root_tensors: list(int), line, start_step: int, end_step: id,
    retain_graph: bool, create_graph: bool, order: list(int),
  })),
  scopes: list(row({ id: int, parent: id, name, module: name, call: int, first_step: int, last_step: id })),
  memory: list(row({ step: int, bytes: int })),
  series: list(row({ name, line, points: list(row({ step: int, value: number })) })),
  truncated: list(row({ what: text, limit: text, kept: int, total: id })),
});

/**
 * @param {unknown} document
 * @returns {{ trace: Trace, problem: null } | { trace: null, problem: Problem }}
 */
export function checkTrace(document) {
  try {
    const trace = /** @type {Trace} */ (document);
    const version = String(trace?.schema_version ?? "");
    need(/^\d+\.\d+$/.test(version) && Array.isArray(trace.steps), "", "not_trace");
    need(Number.parseInt(version, 10) === SCHEMA, version, "newer");
    TRACE(trace, "trace");
    references(trace);
    return { trace, problem: null };
  } catch (error) {
    if (error instanceof Refused) return { trace: null, problem: error.problem };
    // Nested deeper than the stack: no document of ours is.
    if (error instanceof RangeError) return { trace: null, problem: { key: "broken", at: "" } };
    throw error;
  }
}

/** Every id leads to a row, and no walk comes back to where it was. @param {Trace} trace */
function references(trace) {
  const ids = Object.fromEntries(
    /** @type {const} */ (["tensors", "ops", "nodes", "scopes", "backwards"]).map((key) => {
      const rows = new Set(trace[key].map((each) => each.id));
      need(rows.size === trace[key].length, key);
      return [key, rows];
    }),
  );
  const last = Math.max(trace.steps.length, 1);
  /** @param {string} key @param {number | null | undefined} found @param {string} at */
  const leads = (key, found, at) => need(found == null || ids[key].has(found), at);
  /** @param {number | null | undefined} step @param {string} at */
  const inTime = (step, at) => need(step == null || step < last, at);
  trace.steps.forEach((step, place) => {
    const at = `steps[${place}]`;
    need(step.index === place, `${at}.index`);
    for (const key of /** @type {const} */ (["tensor", "op", "node", "backward"])) leads(`${key}s`, step[key], `${at}.${key}`);
    for (const tensor of step.tensors ?? []) leads("tensors", tensor, `${at}.tensors`);
  });
  trace.tensors.forEach((tensor, place) => {
    const at = `tensors[${place}]`;
    inTime(tensor.created_step, at);
    leads("ops", tensor.op, at);
    leads("nodes", tensor.grad_fn, at);
    leads("scopes", tensor.scope, at);
  });
  trace.ops.forEach((op, place) => {
    const at = `ops[${place}]`;
    inTime(op.step, at);
    for (const tensor of op.outputs) leads("tensors", tensor, at);
    for (const input of op.inputs) for (const tensor of [input.tensor, ...(input.tensors ?? [])]) leads("tensors", tensor, at);
    leads("nodes", op.grad_fn, at);
    leads("scopes", op.scope, at);
  });
  trace.nodes.forEach((node, place) => {
    const at = `nodes[${place}]`;
    inTime(node.created_step, at);
    leads("ops", node.op, at);
    leads("tensors", node.tensor, at);
    for (const edge of node.next_functions) leads("nodes", edge?.[0], at);
    for (const saved of node.saved) leads("tensors", saved.tensor, at);
  });
  for (const call of trace.backwards) {
    inTime(call.start_step, "backwards");
    for (const node of [...call.roots, ...call.order]) leads("nodes", node, "backwards");
    for (const tensor of call.root_tensors) leads("tensors", tensor, "backwards");
  }
  for (const scope of trace.scopes) leads("scopes", scope.parent, "scopes");
  acyclic(new Map(trace.nodes.map((node) => [node.id, node.next_functions.flatMap((edge) => (edge?.[0] == null ? [] : [edge[0]]))])), "nodes");
  acyclic(new Map(trace.scopes.map((scope) => [scope.id, scope.parent === null ? [] : [scope.parent]])), "scopes");
  const makers = new Map(trace.tensors.map((tensor) => [tensor.id, tensor.op]));
  acyclic(
    new Map(
      trace.ops.map((op) => [
        op.id,
        op.inputs.flatMap((input) => [input.tensor, ...(input.tensors ?? [])]).flatMap((tensor) => {
          const maker = tensor == null ? null : makers.get(tensor);
          // What writes in place reads its own result.
          return maker == null || maker === op.id || op.kind === "inplace" ? [] : [maker];
        }),
      ]),
    ),
    "ops",
  );
}

/** Takes away what nothing leads to until nothing is left. @param {Map<number, number[]>} next @param {string} at */
function acyclic(next, at) {
  const waits = new Map([...next.keys()].map((key) => [key, 0]));
  for (const targets of next.values()) for (const each of targets) waits.set(each, (waits.get(each) ?? 0) + 1);
  const ready = [...waits.keys()].filter((key) => waits.get(key) === 0);
  let left = waits.size;
  for (let key = ready.pop(); key !== undefined; key = ready.pop()) {
    left -= 1;
    for (const each of next.get(key) ?? []) {
      const count = (waits.get(each) ?? 0) - 1;
      waits.set(each, count);
      if (count === 0) ready.push(each);
    }
  }
  need(left === 0, at, "cyclic");
}
