// Generated from backend/schemas.py by scripts/make_wire_types.py. Edit the schema, not this file.

/** One call of backward() or torch.autograd.grad(). */
export interface BackwardInfo {
  id: number;
  call: "backward" | "grad";
  /** Node ids the gradient starts from. */
  roots: Array<number>;
  root_tensors: Array<number>;
  line: number | null;
  start_step: number;
  /** null when it did not finish. */
  end_step: number | null;
  retain_graph: boolean;
  create_graph: boolean;
  /** Node ids in the order they ran. */
  order: Array<number>;
}

/** Printed text; control characters are visible escapes. */
export interface ConsoleText {
  step: number;
  stream: "stdout" | "stderr";
  text: string;
  line: number | null;
}

export interface ErrorInfo {
  type: string;
  message: string;
  line: number | null;
  /** 1-based; for syntax errors. */
  column?: number | null;
  frames: Array<Frame>;
  /** As Python prints it, the program's frames only. */
  traceback?: string;
  /** Key of the page's explanation. */
  explanation?: string | null;
}

/** A program of the examples menu. */
export interface Example {
  id: string;
  /** Key of the chapter it belongs to. */
  chapter: string;
  title: Record<"en" | "zh", string>;
  summary: Record<"en" | "zh", string>;
  code: string;
}

export interface ExampleList {
  chapters: Record<string, Record<"en" | "zh", string>>;
  examples: Array<Example>;
}

/** A frame of the program in a traceback, innermost last. */
export interface Frame {
  line: number;
  function: string;
  source: string;
}

/** What a tensor's `.grad` held from one step on; null once set to None. */
export interface GradAt {
  step: number;
  value: Value | null;
}

/** The `.grad` of one variable in both runs. null: it was None. */
export interface GradientChange {
  name: string;
  before: Value | null;
  after: Value | null;
  /** The largest difference of two elements; null where shapes differ or not all elements are known. */
  max_difference: number | string | null;
}

/** By variable name. `added` and `removed` name variables that only one of the programs has. */
export interface GradientsDiff {
  unchanged: Array<string>;
  added: Array<GradientChange>;
  removed: Array<GradientChange>;
  changed: Array<GradientChange>;
}

/** Two programs compared: what `after` has that `before` has not, and the other way round. */
export interface GraphDiff {
  /** No node and no gradient differs. */
  same: boolean;
  before: Outcome;
  after: Outcome;
  nodes: NodesDiff;
  gradients: GradientsDiff;
  /** What keeps the comparison from being complete. */
  notes: Array<string>;
}

/** Counts of finite elements in equal bins between the first and the last of `edges`. */
export interface Histogram {
  edges: Array<number | boolean | string>;
  counts: Array<number>;
}

/** A hook registered on a node or on a tensor of it. */
export interface HookInfo {
  kind: "tensor" | "node" | "node_pre" | "post_accumulate" | "module" | "saved";
  name: string;
  line?: number | null;
}

/** Bytes saved for backward from this step on. */
export interface MemoryAt {
  step: number;
  bytes: number;
}

/** One node of both graphs that is not the same in both. */
export interface NodeChange {
  before: NodeSummary;
  after: NodeSummary;
  changed: Array<"name" | "inputs" | "shape" | "constants" | "hooks">;
}

/** A grad_fn node of the backward graph. */
export interface NodeInfo {
  id: number;
  /** `grad_fn.name()`: "MulBackward0", "torch::autograd::AccumulateGrad". */
  name: string;
  next_functions: Array<[number | null, number] | null>;
  /** The forward argument each entry of next_functions belongs to. */
  input_names?: Array<string>;
  saved: Array<SavedInfo>;
  /** null for AccumulateGrad, which always runs first. */
  sequence_nr: number | null;
  /** Id of the forward op that made it. */
  op: number | null;
  /** For AccumulateGrad: id of its `variable`. */
  tensor: number | null;
  hooks: Array<HookInfo>;
  /** Key into `rules`. */
  rule: string | null;
  /** Made by a torch.autograd.Function of the program. */
  is_custom: boolean;
  line: number | null;
  created_step: number;
}

