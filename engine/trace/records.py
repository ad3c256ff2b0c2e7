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

Values are what `Snapshots.take` gives. What most records have in common stands in their class: a run makes thousands of
them, and sets no more than what is their own.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

Step = tuple[str, int | None, int | None, Any]


class TensorRecord:
    """A tensor. `value` is what it held first, of version `first_version`; `later` is (step, version, snapshot) of each
    change, `grads` is (step, snapshot or None) of each change of its gradient."""

    base: int | None = None
    is_inference = False
    is_parameter = False
    requires = False  # as a leaf; what a node made requires grad anyway
    grad_fn: int | None = None
    version = 0
    first_version = 0
    output_nr = 0
    retains = False
    names: Sequence[str] = ()
    later: Sequence[tuple[int, int, Any]] = ()
    grads: Sequence[tuple[int, Any]] = ()

    def __init__(self, id: int, ref: Any, op: int | None, step: int, line: int | None, scope: int | None, value: Any):
        self.id = self.storage = id
        self.ref, self.op, self.step, self.line, self.scope, self.value = ref, op, step, line, scope, value

    def last_value(self) -> Any:
        """The snapshot of what it holds now."""
        return self.later[-1][2] if self.later else self.value

    def values(self) -> list[tuple[int, int, Any]]:
        """Every value it had, as in `later`."""
        return [(self.step, self.first_version, self.value), *self.later]

    def replace_last(self, snapshot: Any) -> None:
        """What it holds now is something else."""
        if self.later:
            self.later = [*self.later[:-1], (*self.later[-1][:2], snapshot)]
        else:
            self.value = snapshot

    def add(self, history: str, entry: Any) -> None:
        """Append to `names`, `later` or `grads`."""
        known = getattr(self, history)
        if known:
            known.append(entry)
        else:
            setattr(self, history, [entry])


class Several:
    """An argument that is a list of tensors: their records, None for what is none."""

    __slots__ = ("records",)

    def __init__(self, records: list[TensorRecord | None]):
        self.records = records


class OpRecord:
    """One forward execution, of an op or of what has only a name. `inputs`: TensorRecord, Several or a constant."""

    grad_fn: int | None = None

    def __init__(
        self, id: int, op: Any, name: str, inputs: list[Any], kind: str, line: int | None, step: int, scope: int | None
    ):
        self.id, self.op, self.name, self.inputs, self.kind = id, op, name, inputs, kind
        self.line, self.step, self.scope = line, step, scope
        self.outputs: list[int] = []


class SavedRecord(NamedTuple):
    """Something a node saved: a tensor with its version and value, or a plain value.

    `output_nr`: of the node's own output, whose `tensor` gets its number when it is known.
    """

    name: str
    tensor: int | None
    version: int | None
    snapshot: Any
    value: Any
    bytes: int = 0
    output_nr: int | None = None


class NodeRecord:
    """A backward node. `keys` are the memories it holds, (key, bytes), while it does; `ref` tells of its end."""

    seq: int | None = None
    plan: Any = None
    edges: Sequence[tuple[int, int] | None] = ()
    saved: Sequence[SavedRecord] = ()
    tensor: int | None = None
    is_custom = False
    keys: Sequence[tuple[int, int]] = ()
    ref: Any = None
    released: int | None = None  # the step at which its saved tensors were freed
    awaits = False  # whether it saved an output of its own that has no number yet

    def __init__(self, id: int, name: str, op: int | None, line: int | None, step: int):
        self.id, self.name, self.op, self.line, self.step = id, name, op, line, step


class BackwardRecord:
    """One call of backward() or grad(). `waiting`, from its first node on: how many gradients each still waits for."""

    __slots__ = (
        "id", "call", "roots", "root_tensors", "line", "start_step", "end_step", "retain", "create", "order", "waiting"
    )  # fmt: skip

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
        self.waiting: dict[int, int] | None = None


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
