"""What happens to a gradient between nodes: reduced to the shape it belongs to, and laid out as its leaf."""

import sys
from typing import Any

import numpy as np

from engine.dispatch import run
from engine.ops.reduction import SUM_DIM
from engine.ops.views import VIEW
from engine.tensor import TensorBase

_ONLY_ITS_VIEW = 2  # the attribute just read, and the call's own


def expandable(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    """Whether a shape broadcasts to another."""
    if len(shape) > len(to):
        return False
    return all(a in (1, b) for a, b in zip(shape[::-1], to[::-1], strict=False))


def sum_to(g: Any, now: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """Sum over the dimensions that broadcasting added or stretched; works on arrays and on Tensors."""
    lead = len(now) - len(shape)
    dims = tuple(range(lead)) + tuple(i for i in range(lead, len(now)) if shape[i - lead] == 1 and now[i] != 1)
    if isinstance(g, TensorBase):
        if dims:
            g = run(SUM_DIM, [g, dims, True, None])
        return run(VIEW, [g, shape]) if lead else g
    if dims:
        g = g.sum(dims, keepdims=True, dtype=g.dtype)
    return g.reshape(shape) if lead else g


def cast(g: Any, dt: np.dtype) -> Any:
    """An array in another dtype; of a complex one for a real input, the real part counts."""
    return (g.real if g.dtype.kind == "c" and dt.kind != "c" else g).astype(dt)


def owned(g: Any, variable: Any, unshared: bool = False) -> Any:
    """The array a leaf's `.grad` keeps: the gradient itself when nothing else refers to it, else a copy."""
    if type(g) is not np.ndarray:
        return np.array(g)
    like = variable._a
    if g.strides != like.strides and g.ndim > 1:
        fresh = np.empty_like(like, dtype=g.dtype)
        fresh[...] = g
        return fresh
    return g if unshared and writable(g) else g.copy()


def writable(a: Any) -> bool:
    """Whether a gradient could be added to where it lies: dense memory that no other array looks at; numbers could."""
    if type(a) is not np.ndarray:
        return True
    return a.flags.forc and a.flags.writeable and (a.base is None or sys.getrefcount(a.base) <= _ONLY_ITS_VIEW)