/** A node of one of the two graphs. */
export interface NodeSummary {
  id: number;
  name: string;
  /** A variable name of what its op made, or of AccumulateGrad's leaf. */
  output: string | null;
  line: number | null;
}

export interface NodesDiff {
  unchanged: number;
  added: Array<NodeSummary>;
  removed: Array<NodeSummary>;
  changed: Array<NodeChange>;
}

/** One argument of an op: a tensor by id, or a constant by its text. */
export interface OpArgument {
  name: string;
  tensor?: number | null;
  tensors?: Array<number | null> | null;
  constant?: string | null;
}

/** One forward execution of an op. */
export interface OpInfo {
  id: number;
  /** The operator, without overload: "mul". */
  name: string;
  /** With overload: "mul.Tensor". */
  overload: string;
  inputs: Array<OpArgument>;
  outputs: Array<number>;
  kind: "compute" | "view" | "inplace" | "create";
  line: number | null;
  step: number;
  scope: number | null;
  /** Id of the node recorded for it; null when nothing needed grad. */
  grad_fn: number | null;
}

/** How the run ended. Whatever it is, the trace up to there is kept. */
export interface Outcome {
  status: "ok" | "error" | "timeout" | "memory" | "output" | "crash" | "too_large";
  error: ErrorInfo | null;
  /** What the sandbox has to say: what happened, what to do. */
  message?: string | null;
  /** Code of `message`, for words in another language. */
  reason?: string | null;
  /** What fills these: limit, module … */
  reason_values?: Record<string, string>;
  /** Time of the program itself. */
  run_ms?: number | null;
  /** With sandbox and trace. */
  total_ms?: number | null;
}

/** A value for one leaf tensor, in place of the one the program gives it. */
export interface Override {
  /** A variable name, `w` or `model.weight`: the first new leaf tensor that is bound to it. */
  name?: string | null;
  /** Instead: the first tensor that is made while this line runs. */
  line?: number | null;
  /** A number, which fills the tensor, or a nested list of numbers of its shape. */
  value: boolean | number | "nan" | "inf" | "-inf" | Array<unknown>;
}

/** What became of one of the request's overrides. */
export interface OverrideInfo {
  name: string | null;
  line: number | null;
  /** Id of the tensor that got the value; null when none did. */
  tensor: number | null;
  /** The step at which it was made. */
  step: number | null;
  /** Why the value was not used. */
  problem: string | null;
}

/** RFC 9457 problem document: how every refused request is answered. */
export interface Problem {
  type?: string;
  title: string;
  status: number;
  detail: string;
  instance?: string | null;
  /** Seconds, as in the header `Retry-After`. */
  retry_after?: number | null;
}

/** The engine's ready queue and dependency counts just after a node ran. */
export interface QueueState {
  /** Node ids, next to run first. */
  ready: Array<number>;
  /** (node id, gradients it still waits for). */
  waiting: Array<[number, number]>;
}

/** The formulas of a grad_fn, as LaTeX with slots: `[[grad]]`, `[[self]]` stand for a symbol or for its number. */
export interface Rule {
  forward: string;
  /** Per forward argument: the gradient that leaves for it. */
  backward: Record<string, string>;
}

/** What to record of a run, and changes to it. What is left out is said in the trace's `truncated`. */
export interface RunOptions {
  /** Values for leaf tensors. What became of each is in the trace's `overrides`; one that does not fit its tensor ends the program with an OverrideError. */
  overrides?: Array<Override>;
  /** Stop there: `outcome.status` is ok, and `outcome.message` says where it stopped. */
  until?: Until | null;
  /** full: values whole up to a size, beyond it a preview. preview: at most 16 elements, and statistics. none: shapes and dtypes alone. */
  values?: "none" | "preview" | "full";
  /** For full, the size up to which values are whole. By default 64 on the way and 1,024 at the end. */
  value_elements?: number | null;
  /** Whether `nodes[].saved` is filled. */
  saved?: boolean;
  /** final_graph leaves out `steps`, `memory`, `series` and what tensors held before the end; numbers of steps elsewhere still count along the run. */
  steps?: "all" | "final_graph";
}

