"""The wire schema: one program in, one Trace out. Every other description of it is generated from here.

A Trace is one document of one run. `steps` is its only timeline: everything that changes while the program
runs names the step at which it changed, so that a reader can show any moment by looking up a step index.

Numbers in JSON: a finite float is a number; NaN and infinities are the strings "nan", "inf", "-inf"; an
integer beyond 2**53 is a string of its digits; a complex number is a string such as "1+2j".
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = "1.0"

Status = Literal["ok", "error", "timeout", "memory", "output", "crash", "too_large"]
StepKind = Literal[
    "create", "op", "inplace", "mode_enter", "mode_exit", "backward_start", "node_apply", "accumulate", "hook",
    "release", "backward_end", "zero_grad", "optimizer_step", "print", "warning", "error",
]  # fmt: skip
Number = float | int | bool | str
# What a hostile child may send is bounded here: no string of a trace is longer than this.
Text = Annotated[str, Field(max_length=1_000_000)]
Name = Annotated[str, Field(max_length=2_000)]


class Wire(BaseModel):
    """Strict base: unknown fields are refused, and nothing is converted silently."""

    model_config = ConfigDict(extra="forbid", strict=True, ser_json_inf_nan="strings")


class Stats(Wire):
    """Summary of a tensor too large to send whole; over its finite elements."""

    min: Number | None
    max: Number | None
    mean: Number | None
    std: Number | None
    norm: Number | None
    nan: int
    inf: int
    zeros: int


class Histogram(Wire):
    """Counts of finite elements in equal bins between the first and the last of `edges`."""

    edges: list[Number]
    counts: list[int]


class Value(Wire):
    """The elements of a tensor at one moment.

    `full`: `data` holds all elements, nested as `shape` says (a plain number when 0-dimensional).
    `preview`: `data` holds the first elements, flat; `stats` and `histogram` describe the rest.
    """

    kind: Literal["full", "preview"]
    shape: list[int]
    dtype: Name
    data: object = Field(description="Nested lists of numbers, or one number.")
    text: Text = Field(
        description="As `print(tensor)` shows it in PyTorch: for small values at the end of the run that have a name."
    )
    stats: Stats | None = None
    histogram: Histogram | None = None


class VersionedValue(Wire):
    """What a tensor held from one step on: its `_version` then, and its elements."""

    step: int
    version: int
    value: Value


class GradAt(Wire):
    """What a tensor's `.grad` held from one step on; null once set to None."""

    step: int
    value: Value | None


class TensorInfo(Wire):
    """One tensor of the program."""

    id: int
    names: list[Name] = Field(description="Variable names the program gave it, first one first.")
    shape: list[int]
    dtype: Name = Field(description='As PyTorch prints it: "torch.float32".')
    stride: list[int]
    storage: int = Field(description="Tensors with equal `storage` share memory.")
    storage_offset: int
    requires_grad: bool
    is_leaf: bool
    is_parameter: bool
    is_inference: bool
    is_view: bool
    base: int | None = Field(description="Id of the tensor this one is a view of.")
    version: int = Field(description="`_version` at the end of the run.")
    value: Value = Field(description="At the end of the run.")
    values: list[VersionedValue] = Field(
        description="Every value it had, in order of steps; empty when it never changed."
    )
    grad: Value | None = Field(description="`.grad` at the end of the run.")
    grads: list[GradAt] = Field(description="Every value `.grad` had, in order of steps.")
    retains_grad: bool
    grad_fn: int | None = Field(description="Id of the node that made it.")
    output_nr: int
    op: int | None = Field(description="Id of the op that made it; null for created tensors.")
    created_step: int
    line: int | None
    scope: int | None
    why_no_grad: Name | None = Field(
        default=None,
        description="Why `.grad` is None at the end: one of is_not_leaf, no_requires_grad, not_reached, no_backward.",
    )


class OpArgument(Wire):
    """One argument of an op: a tensor by id, or a constant by its text."""

    name: Name
    tensor: int | None = None
    tensors: list[int | None] | None = None
    constant: Text | None = None


class OpInfo(Wire):
    """One forward execution of an op."""

    id: int
    name: Name = Field(description='The operator, without overload: "mul".')
    overload: Name = Field(description='With overload: "mul.Tensor".')
    inputs: list[OpArgument]
    outputs: list[int]
    kind: Literal["compute", "view", "inplace", "create"]
    line: int | None
    step: int
    scope: int | None
    grad_fn: int | None = Field(description="Id of the node recorded for it; null when nothing needed grad.")


