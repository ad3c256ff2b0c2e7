"""The backward graph: nodes, edges and what nodes save.

A Node is what `tensor.grad_fn` returns. How the nodes of an op are made from its record is engine.plan's part.
"""

import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from engine import errors
from engine.c_calls import takes_one
from engine.device import CPU, device
from engine.dtypes import from_numpy
from engine.modes import STATE

ACCUMULATE_SEQUENCE = 2**64 - 1
RELEASED = object()  # stands where a saved tensor was
SCALAR_META = {t: (((), np.dtype(t)),) for t in (np.float32, np.float64)}
"""The `meta` of nodes whose only output is a numpy scalar; always this object, so that it is known by identity."""
_HOOK_COUNT = [0]


class RemovableHandle:
    """What registering a hook returns: `remove()` takes the hook back. Works as a context manager too."""

    __module__ = "torch.utils.hooks"

    def __init__(self, hooks: "OrderedDict[int, Any]"):
        self.hooks_dict_ref = weakref.ref(hooks)
        self.id = _HOOK_COUNT[0]
        _HOOK_COUNT[0] += 1

    def remove(self) -> None:
        """Take the hook back; a second time does nothing."""
        hooks = self.hooks_dict_ref()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self) -> "RemovableHandle":
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


HookDict = OrderedDict
"""Hooks by their handles' numbers: unlike a dict, something that handles can refer to weakly."""


def add_hook(hooks: HookDict, hook: Callable[..., Any]) -> RemovableHandle:
    """Register a hook last in line."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


class SavedTensor:
    """A tensor kept for backward, with the version it had.

    An input is kept as the Tensor itself; an output only as its array, since a node that held its own output would keep
    itself alive. Most inputs were never changed in place when they are saved: of these the node keeps the Tensor alone,
    which stands for version 0, and `engine.saved.as_saved` makes this of it.
    """

    __slots__ = ("tensor", "array", "counter", "version", "output_nr")

    def __init__(self, tensor: Any, array: Any, counter: Any, output_nr: int):
        self.tensor = tensor
        self.array = array
        self.counter = counter
        self.version = 0 if counter is None else counter.n
        self.output_nr = output_nr

    def current_version(self) -> int:
        """The version the memory has now."""
        counter = self.counter if self.tensor is None else self.tensor._counter
        return 0 if counter is None else counter.n

    def check(self, node: "Node") -> None:
        """Raise RuntimeError when an in-place operation has changed the tensor since it was saved."""
        now = self.current_version()
        if now != self.version:
            a = self.array
            if self.tensor is None:
                what = f", which is output {self.output_nr} of {short_name(node)},"
            else:
                fn = self.tensor._fn if self.tensor._view_kind else self.tensor._node()
                what = f", which is output {self.tensor._nr} of {short_name(fn)}," if fn is not None else ""
            hint = errors.HINT_ANOMALY if STATE.anomaly else errors.HINT_ENABLE_ANOMALY
            raise errors.modified_inplace(from_numpy(a.dtype).class_name, a.shape, what, now, self.version, hint)


class PackedTensor:
    """A tensor given to the pack hook of `saved_tensors_hooks`; `unpack` brings it back.

    `edge` is where an input's gradient goes: what is brought back is connected there again.
    """

    __slots__ = ("packed", "unpack", "output_nr", "edge")

    def __init__(self, packed: Any, unpack: Callable[[Any], Any], output_nr: int | None, edge: Any = None):
        self.packed = packed
        self.unpack = unpack
        self.output_nr = output_nr
        self.edge = edge


def short_name(node: "Node") -> str:
    """A node's name as error messages have it, without namespaces: "Exp" for ExpBackward0, "Pow1" for PowBackward1."""
    name = node.name().rsplit("::", 1)[-1]
    before, backward, number = name.rpartition("Backward")
    return before + number.removeprefix("0") if backward and not name.startswith("Copy") else name


SHOWN = {
    "_input_metadata", "_register_hook_dict", "_sequence_nr", "_set_sequence_nr", "metadata", "name", "next_functions",
    "register_hook", "register_prehook", "requires_grad", "variable",
}  # fmt: skip
"""The names of a node that are PyTorch's too."""


