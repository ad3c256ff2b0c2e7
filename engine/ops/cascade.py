"""Sums of small arrays in the order in which PyTorch adds, so that the last digit of `x.sum().item()` agrees.

PyTorch adds the lanes of vector registers side by side, four registers in turn, sixteen rounds at a time; see its
SumKernel.cpp. Larger arrays are left to numpy.
"""

from typing import Any

import numpy as np

from engine.ops.reducers import add_up
from engine.ops.rounded import READABLE

_LANES = {"f": 8, "d": 4}  # elements of a 32-byte register
_TURNS = 4
_ROUNDS = 16
_FEW = 64  # elements up to which sums over one dimension of several are worth it


def _in_rounds(x: np.ndarray) -> Any:
    """Sum over the first axis one after the other, starting afresh every sixteen elements."""
    n = len(x)
    if n < _ROUNDS:
        return add_up(x, 0)
    whole = n // _ROUNDS * _ROUNDS
    parts = x[:whole].reshape(n // _ROUNDS, _ROUNDS, *x.shape[1:])
    done = add_up(add_up(parts, 1), 0)
    return add_up(x[whole:], 0) + done


def _in_turns(x: np.ndarray) -> Any:
    """Sum over the first axis in four sums that take turns."""
    n = len(x)
    if n < _TURNS:
        return add_up(x, 0)
    whole = n // _TURNS * _TURNS
    sums = _in_rounds(x[:whole].reshape(n // _TURNS, _TURNS, *x.shape[1:]))
    for i in range(whole, n):
        sums[0] += x[i]
    return add_up(sums, 0) if sums.ndim > 1 else _one_by_one(sums)


def _one_by_one(x: np.ndarray) -> Any:
    """Sum of a few elements from the first to the last."""
    first, *others = x
    for v in others:
        first = first + v
    return first


def _flat(x: np.ndarray, lanes: int) -> Any:
    """The sum of a contiguous vector."""
    n = x.size
    if n < lanes:
        return _in_turns(x)
    whole = n // lanes * lanes
    partial = _in_turns(x[:whole].reshape(-1, lanes))
    return _one_by_one(np.concatenate((x[whole:], partial))) if whole < n else _one_by_one(partial)


def _rows(x: np.ndarray, lanes: int) -> np.ndarray:
    """Sums over the last axis of a contiguous matrix."""
    n = x.shape[1]
    if n < lanes:
        return _in_turns(x.T)
    whole = n // lanes * lanes
    partial = _in_turns(x[:, :whole].reshape(len(x), n // lanes, lanes).transpose(1, 0, 2))
    parts = np.empty((n - whole + lanes, len(x)), x.dtype)  # row by row, or numpy would add in pairs
    parts[: n - whole] = x[:, whole:].T
    parts[n - whole :] = partial.T
    return add_up(parts, 0)


def _columns(x: np.ndarray, lanes: int) -> np.ndarray:
    """Sums over the first axis of a contiguous matrix."""
    m = x.shape[1]
    step = _TURNS * (lanes if m >= lanes else 1)
    side_by_side = m // step * step
    out = np.empty(m, x.dtype)
    if side_by_side:
        out[:side_by_side] = _in_rounds(x[:, :side_by_side])
    if side_by_side < m:
        out[side_by_side:] = _in_turns(x[:, side_by_side:])
    return out


def cascade_sum(x: Any, axis: Any, keepdim: bool) -> Any:
    """The sum over numpy's axis; None when PyTorch's order is not known or the array is large."""
    size, ndim = x.size, x.ndim
    if size <= 3 or size > (READABLE if axis is None or ndim == 1 else _FEW):
        return None
    lanes = _LANES.get(x.dtype.char)
    if lanes is None or not x.flags.c_contiguous:
        return None
    shape = x.shape
    if axis is None or ndim == 1:
        total = _flat(x.reshape(-1), lanes)
        return total.reshape((1,) * ndim) if keepdim else total
    if type(axis) is not int:
        return None
    if shape[axis] == x.size:
        return np.full([1] * (ndim if keepdim else ndim - 1), _flat(x.reshape(-1), lanes))
    if axis == ndim - 1:
        total = _rows(x.reshape(-1, shape[-1]), lanes)
    elif axis == 0:
        total = _columns(x.reshape(shape[0], -1), lanes)
    else:
        return None
    rest = shape[:axis] + ((1,) if keepdim else ()) + shape[axis + 1 :]
    return total.reshape(rest)


def register_sum(x: np.ndarray) -> np.ndarray:
    """Sums over the last axis in one register of eight lanes, which are halved at the end, as PyTorch's softmax adds.

    `x` is contiguous, in single precision; the axis stays with size 1.
    """
    n = x.shape[-1]
    lanes = _LANES["f"]
    whole = n // lanes * lanes
    held = add_up(x[..., :whole].reshape(*x.shape[:-1], n // lanes, lanes), -2)
    if whole < n:
        held[..., : n - whole] += x[..., whole:]
    while held.shape[-1] > 1:
        half = held.shape[-1] // 2
        held = held[..., :half] + held[..., half:]
    return held
