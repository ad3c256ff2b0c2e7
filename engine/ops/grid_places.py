"""Where the places of a grid lie on an image or a volume: along each axis the pixels around them, and their weights."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.normal_kernel import fused_multiply_add
from engine.ops.resample import cubic_weights

LINEAR, NEAREST, CUBIC = 0, 1, 2
ZEROS, BORDER, REFLECTION = 0, 1, 2


class Tap(NamedTuple):
    """One pixel along one axis, for every place."""

    pixel: np.ndarray
    """Its number, within the axis."""
    inside: np.ndarray
    """Whether there is such a pixel; there is none where zeros surround the image."""


class Axis(NamedTuple):
    """The pixels around each place along one axis: one for `NEAREST`, two for `LINEAR`, four for `CUBIC`."""

    taps: list[Tap]
    part: np.ndarray
    """How far the place lies behind the last pixel that is not behind it, from 0 to 1."""
    slope: np.ndarray
    """Pixels for one unit of the grid."""


def axes(grid: np.ndarray, sizes: Sequence[int], mode: int, padding_mode: int, align_corners: bool) -> list[Axis]:
    """The axes of an image in its own order; the last axis is the first coordinate of a place."""
    last = len(sizes) - 1
    return [_axis(grid[..., last - i], n, mode, padding_mode, align_corners) for i, n in enumerate(sizes)]


def _axis(at: np.ndarray, size: int, mode: int, padding_mode: int, align_corners: bool) -> Axis:
    x, slope = _stretched(at, size, align_corners)
    if mode == CUBIC:  # the pixels that it takes are brought into the image, not the place
        first = np.floor(x)
        shifted = (first + k for k in (-1, 0, 1, 2))
        taps = [_tap(_brought_inside(p, size, padding_mode, align_corners)[0], size) for p in shifted]
        return Axis(taps, x - first, slope)
    x, change = _brought_inside(x, size, padding_mode, align_corners)
    if mode == NEAREST:
        return Axis([_tap(np.rint(x), size)], np.zeros_like(x), np.zeros_like(x))
    first = np.floor(x)
    return Axis([_tap(first, size), _tap(first + 1, size)], x - first, slope * change)


def _tap(pixel: np.ndarray, size: int) -> Tap:
    inside = (pixel >= 0) & (pixel < size)
    return Tap(np.where(inside, pixel, 0).astype(np.int64), inside)


def _stretched(at: np.ndarray, size: int, align_corners: bool) -> tuple[np.ndarray, np.ndarray]:
    """Places from -1 to 1 in pixels, and how many pixels make 1."""
    if align_corners:
        slope = (size - 1) / 2
        return (at + 1) * at.dtype.type(slope), np.full_like(at, slope)
    # Rounded as PyTorch rounds it: where x is all but whole, the last bit decides between two slopes.
    slope = size / 2
    return fused_multiply_add(at + 1, at.dtype.type(slope), at.dtype.type(-0.5)), np.full_like(at, slope)


def _brought_inside(
    x: np.ndarray, size: int, padding_mode: int, align_corners: bool
) -> tuple[np.ndarray, np.ndarray | int]:
    """The pixels whose values a border or a mirror repeats at `x`, and their derivatives with respect to `x`."""
    if padding_mode == ZEROS:
        return x, 1
    change: Any = 1
    if padding_mode == REFLECTION:
        low, span = (0.0, size - 1) if align_corners else (-0.5, size)
        if span == 0:
            return np.zeros_like(x), np.zeros_like(x)
        sign = np.where(x < low, -1, 1)
        folds, rest = np.divmod(np.abs(x - low), span)
        odd = folds % 2 == 1
        x = np.where(odd, span - rest, rest) + low
        change = sign * np.where(odd, -1, 1)
    change = np.where((x <= 0) | (x >= size - 1), 0, change)
    within = np.clip(x, 0, size - 1)
    lost = 0 if x.ndim == 3 else size - 1  # where PyTorch's kernels of planes and of volumes put nan
    return np.where(np.isnan(x), lost, within).astype(x.dtype), change.astype(x.dtype)


def weights(mode: int, part: Any) -> list[Any]:
    """What each pixel around a place counts, by how far the place lies behind the one before it."""
    if mode == NEAREST:
        return [part * 0 + 1]
    return [1 - part, part] if mode == LINEAR else cubic_weights(part, 0)


def slopes(mode: int, part: Any) -> list[Any]:
    """The derivatives of the weights with respect to `part`."""
    if mode == NEAREST:
        return [part * 0]
    return [part * 0 - 1, part * 0 + 1] if mode == LINEAR else cubic_weights(part, 1)


def curvatures(part: Any) -> list[Any]:
    """The second derivatives of the weights of `CUBIC`; the other weights have none."""
    return cubic_weights(part, 2)
