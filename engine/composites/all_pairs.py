"""Distances of all pairs of rows."""

from math import prod
from typing import Any

from engine.composite import composite, python_function
from engine.composites.parsed import checked
from engine.ops.batched import batch_shape
from engine.ops.cdist import CDIST_FORWARD
from engine.ops.copy import contiguous
from engine.ops.euclidean import EUCLIDEAN_DIST
from engine.ops.views import EXPAND, VIEW

_CDIST_MODES = ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist")
_BY_PRODUCT = 1
_FEW_ROWS = 25


@composite("cdist(Tensor x1, Tensor x2, float p=2.0, int? compute_mode=None) -> Tensor", where=())
def CDIST(x1: Any, x2: Any, p: float, compute_mode: int | None) -> Any:
    """ATen's distances of all pairs of rows."""
    for name, x in (("X1", x1), ("X2", x2)):
        if x.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {x.ndim}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}")
    for name, x in (("X1", x1), ("X2", x2)):
        if not x.dtype.is_floating_point:
            raise RuntimeError(f"cdist only supports floating-point dtypes, {name} got: {x.dtype.torch_name}")
    if x1.dtype is not x2.dtype:
        raise RuntimeError(f"expected scalar type {x1.dtype.torch_name} but found {x2.dtype.torch_name}")
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    rows = max(x1.shape[-2], x2.shape[-2])
    by_product = compute_mode == _BY_PRODUCT or (not compute_mode and rows > _FEW_ROWS)
    if p != 2 or not by_product or 0 in (*x1.shape, *x2.shape):
        return CDIST_FORWARD(x1, x2, float(p), None)
    batch = batch_shape(tuple(x1.shape[:-2]), tuple(x2.shape[:-2]))
    count = prod(batch)
    dist = EUCLIDEAN_DIST(x1, x2) if count == 1 else EUCLIDEAN_DIST(*[_flat(x, batch, count) for x in (x1, x2)])
    return VIEW(dist, (*batch, x1.shape[-2], x2.shape[-2]))


def _flat(x: Any, batch: tuple[int, ...], count: int) -> Any:
    """The matrices of a batch one after another, in memory of their own where they were repeated."""
    sizes = tuple(x.shape[-2:])
    return VIEW(contiguous(EXPAND(x, (*batch, *sizes))), (count, *sizes))


@python_function("function")
def cdist(x1: Any, x2: Any, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Any:
    """Distances of all pairs of rows."""
    if compute_mode not in _CDIST_MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    return checked(CDIST)(x1, x2, p, _CDIST_MODES.index(compute_mode))
