"""Images of another size: each dimension is resampled by a small matrix, so the adjoint is the transposed matrix."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def along_each(x: np.ndarray, matrices: Sequence[np.ndarray]) -> np.ndarray:
    """Apply one matrix (new length, old length) to each of the last dimensions of x."""
    n = len(matrices)
    for i, m in enumerate(matrices):
        axis = x.ndim - n + i
        if axis == x.ndim - 1:
            x = x @ m.T
        elif axis == x.ndim - 2:
            x = m @ x
        else:
            x = np.moveaxis(np.tensordot(m, x, (1, axis)), 0, axis)
    return np.ascontiguousarray(x)


def along_each_of_bytes(x: np.ndarray, matrices: Sequence[np.ndarray]) -> np.ndarray:
    """The same for bytes: the last dimension first, in whole numbers of 16 bits, with a byte in between.

    Reference: ATen/native/cpu/UpSampleKernelAVXAntialias.h.
    """
    for axis, m in ((x.ndim - 1, matrices[1]), (x.ndim - 2, matrices[0])):
        if m.shape[0] == m.shape[1]:  # a length that stays is left alone
            continue
        digits = 0
        while digits < 22 and int(0.5 + m.max() * (1 << (digits + 1))) < 1 << 15:
            digits += 1
        scaled = m * (1 << digits)
        weights = np.trunc(scaled + np.copysign(0.5, scaled)).astype(np.int32)
        terms = np.moveaxis(np.tensordot(weights, x.astype(np.int32), (1, axis)), 0, axis)
        x = np.clip((terms + (1 << (digits - 1))) >> digits, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(x)


def scale_of(old: int, new: int, align_corners: bool, scale: float | None) -> float:
    """Distance between samples, in pixels of the old image."""
    if align_corners:
        return (old - 1) / (new - 1) if new > 1 else 0.0
    return 1 / scale if scale is not None and scale > 0 else old / new


def _centres(old: int, new: int, align_corners: bool, scale: float | None) -> np.ndarray:
    step = scale_of(old, new, align_corners, scale)
    at = np.arange(new)
    return at * step if align_corners else (at + 0.5) * step - 0.5


def linear_matrix(old: int, new: int, align_corners: bool, scale: float | None, dtype: np.dtype) -> np.ndarray:
    """Linear interpolation; what lies outside takes the border's value."""
    at = np.maximum(_centres(old, new, align_corners, scale), 0)
    low = np.minimum(at.astype(int), old - 1)
    high = np.minimum(low + 1, old - 1)
    part = np.clip(at - low, 0, 1)
    m = np.zeros((new, old), dtype)
    rows = np.arange(new)
    np.add.at(m, (rows, low), (1 - part).astype(dtype))
    np.add.at(m, (rows, high), part.astype(dtype))
    return m


_A = -0.75
_NEAR = (
    lambda t: ((_A + 2) * t - (_A + 3)) * t * t + 1,
    lambda t: (3 * (_A + 2) * t - 2 * (_A + 3)) * t,
    lambda t: 6 * (_A + 2) * t - 2 * (_A + 3),
)
_FAR = (
    lambda t: ((_A * t - 5 * _A) * t + 8 * _A) * t - 4 * _A,
    lambda t: (3 * _A * t - 10 * _A) * t + 8 * _A,
    lambda t: 6 * _A * t - 10 * _A,
)


def cubic_weights(part: Any, order: int) -> list[Any]:
    """Weights of the four pixels around a place `part` behind the second of them, or derivatives of that `order`."""
    near, far = _NEAR[order], _FAR[order]
    before, after = [far(part + 1), near(part)], [near(1 - part), far(2 - part)]
    return before + [-w for w in after] if order == 1 else before + after


def cubic_matrix(old: int, new: int, align_corners: bool, scale: float | None, dtype: np.dtype) -> np.ndarray:
    """Cubic convolution with a = -0.75; what lies outside takes the border's value."""
    at = _centres(old, new, align_corners, scale)
    low = np.floor(at).astype(int)
    m = np.zeros((new, old))
    rows = np.arange(new)
    for shift, weight in zip((-1, 0, 1, 2), cubic_weights(at - low, 0), strict=True):
        np.add.at(m, (rows, np.clip(low + shift, 0, old - 1)), weight)
    return m.astype(dtype)


def nearest_places(old: int, new: int, scale: float | None, exact: bool) -> np.ndarray:
    """Which old pixel each new one copies. ATen computes it in single precision."""
    step = np.float32(scale_of(old, new, False, scale))
    at = (np.arange(new, dtype=np.float32) + np.float32(0.5 if exact else 0)) * step
    return np.minimum(np.floor(at).astype(int), old - 1)


def nearest_matrix(old: int, new: int, scale: float | None, exact: bool, dtype: np.dtype) -> np.ndarray:
    """The same choice as a matrix, for the adjoint."""
    m = np.zeros((new, old), dtype)
    m[np.arange(new), nearest_places(old, new, scale, exact)] = 1
    return m
