"""Sliding windows over the last dimensions: what convolutions, pooling and F.unfold have in common."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from engine.ops.strided import strided_view

Ints = Sequence[int]


def output_lengths(lengths: Ints, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints) -> tuple[int, ...]:
    """How many windows fit along each dimension."""
    return tuple(
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, s, p, d in zip(lengths, kernel, stride, padding, dilation, strict=True)
    )


def padded(x: np.ndarray, before: Ints, after: Ints, value: float = 0) -> np.ndarray:
    """`x` with a border around its last dimensions; `x` itself when there is none."""
    if not any(before) and not any(after):
        return x
    lead = x.ndim - len(before)
    inner = x.shape[lead:]
    shape = (*x.shape[:lead], *(b + n + a for b, n, a in zip(before, inner, after, strict=True)))
    out = np.full(shape, value, x.dtype) if value else np.zeros(shape, x.dtype)
    out[(..., *(slice(b, b + n) for b, n in zip(before, inner, strict=True)))] = x
    return out


def positions(kernel: Ints, stride: Ints, dilation: Ints, count: Ints) -> Iterator[tuple[Ints, tuple[Any, ...]]]:
    """For every place in the kernel, the slice of the input that meets it, window by window."""
    for place in product(*(range(k) for k in kernel)):
        yield (
            place,
            (
                ...,
                *(
                    slice(i * d, i * d + (n - 1) * s + 1, s)
                    for i, s, d, n in zip(place, stride, dilation, count, strict=True)
                ),
            ),
        )


def columns(x: np.ndarray, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, count: Ints) -> np.ndarray:
    """Windows of x (batch, channel, *space) as a view (channel, *kernel, batch, *window)."""
    x = padded(x, padding, padding)
    batch, channel, *space = x.strides
    shape = (x.shape[1], *kernel, x.shape[0], *count)
    steps = (
        channel,
        *(s * d for s, d in zip(space, dilation, strict=True)),
        batch,
        *(s * t for s, t in zip(space, stride, strict=True)),
    )
    return strided_view(x, shape, steps)


def fold(
    cols: np.ndarray, lengths: Ints, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, count: Ints
) -> np.ndarray:
    """The adjoint of `columns`: (channel, *kernel, batch, *window) summed into (channel, batch, *space)."""
    channel, batch = cols.shape[0], cols.shape[1 + len(kernel)]
    total = tuple(n + 2 * p for n, p in zip(lengths, padding, strict=True))
    out = np.zeros((channel, batch, *total), cols.dtype)
    for place, where in positions(kernel, stride, dilation, count):
        out[where] += cols[(slice(None), *place)]
    return out[(..., *(slice(p, p + n) for p, n in zip(padding, lengths, strict=True)))]