/** Where a run stands. */
export interface RunProgress {
  /** Since the request was read. */
  elapsed_ms: number;
  /** waiting: for a place. running: the program. writing: it is over and its trace is written. */
  phase: "waiting" | "running" | "writing";
  /** Place in the queue, 1 for who is next. Null unless waiting. */
  position: number | null;
  /** Of the program, that runs now. Null where that is not known. */
  line: number | null;
  /** Steps of the timeline so far. Null where that is not known. */
  steps: number | null;
}

/** A program to run. */
export interface RunRequest {
  /** The Python program. At most 64 KB of UTF-8. */
  code: string;
  /** `torch.manual_seed(seed)` is called before line 1. */
  seed?: number;
  options?: RunOptions;
}

/** Something a node kept for its backward. */
export interface SavedInfo {
  /** Attribute name on the grad_fn: `_saved_self`. */
  name: string;
  /** Tensor id when it is a tensor of the program. */
  tensor: number | null;
  /** The tensor's `_version` when it was saved. */
  version: number | null;
  /** Its value in words: a tensor's text, a number, a tuple. */
  text: string;
  value?: Value | null;
  bytes: number;
  /** Step at which it was freed; null when it never was. */
  released_step: number | null;
}

/** One call of an nn.Module: a tree over `parent`. */
export interface ScopeInfo {
  id: number;
  parent: number | null;
  /** The attribute path, "layers.0"; the class name for a root. */
  name: string;
  /** Class name. */
  module: string;
  /** 1 for the first call of this module, 2 for the second … */
  call: number;
  first_step: number;
  last_step: number | null;
}

/** A scalar that a loop overwrites: a loss by name, in order of steps. */
export interface Series {
  name: string;
  line: number | null;
  points: Array<SeriesPoint>;
}

export interface SeriesPoint {
  step: number;
  value: number | boolean | string;
}

/** Summary of a tensor too large to send whole; over its finite elements. */
export interface Stats {
  min: number | boolean | string | null;
  max: number | boolean | string | null;
  mean: number | boolean | string | null;
  std: number | boolean | string | null;
  norm: number | boolean | string | null;
  nan: number;
  inf: number;
  zeros: number;
}

/** One thing that happened. Which fields are set depends on `kind`; ids refer to the other tables. */
export interface Step {
  index: number;
  kind: "create" | "op" | "inplace" | "mode_enter" | "mode_exit" | "backward_start" | "node_apply" | "accumulate" | "hook" | "release" | "backward_end" | "zero_grad" | "optimizer_step" | "print" | "warning" | "error";
  line: number | null;
  scope?: number | null;
  /** create, inplace, accumulate, hook */
  tensor?: number | null;
  /** op, inplace */
  op?: number | null;
  /** node_apply, accumulate, hook, release */
  node?: number | null;
  /** backward_*, node_apply, accumulate, release */
  backward?: number | null;
  /** mode_enter, mode_exit: no_grad, enable_grad, … */
  mode?: string | null;
  /** node_apply: gradient per forward output */
  grads_in?: Array<Value | null> | null;
  /** node_apply: gradient per next_functions */
  grads_out?: Array<Value | null> | null;
  /** node_apply, accumulate, backward_start */
  queue?: QueueState | null;
  /** accumulate, hook */
  before?: Value | null;
  /** accumulate */
  contribution?: Value | null;
  /** accumulate, hook */
  after?: Value | null;
  hook?: HookInfo | null;
  /** release: names of what was freed */
  saved?: Array<string> | null;
  /** release: bytes freed */
  bytes?: number | null;
  /** zero_grad, optimizer_step */
  tensors?: Array<number> | null;
  /** zero_grad, optimizer_step: its class name */
  optimizer?: string | null;
  /** zero_grad */
  set_to_none?: boolean | null;
  /** print, warning, error */
  text?: string | null;
}

