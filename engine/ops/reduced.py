"""Reductions seen from behind: bringing a reduced gradient, or a reduced result, back to the shape it came from."""

from collections.abc import Sequence
from math import prod
from typing import Any

from engine.ops.checks import wrap_dim, wrap_dims
from engine.ops.views import EXPAND, UNSQUEEZE


def axes(dim: Sequence[int] | int | None, ndim: int) -> int | tuple[int, ...] | None:
    """The axis argument for a torch `dim`, None and an empty list meaning all. Raises IndexError, RuntimeError."""
    if dim is None:
        return None
    if isinstance(dim, int):
        dim = wrap_dim(dim, ndim)
        return dim if ndim else None
    if len(dim) == 1:
        d = wrap_dim(dim[0], ndim)
        return d if ndim else None
    if not dim:
        return None
    dims = wrap_dims(dim, ndim)
    return dims if ndim else None


def count(sizes: Sequence[int], dim: Sequence[int] | int | None) -> int:
    """How many elements each result of a reduction over `dim` is made of."""
    if isinstance(dim, int):
        return sizes[dim]
    if not dim or not sizes:
        return prod(sizes)
    return prod(sizes[d] for d in dim)


def unsqueeze_all(x: Any, dim: Sequence[int] | None, ndim: int) -> Any:
    """Put back reduced dimensions with size 1; nothing to do when all were reduced."""
    if not dim:
        return x
    if len(dim) == 1:
        return UNSQUEEZE(x, dim[0])
    for d in sorted(wrap_dim(d, ndim) for d in dim):
        x = UNSQUEEZE(x, d)
    return x


def restore(x: Any, dim: Sequence[int] | None, keepdim: bool, ndim: int) -> Any:
    """What was reduced over `dim` of an `ndim`-dimensional tensor, in a shape that broadcasts against that tensor."""
    return x if keepdim or not ndim else unsqueeze_all(x, dim, ndim)


def spread(grad: Any, sizes: Sequence[int], dim: Sequence[int] | None, keepdim: bool) -> Any:
    """The gradient of a sum: every element gets the gradient of the sum it went into."""
    return EXPAND(restore(grad, dim, keepdim, len(sizes)), sizes)
