"""Shapes changed in place, summed down to, and cut for changes in place."""

from collections.abc import Sequence
from typing import Any

from engine.composite import composite
from engine.dispatch import run_inplace
from engine.ops.checks import wrap_dim
from engine.ops.pieces import SPLIT_WITH_SIZES, UNSAFE_SPLIT
from engine.ops.reduction import SUM_DIM
from engine.ops.views import VIEW
from engine.ops.views_inplace import TRANSPOSE_

Ints = Sequence[int]


@composite("sum_to_size(Tensor self, int[] size) -> Tensor", where=("method",))
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
