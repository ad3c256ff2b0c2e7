"""LU factors and triangular systems: the kernels that solve linear equations, for batches of matrices."""

from math import prod
from typing import Any

import numpy as np

from engine.ops.kinds import check_kind


def swapped(x: Any) -> Any:
    """Every matrix of a batch transposed, on arrays."""
    return np.swapaxes(x, -1, -2)


def identity(n: int, m: int, like: Any) -> Any:
    """An identity matrix in the dtype of `like`."""
    return np.eye(n, m, dtype=like.dtype)


def lu_factor(a: np.ndarray, pivot: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Both factors in one array, row exchanges (counted from 1), and the first zero on the diagonal (0: none)."""
    check_kind("lu_cpu", a, "fc")
    lead = a.shape[:-2]
    batch, (rows, columns) = prod(lead), a.shape[-2:]
    lu = np.array(a).reshape(batch, rows, columns)
    k = min(rows, columns)
    each = np.arange(batch)
    pivots = np.empty((batch, k), np.int32)
    info = np.zeros(batch, np.int32)
    for j in range(k):
        top = j + np.argmax(np.abs(lu[:, j:, j]), 1) if pivot else np.full(batch, j)
        pivots[:, j] = top + 1
        held = lu[each, top].copy()
        lu[each, top] = lu[:, j]
        lu[:, j] = held
        head = lu[:, j, j]
        info = np.where((head == 0) & (info == 0), j + 1, info)
        lu[:, j + 1 :, j] /= np.where(head == 0, 1, head).astype(lu.dtype)[:, None]
        lu[:, j + 1 :, j + 1 :] -= lu[:, j + 1 :, j, None] * lu[:, None, j, j + 1 :]
    return lu.reshape(a.shape), pivots.reshape(*lead, k), info.astype(np.int32).reshape(lead)[()]


def row_order(pivots: np.ndarray, rows: int) -> np.ndarray:
    """The order of the rows that a sequence of exchanges amounts to."""
    flat = pivots.reshape(prod(pivots.shape[:-1]), pivots.shape[-1])
    order = np.tile(np.arange(rows), (len(flat), 1))
    for i, exchanges in enumerate(flat):
        for j, p in enumerate(exchanges):
            order[i, [j, p - 1]] = order[i, [p - 1, j]]
    return order.reshape(*pivots.shape[:-1], rows)


def solve_triangular(a: np.ndarray, b: np.ndarray, upper: bool, unit: bool = False) -> np.ndarray:
    """X with a X = b, looking at one triangle of `a` only. Batches broadcast."""
    n = a.shape[-1]
    lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    x = np.array(np.broadcast_to(b, lead + b.shape[-2:]))
    for i in range(n - 1, -1, -1) if upper else range(n):
        if not unit:
            x[..., i, :] /= a[..., i, i, None]
        rest = slice(0, i) if upper else slice(i + 1, n)
        x[..., rest, :] -= a[..., rest, i, None] * x[..., i, None, :]
    return x


def lu_solve(lu: np.ndarray, pivots: np.ndarray, b: np.ndarray) -> np.ndarray:
    """X with A X = b, given the factors of A."""
    order = row_order(pivots, lu.shape[-1])
    lead = np.broadcast_shapes(order.shape[:-1], b.shape[:-2])
    b = np.broadcast_to(b, lead + b.shape[-2:])
    order = np.broadcast_to(order, lead + order.shape[-1:])
    return solve_triangular(lu, solve_triangular(lu, np.take_along_axis(b, order[..., None], -2), False, True), True)
