"""Shapes changed in place, summed down to, and cut for changes in place."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.composite import composite, python_function
from engine.dispatch import run_inplace
from engine.modes import STATE
from engine.ops.checks import wrap_dim
from engine.ops.pieces import SPLIT_WITH_SIZES, UNSAFE_SPLIT
from engine.ops.reduction import SUM_DIM
from engine.ops.strided import memory_of
from engine.ops.views import VIEW
from engine.ops.views_inplace import TRANSPOSE_
from engine.size import Size

Ints = Sequence[int]


@composite("sum_to_size(Tensor self, SymInt[] size) -> Tensor", where=("method",))
def sum_to_size(self: Any, size: Ints) -> Any:
    """Summed over the dimensions that a broadcast from this size would add. Raises RuntimeError if none would do."""
    shape = tuple(self.shape)
    lead = len(shape) - len(size)
    if lead < 0 or any(n not in (1, m) for n, m in zip(size, shape[lead:], strict=False)):
        raise RuntimeError(f"size {{{list(size)}}} is not expandable to size {{{list(shape)}}}.")
    dims = [*range(lead), *(i + lead for i, n in enumerate(size) if n == 1 and shape[i + lead] != 1)]
    if not dims:
        return self
    out = SUM_DIM(self, tuple(dims), True)
    return VIEW(out, tuple(size)) if lead else out


@composite("swapaxes_(Tensor self, int axis0, int axis1) -> Tensor", where=("method",))
def swapaxes_inplace(self: Any, axis0: int, axis1: int) -> Any:
    """transpose_, by numpy's name."""
    return run_inplace(TRANSPOSE_, [self, axis0, axis1])


@composite("swapdims_(Tensor self, int dim0, int dim1) -> Tensor", where=("method",))
def swapdims_inplace(self: Any, dim0: int, dim1: int) -> Any:
    """transpose_, by another name."""
    return run_inplace(TRANSPOSE_, [self, dim0, dim1])


@composite("unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]")
def unsafe_chunk(self: Any, chunks: int, dim: int = 0) -> Any:
    """chunk whose pieces may be changed in place."""
    if self.ndim == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    each = -(-self.shape[wrap_dim(dim, self.ndim)] // chunks)
    return UNSAFE_SPLIT(self, each, dim) if each else SPLIT_WITH_SIZES(self, (0,) * chunks, dim)


@composite("resize_(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor", where=("method",))
def resize(self: Any, size: Ints, memory_format: Any = None) -> Any:
    """Another size over the same memory, with more memory where that is needed; what it adds is not defined."""
    if self._needs_grad and not STATE.inference:
        raise RuntimeError("cannot resize variables that require grad")
    array = self._array()
    flat, offset = memory_of(array)
    numel = prod(size)
    self._version_counter().n += not self._inference
    if offset + numel <= flat.size:
        self._a = flat[offset : offset + numel].reshape(tuple(size))
        return self
    if not self._memory().resizable:
        raise RuntimeError("Trying to resize storage that is not resizable")
    larger = np.zeros(numel, flat.dtype)
    kept = min(numel, flat.size - offset)
    larger[:kept] = flat[offset : offset + kept]
    self._a, self._storage = larger.reshape(tuple(size)), None
    return self


@composite("resize_as_(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor")
def resize_as(self: Any, the_template: Any, memory_format: Any = None) -> Any:
    """The size of another tensor."""
    return resize(self, tuple(the_template.shape))


@composite("is_same_size(Tensor self, Tensor other) -> bool")
def is_same_size(self: Any, other: Any) -> bool:
    """Whether the shapes are equal."""
    return tuple(self.shape) == tuple(other.shape)


@composite("type_as(Tensor self, Tensor other) -> Tensor", where=("method",))
def type_as(self: Any, other: Any) -> Any:
    """The tensor in the dtype of another."""
    return self.to(other.dtype)


@composite("fill_diagonal_(Tensor self, Scalar fill_value, bool wrap=False) -> Tensor", where=("method",))
def fill_diagonal(self: Any, fill_value: float, wrap: bool = False) -> Any:
    """The main diagonal set to a value."""
    if self.ndim < 2:
        raise RuntimeError("dimensions must larger than 1")
    if self.ndim > 2 and len(set(self.shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    step, length = sum(self.stride()), min(self.shape)
    if wrap and self.ndim == 2 and self.shape[0] > self.shape[1] + 1:
        length = -(-self.numel() // step)
    self.as_strided((length,), (step,)).fill_(fill_value)
    return self


@python_function("function")
def broadcast_shapes(*shapes: Any) -> Size:
    """The shape that tensors of these shapes broadcast to. Raises RuntimeError when there is none."""
    common: list[int] = []
    for i, given in enumerate(shapes):
        if not isinstance(given, int | list | tuple):
            raise RuntimeError(f"Input shapes should be of type ints, a tuple of ints, or a list of ints, got {given}")
        shape = (given,) if isinstance(given, int) else tuple(given)
        common = [1] * (len(shape) - len(common)) + common
        for d in range(-1, -len(shape) - 1, -1):
            n = shape[d]
            if n < 0:
                raise RuntimeError(f"Trying to create tensor with negative dimension ({n}): ({n})")
            if n != 1 and common[d] not in (1, n):
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {n} at {d}! Mismatching argument at index {i} had "
                    f"{shape}; but expected shape should be broadcastable to {common}"
                )
            common[d] = n if n != 1 else common[d]
    return Size(common)