class SavedInfo(Wire):
    """Something a node kept for its backward."""

    name: Name = Field(description="Attribute name on the grad_fn: `_saved_self`.")
    tensor: int | None = Field(description="Tensor id when it is a tensor of the program.")
    version: int | None = Field(description="The tensor's `_version` when it was saved.")
    text: Text = Field(description="Its value in words: a tensor's text, a number, a tuple.")
    value: Value | None = None
    bytes: int
    released_step: int | None = Field(description="Step at which it was freed; null when it never was.")


class HookInfo(Wire):
    """A hook registered on a node or on a tensor of it."""

    kind: Literal["tensor", "node", "node_pre", "post_accumulate", "module", "saved"]
    name: Name
    line: int | None = None


class NodeInfo(Wire):
    """A grad_fn node of the backward graph."""

    id: int
    name: Name = Field(description='`grad_fn.name()`: "MulBackward0", "torch::autograd::AccumulateGrad".')
    next_functions: list[tuple[int | None, int] | None]
    input_names: list[Name] = Field(
        default_factory=list, description="The forward argument each entry of next_functions belongs to."
    )
    saved: list[SavedInfo]
    sequence_nr: int | None = Field(description="null for AccumulateGrad, which always runs first.")
    op: int | None = Field(description="Id of the forward op that made it.")
    tensor: int | None = Field(description="For AccumulateGrad: id of its `variable`.")
    hooks: list[HookInfo]
    rule: Name | None = Field(description="Key into `rules`.")
    is_custom: bool = Field(description="Made by a torch.autograd.Function of the program.")
    line: int | None
    created_step: int


class Rule(Wire):
    """The formulas of a grad_fn, as LaTeX with slots: `[[grad]]`, `[[self]]` stand for a symbol or for its number."""

    forward: Text
    backward: dict[Name, Text] = Field(description="Per forward argument: the gradient that leaves for it.")


class QueueState(Wire):
    """The engine's ready queue and dependency counts just after a node ran."""

    ready: list[int] = Field(description="Node ids, next to run first.")
    waiting: list[tuple[int, int]] = Field(description="(node id, gradients it still waits for).")


class Step(Wire):
    """One thing that happened. Which fields are set depends on `kind`; ids refer to the other tables."""

    index: int
    kind: StepKind
    line: int | None
    scope: int | None = None
    tensor: int | None = Field(default=None, description="create, inplace, accumulate, hook")
    op: int | None = Field(default=None, description="op, inplace")
    node: int | None = Field(default=None, description="node_apply, accumulate, hook, release")
    backward: int | None = Field(default=None, description="backward_*, node_apply, accumulate, release")
    mode: Name | None = Field(default=None, description="mode_enter, mode_exit: no_grad, enable_grad, …")
    grads_in: list[Value | None] | None = Field(default=None, description="node_apply: gradient per forward output")
    grads_out: list[Value | None] | None = Field(default=None, description="node_apply: gradient per next_functions")
    queue: QueueState | None = Field(default=None, description="node_apply, accumulate, backward_start")
    before: Value | None = Field(default=None, description="accumulate, hook")
    contribution: Value | None = Field(default=None, description="accumulate")
    after: Value | None = Field(default=None, description="accumulate, hook")
    hook: HookInfo | None = None
    saved: list[Name] | None = Field(default=None, description="release: names of what was freed")
    bytes: int | None = Field(default=None, description="release: bytes freed")
    tensors: list[int] | None = Field(default=None, description="zero_grad, optimizer_step")
    optimizer: Name | None = Field(default=None, description="zero_grad, optimizer_step: its class name")
    set_to_none: bool | None = Field(default=None, description="zero_grad")
    text: Text | None = Field(default=None, description="print, warning, error")


class BackwardInfo(Wire):
    """One call of backward() or torch.autograd.grad()."""

    id: int
    call: Literal["backward", "grad"]
    roots: list[int] = Field(description="Node ids the gradient starts from.")
    root_tensors: list[int]
    line: int | None
    start_step: int
    end_step: int | None = Field(description="null when it did not finish.")
    retain_graph: bool
    create_graph: bool
    order: list[int] = Field(description="Node ids in the order they ran.")


class ScopeInfo(Wire):
    """One call of an nn.Module: a tree over `parent`."""

    id: int
    parent: int | None
    name: Name = Field(description='The attribute path, "layers.0"; the class name for a root.')
    module: Name = Field(description="Class name.")
    call: int = Field(description="1 for the first call of this module, 2 for the second …")
    first_step: int
    last_step: int | None


class MemoryAt(Wire):
    """Bytes saved for backward from this step on."""

    step: int
    bytes: int


