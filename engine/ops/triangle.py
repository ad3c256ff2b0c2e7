"""Triangles of matrices, as masks that are made once."""

from functools import lru_cache

import numpy as np

_KEPT = 1 << 20


@lru_cache(maxsize=32)
def _kept_triangle(rows: int, columns: int, diagonal: int) -> np.ndarray:
    mask = np.tri(rows, columns, diagonal, dtype=bool)
    mask.flags.writeable = False
    return mask


def triangle(rows: int, columns: int, diagonal: int) -> np.ndarray:
    """True on and below a diagonal; not to be written into."""
    if rows * columns <= _KEPT:
        return _kept_triangle(rows, columns, diagonal)
    return np.tri(rows, columns, diagonal, dtype=bool)


def lower(x: np.ndarray, diagonal: int) -> np.ndarray:
    """x with zeros above a diagonal."""
    return np.where(triangle(x.shape[-2], x.shape[-1], diagonal), x, x.dtype.type(0))


def upper(x: np.ndarray, diagonal: int) -> np.ndarray:
    """x with zeros below a diagonal."""
    return np.where(triangle(x.shape[-2], x.shape[-1], diagonal - 1), x.dtype.type(0), x)
