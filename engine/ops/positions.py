"""Index arithmetic that the indexing kernels share: fast sums into rows, open meshes, checks of ranges."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.checks import wrap_dim


def add_rows(out: np.ndarray, rows: np.ndarray, values: np.ndarray) -> None:
    """`out[rows[i]] += values[i]` for every i, also when rows repeat. `out` is contiguous, `rows` one-dimensional.

    numpy's `add.at` is fast on one dimension only, so the rows are spelled out element by element.
    """
    width = out.size // out.shape[0] if out.shape[0] else 0
    if not width or not rows.size:
        return
    at = rows if width == 1 else (rows[:, None] * width + np.arange(width)).reshape(-1)
    np.add.at(out.reshape(-1), at, values.reshape(-1))


def add_at(out: np.ndarray, where: Any, values: np.ndarray) -> None:
    """`out[where] += values`, counting repeated places; `out` is contiguous, `values` broadcast to `out[where]`."""
    at = np.arange(out.size).reshape(out.shape)[where]
    np.add.at(out.reshape(-1), at.reshape(-1), np.broadcast_to(values, at.shape).reshape(-1))


def mesh(index: np.ndarray, dim: int) -> tuple[np.ndarray, ...]:
    """What to index with so that element (i, j, …) of the result is taken at `index[i, j, …]` along `dim`."""
    ndim = index.ndim
    where: list[np.ndarray] = []
    for d, n in enumerate(index.shape):
        if d == dim:
            where.append(index)
        else:
            where.append(np.arange(n).reshape((n,) + (1,) * (ndim - d - 1)))
    return tuple(where)


OUTSIDE = "index out of range in self"


def outside(index: np.ndarray, size: int) -> int | None:
    """The first index that does not lie in [0, size), if there is one."""
    if index.size and (index.min() < 0 or index.max() >= size):
        flat = index.reshape(-1)
        return int(flat[(flat < 0) | (flat >= size)][0])
    return None


def check_any_rows(index: np.ndarray, size: int) -> None:
    """Raise RuntimeError for indices into a dimension without elements, in the words of index_select."""
    if index.size and not size:
        raise RuntimeError("index_select(): self indexing axis dim should be positive")


def check_range(index: np.ndarray, size: int, dim: int, error: type[Exception] = RuntimeError, who: str = "") -> None:
    """Raise unless every index lies in [0, size)."""
    bad = outside(index, size)
    if bad is not None:
        raise error(f"{who}index {bad} is out of bounds for dimension {dim} with size {size}")


def check_rows(index: np.ndarray, size: int) -> None:
    """Raise IndexError, in the words of index_select and its kin, unless every index lies in [0, size)."""
    check_any_rows(index, size)
    if outside(index, size) is not None:
        raise IndexError(OUTSIDE)


def check_elements(index: np.ndarray, numel: int, of_none: str) -> None:
    """Raise IndexError unless every index counts an element of a flattened tensor, from either end.

    `of_none` is the message where there are indices and the tensor has no elements.
    """
    if index.size and not numel:
        raise IndexError(of_none)
    if index.size and (index.min() < -numel or index.max() >= numel):
        flat = index.reshape(-1)
        bad = flat[(flat < -numel) | (flat >= numel)][0]
        raise IndexError(f"out of range: tried to access index {bad} on a tensor of {numel} elements.")


def vector_index(index: np.ndarray, who: str, error: type[Exception] = IndexError) -> np.ndarray:
    """An index along one dimension as a vector; a single number counts as one of length 1."""
    if index.ndim > 1:
        raise error(f"{who}: Index is supposed to be a vector")
    return index.reshape(-1)


def at_dim(index: Any, dim: int, ndim: int) -> tuple[Any, ...]:
    """`index` at dimension `dim`, everything elsewhere."""
    return (*(slice(None),) * wrap_dim(dim, ndim), index)


def listed(shape: Sequence[int]) -> str:
    """A shape as ATen's messages write it."""
    return str(list(shape))