/** One tensor of the program. */
export interface TensorInfo {
  id: number;
  /** Variable names the program gave it, first one first. */
  names: Array<string>;
  shape: Array<number>;
  /** As PyTorch prints it: "torch.float32". */
  dtype: string;
  stride: Array<number>;
  /** Tensors with equal `storage` share memory. */
  storage: number;
  storage_offset: number;
  requires_grad: boolean;
  is_leaf: boolean;
  is_parameter: boolean;
  is_inference: boolean;
  is_view: boolean;
  /** Id of the tensor this one is a view of. */
  base: number | null;
  /** `_version` at the end of the run. */
  version: number;
  /** At the end of the run. */
  value: Value;
  /** Every value it had, in order of steps; empty when it never changed. */
  values: Array<VersionedValue>;
  /** `.grad` at the end of the run. */
  grad: Value | null;
  /** Every value `.grad` had, in order of steps. */
  grads: Array<GradAt>;
  retains_grad: boolean;
  /** Id of the node that made it. */
  grad_fn: number | null;
  output_nr: number;
  /** Id of the op that made it; null for created tensors. */
  op: number | null;
  created_step: number;
  line: number | null;
  scope: number | null;
  /** Why `.grad` is None at the end: one of is_not_leaf, no_requires_grad, not_reached, no_backward. */
  why_no_grad?: string | null;
}

/** Elements of one tensor, or of its gradient, at one moment: what `POST /api/v1/runs/tensor` asks for. */
export interface TensorSlice {
  /** Id of the tensor in the run. */
  tensor: number | null;
  names: Array<string>;
  of: "value" | "grad";
  /** The step from which on it held this. */
  step: number | null;
  /** Its `_version` then; null for a gradient. */
  version: number | null;
  index: string;
  /** Of the whole tensor at that moment. */
  shape: Array<number> | null;
  /** The elements, all of them exact. */
  value: Value | null;
  /** Why there is no value. */
  problem?: string | null;
}

/** One run, one document. */
export interface Trace {
  schema_version?: "1.0";
  torch_version: string;
  seed: number;
  outcome: Outcome;
  console: Array<ConsoleText>;
  tensors: Array<TensorInfo>;
  ops: Array<OpInfo>;
  nodes: Array<NodeInfo>;
  rules: Record<string, Rule>;
  steps: Array<Step>;
  backwards: Array<BackwardInfo>;
  scopes: Array<ScopeInfo>;
  memory: Array<MemoryAt>;
  series: Array<Series>;
  truncated: Array<Truncated>;
  /** One for each override of the request. */
  overrides?: Array<OverrideInfo>;
  /** Of runs for one tensor alone. */
  slice?: TensorSlice | null;
  /** What ran. Answers leave it out, as whoever asked has it; a saved trace holds it. */
  program?: string | null;
}

/** Something left out of the trace. */
export interface Truncated {
  what: string;
  limit: string;
  kept: number;
  total: number | null;
}

/** Where to stop: before the first statement on or after a line, or after a step of the timeline. */
export interface Until {
  line?: number | null;
  step?: number | null;
}

/** The elements of a tensor at one moment. `full`: `data` holds all elements, nested as `shape` says (a plain number when 0-dimensional). `preview`: `data` holds the first elements, flat; `stats` and `histogram` describe the rest. */
export interface Value {
  kind: "full" | "preview";
  shape: Array<number>;
  dtype: string;
  /** Nested lists of numbers, or one number. */
  data: unknown;
  /** As `print(tensor)` shows it in PyTorch: for small values at the end of the run that have a name. */
  text: string;
  stats?: Stats | null;
  histogram?: Histogram | null;
}

/** What a tensor held from one step on: its `_version` then, and its elements. */
export interface VersionedValue {
  step: number;
  version: number;
  value: Value;
}
