"""Reading what a node saved: as a Tensor for the program, with the version checked."""

import weakref
from typing import Any

import numpy as np

from engine import errors
from engine.graph import RELEASED, AccumulateGrad, Node, PackedTensor, SavedTensor
from engine.saving import has_gradient
from engine.tensor import Tensor, TensorBase, as_tensor


def as_saved(entry: Any) -> Any:
    """What a node saved, with a Tensor that stands for its version 0 written out."""
    return SavedTensor(entry, entry._a, None, 0) if isinstance(entry, TensorBase) else entry


def unpack(node: Node, entry: Any) -> Any:
    """A saved entry as the rule or the program sees it: a Tensor, a list of them, or the plain value.

    Raises RuntimeError when the tensor was changed in place since it was saved.
    """
    if entry is RELEASED:
        raise RuntimeError(errors.BACKWARD_TWICE)
    entry = as_saved(entry)
    kind = type(entry)
    if kind is SavedTensor:
        entry.check(node)
        if entry.tensor is not None:
            return entry.tensor
        a = entry.array
        t = Tensor._wrap(a) if type(a) is np.ndarray or not hasattr(a, "tensor") else a.tensor()  # of a batch
        t._counter = entry.counter
        if entry.output_nr is not None and has_gradient(node, entry.output_nr, t):
            t._fn, t._nr = node, entry.output_nr
        return t
    if kind is PackedTensor:
        t = entry.unpack(entry.packed)
        if not isinstance(t, Tensor):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type " + type(t).__name__
            )
        nr = entry.output_nr
        return _connected(t, entry.edge if nr is None else (node, nr) if has_gradient(node, nr, t) else None)
    if kind is list:
        return [unpack(node, e) for e in entry]
    return entry


def _connected(t: Any, edge: Any) -> Any:
    """The tensor of an unpack hook, connected to where the packed one was."""
    if edge is None:
        return t
    fresh = Tensor._wrap(t._array())
    fn, nr = edge
    if type(fn) is AccumulateGrad:
        fresh._requires = True
        fresh._accumulator = weakref.ref(fn)
    else:
        fresh._fn, fresh._nr = fn, nr
    return fresh


def read_saved(node: Node, index: int) -> Any:
    """The value of a `_saved_*` attribute. Raises RuntimeError once it was freed."""
    return exposed(unpack(node, node.saved[index]), type(node).plan.saves[index])


def exposed(value: Any, save: Any) -> Any:
    """As PyTorch shows it: numbers given for tensors as 0-dim tensors, negative integers as unsigned 64-bit."""
    if save.kind in ("input", "output"):
        if isinstance(value, list | tuple):
            return tuple(value)
        return value if value is None or isinstance(value, Tensor) else as_tensor(value)
    if isinstance(value, list):
        value = tuple(value)
    if save.type.startswith(("int", "SymInt")):
        if isinstance(value, tuple):
            return tuple(_unsigned(v) for v in value)
        return _unsigned(value)
    return value


def _unsigned(v: Any) -> Any:
    return v + 2**64 if isinstance(v, int) and not isinstance(v, bool) and v < 0 else v