class SeriesPoint(Wire):
    step: int
    value: Number


class Series(Wire):
    """A scalar that a loop overwrites: a loss by name, in order of steps."""

    name: Name
    line: int | None
    points: list[SeriesPoint]


class ConsoleText(Wire):
    """Printed text; control characters are visible escapes."""

    step: int
    stream: Literal["stdout", "stderr"]
    text: Text
    line: int | None


class Frame(Wire):
    """A frame of the program in a traceback, innermost last."""

    line: int
    function: Name
    source: Text


class ErrorInfo(Wire):
    type: Name
    message: Text
    line: int | None
    column: int | None = Field(default=None, description="1-based; for syntax errors.")
    frames: list[Frame]
    traceback: Text = Field(default="", description="As Python prints it, the program's frames only.")
    explanation: Name | None = Field(default=None, description="Key of the page's explanation.")


class Outcome(Wire):
    """How the run ended. Whatever it is, the trace up to there is kept."""

    status: Status
    error: ErrorInfo | None
    message: Text | None = Field(default=None, description="What the sandbox has to say: what happened, what to do.")
    reason: Name | None = Field(default=None, description="Code of `message`, for words in another language.")
    reason_values: dict[Name, Text] = Field(default={}, description="What fills these: limit, module …")
    run_ms: float | None = Field(default=None, description="Time of the program itself.")
    total_ms: float | None = Field(default=None, description="With sandbox and trace.")


class OverrideInfo(Wire):
    """What became of one of the request's overrides."""

    name: Name | None
    line: int | None
    tensor: int | None = Field(description="Id of the tensor that got the value; null when none did.")
    step: int | None = Field(description="The step at which it was made.")
    problem: Text | None = Field(description="Why the value was not used.")


class TensorSlice(Wire):
    """Elements of one tensor, or of its gradient, at one moment: what `POST /api/v1/runs/tensor` asks for."""

    tensor: int | None = Field(description="Id of the tensor in the run.")
    names: list[Name]
    of: Literal["value", "grad"]
    step: int | None = Field(description="The step from which on it held this.")
    version: int | None = Field(description="Its `_version` then; null for a gradient.")
    index: Name
    shape: list[int] | None = Field(description="Of the whole tensor at that moment.")
    value: Value | None = Field(description="The elements, all of them exact.")
    problem: Text | None = Field(default=None, description="Why there is no value.")


class Truncated(Wire):
    """Something left out of the trace."""

    what: Name
    limit: Name
    kept: int
    total: int | None


class Trace(Wire):
    """One run, one document."""

    schema_version: Literal["1.0"] = SCHEMA_VERSION
    torch_version: Name
    seed: int
    outcome: Outcome
    console: list[ConsoleText]
    tensors: list[TensorInfo]
    ops: list[OpInfo]
    nodes: list[NodeInfo]
    rules: dict[Name, Rule]
    steps: list[Step]
    backwards: list[BackwardInfo]
    scopes: list[ScopeInfo]
    memory: list[MemoryAt]
    series: list[Series]
    truncated: list[Truncated]
    overrides: list[OverrideInfo] = Field(default_factory=list, description="One for each override of the request.")
    slice: TensorSlice | None = Field(default=None, description="Of runs for one tensor alone.")
    program: Text | None = Field(
        default=None,
        description="What ran. Answers leave it out, as whoever asked has it; a saved trace holds it.",
    )


class Example(Wire):
    """A program of the examples menu."""

    id: Name
    chapter: Name = Field(description="Key of the chapter it belongs to.")
    title: dict[Literal["en", "zh"], Name]
    summary: dict[Literal["en", "zh"], Text]
    code: Text


class ExampleList(Wire):
    chapters: dict[Name, dict[Literal["en", "zh"], Name]]
    examples: list[Example]


class LimitsInfo(Wire):
    """What one run may use: sizes in bytes, times in seconds."""

    code_bytes: int
    console_bytes: int
    reply_bytes: int
    memory_bytes: int
    soft_seconds: float
    hard_seconds: float


class ServiceInfo(Wire):
    """What a page has to know about the service it talks to."""

    schema_version: Literal["1.0"] = SCHEMA_VERSION
    torch_version: Name
    sandbox: Literal["full", "reduced"] = Field(
        description="reduced: programs run with the rights of the server; the page must say so."
    )
    limits: LimitsInfo


class Problem(BaseModel):
    """RFC 9457 problem document: how every refused request is answered."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    instance: str | None = None
    retry_after: int | None = Field(default=None, description="Seconds, as in the header `Retry-After`.")
