"""One operator about to run on a batch: its arguments below the level, and where the samples lie in each."""

from typing import Any

import numpy as np

from engine.batching.tensor import part
from engine.dispatch import run, run_inplace
from engine.op import Op
from engine.ops.views import EXPAND, PERMUTE, VIEW
from engine.tensor import Tensor

Result = tuple[Any, int | None]  # a tensor below the level, and where the samples lie in it


class Call:
    """`values` and `dims` are by the signature's parameters; a list of tensors has a list of dims."""

    __slots__ = ("op", "values", "dims", "size", "level", "inplace", "names")

    def __init__(self, op: Op, values: list[Any], level: int, size: int, inplace: bool = False):
        self.op, self.level, self.size, self.inplace = op, level, size, inplace
        self.names = [p.name for p in op.signature.params]
        self.values = list(values)
        self.dims: list[Any] = [None] * len(values)  # a place, None, or for a list of tensors a list of those
        for i in op.tensors:
            v = values[i]
            if isinstance(v, list | tuple):
                pairs = [part(x, level) for x in v]
                self.values[i], self.dims[i] = [x for x, _ in pairs], [d for _, d in pairs]
            else:
                self.values[i], self.dims[i] = part(Tensor._wrap(v) if isinstance(v, np.ndarray) else v, level)

    @property
    def batched(self) -> bool:
        """Whether any argument differs between samples."""
        return any(d is not None and (not isinstance(d, list) or any(e is not None for e in d)) for d in self.dims)

    def __getitem__(self, name: str) -> Any:
        """An argument by name; None for one the operator does not have."""
        return self.values[self.names.index(name)] if name in self.names else None

    def __setitem__(self, name: str, value: Any) -> None:
        self.values[self.names.index(name)] = value

    def dim(self, name: str) -> Any:
        """Where the samples lie in an argument."""
        return self.dims[self.names.index(name)]

    def rank(self, i: int) -> int:
        """Dimensions of one sample of an argument."""
        t = self.values[i]
        return t.ndim - (self.dims[i] is not None)

    def run(self, values: list[Any] | None = None) -> Any:
        """Run the operator below the level, in place if it was called so."""
        given = self.values if values is None else values
        return run_inplace(self.op, given) if self.inplace else run(self.op, given)

    def to_front(self, i: int, *, always: bool = False) -> Any:
        """An argument with its samples along the first dimension; one that has none as it is, unless `always`."""
        t, d = self.values[i], self.dims[i]
        if d is None:
            return with_samples(t, self.size) if always else t
        return front(t, d)


def front(t: Any, dim: int | None) -> Any:
    """The tensor with `dim` moved to the front."""
    return t if not dim else moved(t, dim, 0)


def moved(t: Any, source: int, destination: int) -> Any:
    """The tensor with one dimension moved."""
    order = [d for d in range(t.ndim) if d != source]
    order.insert(destination, source)
    return run(PERMUTE, [t, tuple(order)])


def with_samples(t: Any, size: int) -> Any:
    """A tensor that is the same for all samples, once for each, along a new first dimension, or the first of size 1."""
    shape = tuple(t.shape)
    return run(EXPAND, [t, (size, *shape), False])


def flattened(t: Any) -> Any:
    """A batch with each sample in one dimension: a view where the strides allow one."""
    shape = (t.shape[0], t.numel() // max(t.shape[0], 1))
    try:
        return run(VIEW, [t, shape])
    except RuntimeError:
        return t.reshape(shape)


def padded(t: Any, rank: int) -> Any:
    """A batch of samples of at least `rank` dimensions: those missing have size 1 and come after the batch."""
    missing = rank - (t.ndim - 1)
    if missing <= 0:
        return t
    shape = tuple(t.shape)
    return run(VIEW, [t, (shape[0], *(1,) * missing, *shape[1:])])


def in_front(results: Any) -> Any:
    """Results of an operator, each with its samples along the first dimension."""
    return [(t, 0) for t in results] if isinstance(results, tuple) else (results, 0)
