"""Convolution and its two adjoints as one matrix product each, for any number of dimensions.

All three move between an image x (batch, channel, *space), a weight w (out channel, channel / groups, *kernel) and an
output y (batch, out channel, *window). A transposed convolution uses the same three with x and y exchanged.
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from engine.ops.windows import columns, fold, output_lengths

Ints = Sequence[int]


class Geometry(NamedTuple):
    """How windows lie on the image."""

    kernel: Ints
    stride: Ints
    padding: Ints
    dilation: Ints
    groups: int


def _matrix(x: np.ndarray, g: Geometry, count: Ints) -> np.ndarray:
    """All windows as columns: (group, channel / groups * kernel, batch * window)."""
    cols = columns(x, g.kernel, g.stride, g.padding, g.dilation, count)
    return cols.reshape(g.groups, x.shape[1] // g.groups * prod(g.kernel), x.shape[0] * prod(count))


def _by_channel(y: np.ndarray, groups: int) -> np.ndarray:
    """An output with the channels in front: (group, channel / groups, batch * window)."""
    return y.swapaxes(0, 1).reshape(groups, y.shape[1] // groups, y.size // y.shape[1] if y.shape[1] else 0)


def output(x: np.ndarray, w: np.ndarray, g: Geometry) -> np.ndarray:
    """y = x * w."""
    count = output_lengths(x.shape[2:], g.kernel, g.stride, g.padding, g.dilation)
    flat = w.reshape(g.groups, w.shape[0] // g.groups, -1) @ _matrix(x, g, count)
    return _plain_strides(flat.reshape(w.shape[0], x.shape[0], *count).swapaxes(0, 1))


def _plain_strides(a: np.ndarray) -> np.ndarray:
    """Row by row in memory, and with the strides of that: numpy leaves those of dimensions of size 1 as they came."""
    return np.ascontiguousarray(a).reshape(-1).reshape(a.shape)


def image(y: np.ndarray, w: np.ndarray, g: Geometry, lengths: Ints) -> np.ndarray:
    """The gradient with respect to x, of spatial size `lengths`, when y is the gradient of the output."""
    flat = w.reshape(g.groups, w.shape[0] // g.groups, -1).swapaxes(1, 2) @ _by_channel(y, g.groups)
    cols = flat.reshape(w.shape[1] * g.groups, *g.kernel, y.shape[0], *y.shape[2:])
    x = fold(cols, lengths, g.kernel, g.stride, g.padding, g.dilation, y.shape[2:])
    return _plain_strides(x.swapaxes(0, 1))


def kernel(y: np.ndarray, x: np.ndarray, g: Geometry) -> np.ndarray:
    """The gradient with respect to w when y is the gradient of the output."""
    flat = _by_channel(y, g.groups) @ _matrix(x, g, y.shape[2:]).swapaxes(1, 2)
    return flat.reshape(y.shape[1], x.shape[1] // g.groups, *g.kernel)
