"""The lean records that the recorder collects; engine.trace.document turns them into the wire schema.

Records refer to each other, never to a tensor or a node of the program. A step is a tuple (kind, line, module call,
what), and `what` depends on the kind:

    create, op, inplace          an OpRecord
    mode_enter, mode_exit        the name of the mode
    backward_start, backward_end number of the backward pass
    node_apply                   (NodeRecord, backward pass, queue, gradients in, gradients out)
    accumulate                   (NodeRecord, backward pass, queue, before, contribution, after)
    hook                         (NodeRecord, kind of hook, hook, before, after)
    release                      (NodeRecord, backward pass, bytes)
    zero_grad, optimizer_step    a dict of the step's fields
    print                        a Printed
    warning, error               a text

Values are what `Snapshots.take` gives.
"""

from collections.abc import Iterator
from typing import Any

Step = tuple[str, int | None, int | None, Any]


class TensorRecord:
    """A tensor: `values` and `grads` are its history, (step, version, snapshot) and (step, snapshot or None)."""

    __slots__ = (
        "id", "ref", "base", "op", "step", "line", "scope", "storage", "requires_grad", "is_leaf", "is_inference",
        "version", "grad_fn", "output_nr", "retains", "class_name", "values", "grads", "names",
    )  # fmt: skip

    def __init__(
        self, id: int, ref: Any, base: int | None, op: int | None, step: int, line: int | None, scope: int | None
    ):
        self.id, self.ref, self.base, self.op, self.step, self.line, self.scope = id, ref, base, op, step, line, scope
        self.storage = id
        self.names: list[str] = []
        self.values: list[tuple[int, int, Any]] = []
        self.grads: list[tuple[int, Any]] = []


class Several:
    """An argument that is a list of tensors: their records, None for what is none."""

    __slots__ = ("records",)

    def __init__(self, records: list[TensorRecord | None]):
        self.records = records


class OpRecord:
    """One forward execution, of an op or of what has only a name. `inputs`: TensorRecord, Several or a constant."""

    __slots__ = ("id", "op", "name", "inputs", "outputs", "kind", "line", "step", "scope", "grad_fn")

    def __init__(
        self, id: int, op: Any, name: str, inputs: list[Any], kind: str, line: int | None, step: int, scope: int | None
    ):
        self.id, self.op, self.name, self.inputs, self.kind = id, op, name, inputs, kind
        self.line, self.step, self.scope = line, step, scope
        self.outputs: list[int] = []
        self.grad_fn: int | None = None


class SavedRecord:
    """Something a node saved: a tensor with its version and value, or a plain value."""

    __slots__ = ("name", "tensor", "version", "snapshot", "value", "bytes", "released", "output_nr")

    def __init__(self, name: str, tensor: int | None, version: int | None, snapshot: Any, value: Any, nbytes: int = 0):
        self.name, self.tensor, self.version, self.snapshot, self.value = name, tensor, version, snapshot, value
        self.bytes = nbytes
        self.released: int | None = None
        self.output_nr: int | None = None


class NodeRecord:
    """A backward node. `keys` are the memories it holds, (key, bytes), while it does; `ref` tells of its end."""

    __slots__ = (
        "id", "name", "seq", "op", "line", "step", "edges", "plan", "saved", "tensor", "is_custom", "keys", "ref",
    )  # fmt: skip

    def __init__(self, id: int, name: str, seq: int | None, op: int | None, line: int | None, step: int):
        self.id, self.name, self.seq, self.op, self.line, self.step = id, name, seq, op, line, step
        self.edges: list[tuple[int, int] | None] = []
        self.plan: Any = None
        self.saved: list[SavedRecord] = []
        self.tensor: int | None = None
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
        line: int | None,
        start: int,
        retain: bool,
        create: bool,
    ):
        self.id, self.call, self.roots, self.root_tensors = id, call, roots, tensors
        self.line, self.start_step, self.retain, self.create = line, start, retain, create
        self.end_step: int | None = None
        self.order: list[int] = []


class ScopeRecord:
    """One call of a module."""

    __slots__ = ("id", "parent", "name", "class_name", "call", "first_step", "last_step", "module", "_paths")

    def __init__(
        self, id: int, parent: int | None, name: str, class_name: str, call: int, first_step: int, module: Any
    ):
        self.id, self.parent, self.name, self.class_name, self.call = id, parent, name, class_name, call
        self.first_step, self.module = first_step, module
        self.last_step: int | None = None
        self._paths: dict[int, str] | None = None

    def path_to(self, module: Any) -> str | None:
        """What PyTorch calls a module within the one that is called here: `blocks.0`, say. None if it is not in it."""
        for name, child in _children(self.module):
            if child is module:
                return name
        if self._paths is None or id(module) not in self._paths:
            self._paths = {id(child): path for path, child in _inside(self.module, "", {id(self.module)})}
        return self._paths.get(id(module))


def _children(module: Any) -> list[tuple[str, Any]]:
    return list(getattr(module, "_modules", {}).items())


def _inside(module: Any, prefix: str, met: set[int]) -> Iterator[tuple[str, Any]]:
    """Modules within one, each once and with its path."""
    for name, child in _children(module):
        if child is not None and id(child) not in met:
            met.add(id(child))
            yield prefix + name, child
            yield from _inside(child, f"{prefix}{name}.", met)


class Printed:
    """Text of one stream; it grows while the same line of the program prints on."""

    __slots__ = ("text", "stream")

    def __init__(self, text: str, stream: str):
        self.text, self.stream = text, stream