class Node:
    """A backward node. `edges` are (node, output number) pairs or None; `meta` is (shape, numpy dtype) per output."""

    __slots__ = ("edges", "saved", "meta", "seq", "extras", "trace_id", "__weakref__")
    plan: ClassVar[Any] = None
    torch_name: ClassVar[str] = "Node"
    runs_without: ClassVar[bool] = False  # also where no gradient reached it: a custom Function, which gets zeros
    fast_rules: ClassVar[Any] = None  # (node, grad, free) -> gradients per edge, where engine.specialise has made it

    def __init__(self, edges: Any, meta: Any):
        self.edges = edges
        self.meta = meta
        self.saved: Any = None
        self.extras: Extras | None = None
        self.seq = STATE.sequence
        STATE.sequence += 1

    def name(self) -> str:
        """PyTorch's name of the node."""
        return type(self).torch_name

    @property
    def next_functions(self) -> tuple[tuple["Node | None", int], ...]:
        """Where gradients go: (node, output number) per differentiable input."""
        return tuple((None, 0) if e is None else e for e in self.edges)

    def _sequence_nr(self) -> int:
        return self.seq

    def _set_sequence_nr(self, nr: int) -> None:
        self.seq = nr

    @property
    def requires_grad(self) -> bool:
        """Always true, as in PyTorch."""
        return True

    @property
    def _input_metadata(self) -> list["InputMetadata"]:
        return [InputMetadata(shape, dt) for shape, dt in self.meta]

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dict for the user's notes."""
        return self.more().metadata

    def more(self) -> "Extras":
        """Hooks and metadata, made when first asked for: most nodes never have any."""
        if self.extras is None:
            self.extras = Extras()
        return self.extras

    @takes_one("{}.register_hook")
    def register_hook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call fn(grad_inputs, grad_outputs) after the node ran; what it returns replaces grad_inputs."""
        return add_hook(self.more().post, fn)

    @takes_one("{}.register_prehook")
    def register_prehook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call fn(grad_outputs) before the node runs; what it returns replaces grad_outputs."""
        return add_hook(self.more().pre, fn)

    def __call__(self, *grads: Any) -> Any:
        """Apply the node to gradients by hand; one result comes bare, several in a tuple."""
        out = self.apply_tensors(list(grads))
        return out[0] if len(out) == 1 else tuple(out)

    def _register_hook_dict(self, hooks: Any) -> None:
        self.more().post.update(hooks)

    def __dir__(self) -> list[str]:
        return [n for n in super().__dir__() if n.startswith(("__", "_saved_", "_raw_saved_")) or n in SHOWN]

    def apply_arrays(self, grads: list[Any]) -> list[Any]:
        """Gradients per edge from gradients per output, as numpy arrays; None where there is none."""
        raise NotImplementedError(f"derivative for {self.name()} is not implemented")

    def apply_tensors(self, grads: list[Any]) -> list[Any]:
        """The same on Tensors, recorded when grad mode is on."""
        raise NotImplementedError(f"derivative for {self.name()} is not implemented")

    def release(self) -> None:
        """Free the tensors that were saved; numbers and shapes stay readable."""
        saved = self.saved
        for i in self.plan.tensor_saves:
            if saved[i] is not None:
                saved[i] = RELEASED


class Extras:
    """What few nodes have: hooks, retained gradients, the user's metadata, the anomaly traceback."""

    __slots__ = ("pre", "post", "tensor", "retains", "metadata", "traceback", "induced_by")

    def __init__(self) -> None:
        self.pre = HookDict()
        self.post = HookDict()
        self.tensor: list[tuple[int, HookDict]] = []  # (output number, hooks of that tensor)
        self.retains: dict[int, Any] = {}  # output number -> weak reference to the tensor that retains its grad
        self.metadata: dict[Any, Any] = {}
        self.traceback: str | None = None
        self.induced_by: Node | None = None  # in anomaly mode: the node whose gradient's own graph this one is part of


class InputMetadata:
    """Shape and dtype of the gradient a node expects for one output of the forward op."""

    def __init__(self, shape: tuple[int, ...], np_dtype: Any):
        self.shape = shape
        self.dtype = from_numpy(np.dtype(np_dtype))
        self.is_nested_tensor = False
        self.is_cpp_nested_tensor = False

    @property
    def device(self) -> device:
        """Always the CPU."""
        return CPU


class AccumulateGrad(Node):
    """The node of a leaf: adds what arrives to `variable.grad`."""

    __module__ = "builtins"  # PyTorch's nodes print without a module
    __slots__ = ("variable",)
    torch_name = "torch::autograd::AccumulateGrad"

    def __init__(self, variable: Any):
        self.variable = variable
        self.edges: Any = ()
        a = variable._a
        self.meta = SCALAR_META.get(type(a)) or ((a.shape, a.dtype),)
        self.saved = None
        self.extras = None
        self.seq = ACCUMULATE_SEQUENCE

    def release(self) -> None:
        """Nothing is saved."""
