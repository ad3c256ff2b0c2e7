"""The lean records that the recorder collects; engine.trace.document turns them into the wire schema."""

from typing import Any


class StepRecord:
    """One step: its kind, line, module call, and what else its kind needs."""

    __slots__ = ("kind", "line", "scope", "fields")

    def __init__(self, kind: str, line: int | None, scope: int | None, fields: dict[str, Any]):
        self.kind, self.line, self.scope, self.fields = kind, line, scope, fields


class TensorRecord:
    """A tensor: `values` and `grads` are its history, (step, version, snapshot) and (step, snapshot or None)."""

    __slots__ = (
        "id", "ref", "base", "op", "step", "line", "scope", "storage", "shape", "dtype", "requires_grad", "is_leaf",
        "is_inference", "version", "grad_fn", "output_nr", "retains", "class_name", "values", "grads", "names",
    )  # fmt: skip

    def __init__(
        self, id: int, ref: Any, base: int | None, op: int | None, step: int, line: int | None, scope: int | None
    ):
        self.id, self.ref, self.base, self.op, self.step, self.line, self.scope = id, ref, base, op, step, line, scope
        self.values: list[tuple[int, int, Any]] = []
        self.grads: list[tuple[int, Any]] = []
        self.names: list[str] = []
        self.storage = id
        self.version = 0
        self.grad_fn: int | None = None
        self.output_nr = 0
        self.requires_grad = self.is_inference = self.retains = False
        self.is_leaf = True
        self.class_name = "Tensor"
        self.shape: Any = ()
        self.dtype: Any = None


class Constant:
    """An argument of an op: a tensor or tensors by number, or a plain value."""

    __slots__ = ("name", "tensor", "tensors", "value")

    def __init__(self, name: str, tensor: int | None = None, tensors: Any = None, value: Any = None):
        self.name, self.tensor, self.tensors, self.value = name, tensor, tensors, value


class OpRecord:
    """One forward execution of an op."""

    __slots__ = ("id", "name", "overload", "inputs", "outputs", "kind", "line", "step", "scope", "grad_fn")

    def __init__(
        self,
        id: int,
        name: str,
        overload: str,
        inputs: list[Constant],
        kind: str,
        line: int | None,
        step: int,
        scope: Any,
    ):
        self.id, self.name, self.overload, self.inputs = id, name, overload, inputs
        self.kind, self.line, self.step, self.scope = kind, line, step, scope
        self.outputs: list[int] = []
        self.grad_fn: int | None = None


class SavedRecord:
    """Something a node saved: a tensor with its version and value, or a plain value."""

    __slots__ = ("name", "tensor", "version", "snapshot", "value", "bytes", "released", "output_nr")

    def __init__(self, name: str, tensor: int | None, version: int | None, snapshot: Any, value: Any):
        self.name, self.tensor, self.version, self.snapshot, self.value = name, tensor, version, snapshot, value
        self.bytes = 0
        self.released: int | None = None
        self.output_nr: int | None = None


class NodeRecord:
    """A backward node. `keys` are the memories it holds, while it does."""

    __slots__ = (
        "id", "name", "seq", "op", "line", "step", "edges", "input_names", "saved", "tensor", "rule", "is_custom",
        "keys",
        "ref",
    )  # fmt: skip

    def __init__(self, id: int, name: str, seq: int | None, op: int | None, line: int | None, step: int):
        self.id, self.name, self.seq, self.op, self.line, self.step = id, name, seq, op, line, step
        self.edges: list[tuple[int, int] | None] = []
        self.input_names: list[str] = []
        self.saved: list[SavedRecord] = []
        self.tensor: int | None = None
        self.rule: str | None = None
        self.is_custom = False
        self.keys: list[tuple[int, int]] = []
        self.ref: Any = None


class BackwardRecord:
    """One call of backward() or grad()."""

    __slots__ = ("id", "call", "roots", "root_tensors", "line", "start_step", "end_step", "retain", "create", "order")

    def __init__(
        self,
        id: int,
        call: str,
        roots: list[int],
        tensors: list[int],
        line: Any,
        start: int,
        retain: bool,
        create: bool,
    ):
        self.id, self.call, self.roots, self.root_tensors, self.line, self.start_step = (
            id,
            call,
            roots,
            tensors,
            line,
            start,
        )
        self.retain, self.create = retain, create
        self.end_step: int | None = None
        self.order: list[int] = []


class ScopeRecord:
    """One call of a module."""

    __slots__ = ("id", "parent", "name", "class_name", "call", "first_step", "last_step", "module")

    def __init__(
        self, id: int, parent: int | None, name: str, class_name: str, call: int, first_step: int, module: Any
    ):
        self.id, self.parent, self.name, self.class_name, self.call = id, parent, name, class_name, call
        self.first_step, self.module = first_step, module
        self.last_step: int | None = None


def gradient_of(t: Any) -> Any:
    """The tensor whose `.grad` a tensor is, as far as the recorder has seen; None otherwise."""
    reference = t.__dict__.get("_grad_of")
    owner = reference() if reference is not None else None
    return owner if owner is not None and owner._grad is t else None
