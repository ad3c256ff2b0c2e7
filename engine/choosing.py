"""Choosing between two arrays element by element, without a branch for each element.

numpy's `where` takes a branch at every element; where the choice follows no pattern, as after a ReLU, the processor
guesses half of them wrong, and a large array takes some seven times as long as it takes to read it. Masks of bits have
no branches. They pay from some thousands of elements on.
"""

from typing import Any

import numpy as np

_MANY = 8192
_MANY_TO_FILL = 32768
# The integers that hold the bits of a number, by its size in bytes.
_BITS = {2: np.dtype(np.int16), 4: np.dtype(np.int32), 8: np.dtype(np.int64)}


def _in_bits(condition: Any, *arrays: Any) -> Any:
    """The integers to choose in; None where numpy's `where` is as quick or the arrays do not lie alike."""
    first = arrays[0]
    if first.size < _MANY or condition.dtype.kind != "b":
        return None
    shape = condition.shape
    for a in arrays:
        if a.shape != shape or a.dtype != first.dtype or not a.flags.c_contiguous:
            return None
    return _BITS.get(first.itemsize) if condition.flags.c_contiguous else None


def zero_where(condition: Any, a: Any) -> Any:
    """`a` with +0 where the condition holds. Shapes as they broadcast; the dtype is that of `a`."""
    bits = _in_bits(condition, a)
    if bits is None:
        return np.where(condition, 0, a)
    out = np.empty(a.shape, a.dtype)
    kept = out.view(bits)
    kept[...] = np.subtract(condition.view(np.int8), 1)  # 0 where it holds, all ones elsewhere
    kept &= a.view(bits)
    return out


def where(condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition holds, else `b`. Shapes as they broadcast; two arrays have one dtype."""
    bits = _in_bits(condition, a, b)
    if bits is None:
        return np.where(condition, a, b)
    taken = np.negative(condition.view(np.int8)).astype(bits)  # all ones where it holds, 0 elsewhere
    out = np.empty(a.shape, a.dtype)
    chosen = np.bitwise_xor(a.view(bits), b.view(bits), out=out.view(bits))
    chosen &= taken
    chosen ^= b.view(bits)
    return out


def fill_where(condition: Any, value: Any, a: Any) -> Any:
    """`a` with a number of its dtype where the condition holds. Raises ValueError for shapes that do not broadcast."""
    bits = _BITS.get(a.itemsize)
    if a.size < _MANY_TO_FILL or bits is None or not a.flags.c_contiguous or np.ndim(value):
        return np.where(condition, value, a)
    kept = np.subtract(condition.view(np.int8), 1).astype(bits)
    filled = np.bitwise_and(np.asarray(value, a.dtype).view(bits), ~kept)
    out = np.empty(np.broadcast_shapes(condition.shape, a.shape), a.dtype)
    chosen = np.bitwise_and(a.view(bits), kept, out=out.view(bits))
    chosen |= filled
    return out
