"""How pooling windows lie on an image, and the sums and maxima over them, for any number of dimensions."""

from collections.abc import Sequence
from itertools import product
from math import ceil, prod

import numpy as np

from engine.ops.windows import padded, positions

Ints = Sequence[int]


def check_not_empty(who: str, x: np.ndarray, first: int = 1, what: str = "input") -> None:
    """Raise RuntimeError when a dimension from the `first` on is empty, as the adaptive pools do."""
    for d in range(first, x.ndim):
        if not x.shape[d]:
            raise RuntimeError(
                f"{who}(): Expected {what} to have non-zero size for non-batch dimensions, but {what} has sizes "
                f"{list(x.shape)} with dimension {d} being empty"
            )


class Pooling:
    """The checked geometry of one pooling call.

    Attributes:
        count: windows along each dimension.
        after: border after the image; with ceil_mode more than before it.
    """

    __slots__ = ("kernel", "stride", "padding", "dilation", "lengths", "count", "after")

    def __init__(
        self, who: str, x: np.ndarray, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool
    ) -> None:
        n = len(kernel)
        self.kernel, self.stride, self.padding, self.dilation = kernel, stride or kernel, padding, dilation
        if 0 in self.stride:
            raise RuntimeError("stride should not be zero")
        if x.ndim not in (n + 1, n + 2):
            raise RuntimeError(f"non-empty {n + 1}D or {n + 2}D (batch mode) tensor expected for input")
        for k, p, d in zip(kernel, padding, dilation, strict=True):
            if p < 0:
                raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
            if p > int(((k - 1) * d + 1) / 2):  # rounded towards zero, as C++ does
                raise RuntimeError(
                    "pad should be at most half of effective kernel size, but got "
                    f"pad={p}, kernel_size={k} and dilation={d}"
                )
        if min(kernel) <= 0:
            raise RuntimeError(f"kernel size should be greater than zero, but got kH: {kernel[0]} kW: {kernel[-1]}")
        if n == 2 and 0 in x.shape[-3:]:
            raise RuntimeError(
                "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:"
                f"{list(x.shape)}"
            )
        if n == 3 and 0 in x.shape[-4:]:
            raise RuntimeError(
                f"{who}(): Expected input's non-batch dimensions to have positive length, but input has a shape of "
                f"{list(x.shape)} and non-batch dimension 0 has length zero!"
            )
        self.lengths = x.shape[-n:]
        self.count = tuple(
            _windows(length, k, s, p, d, ceil_mode)
            for length, k, s, p, d in zip(self.lengths, kernel, self.stride, padding, dilation, strict=True)
        )
        if min(self.count) < 1:
            shown = "x".join(str(m) for m in x.shape[-n - 1 :])
            result = "x".join(str(m) for m in (x.shape[-n - 1], *self.count))
            raise RuntimeError(
                f"Given input size: ({shown}). Calculated output size: ({result}). Output size is too small"
            )
        self.after = tuple(
            max((c - 1) * s + d * (k - 1) + 1 - p - length, 0)
            for c, s, d, k, p, length in zip(
                self.count, self.stride, dilation, kernel, padding, self.lengths, strict=True
            )
        )

    def pad(self, x: np.ndarray, value: float) -> np.ndarray:
        """The image with its border."""
        return padded(x, self.padding, self.after, value)

    def windows(self):
        """For each place in the kernel: the place and the slice of the padded image under it."""
        return positions(self.kernel, self.stride, self.dilation, self.count)

    def divisors(self, count_include_pad: bool) -> list[np.ndarray]:
        """How many elements each window averages, one factor per dimension."""
        out = []
        for c, k, s, p, length in zip(self.count, self.kernel, self.stride, self.padding, self.lengths, strict=True):
            start = np.arange(c) * s - p
            end = np.minimum(start + k, length + p)
            if not count_include_pad:
                start, end = np.maximum(start, 0), np.minimum(end, length)
            out.append(end - start)
        return out


def _windows(length: int, k: int, s: int, p: int, d: int, ceil_mode: bool) -> int:
    free = length + 2 * p - d * (k - 1) - 1
    n = (ceil(free / s) if ceil_mode else free // s) + 1
    if ceil_mode and (n - 1) * s >= length + p:
        n -= 1  # the last window must begin inside the image or its left border
    return n


def lowest(dtype: np.dtype) -> float:
    """What every element is at least."""
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def maxima(x: np.ndarray, pool: Pooling) -> tuple[np.ndarray, np.ndarray]:
    """The largest element of each window (NaN beats all) and its place in the flattened image."""
    border = pool.pad(x, lowest(x.dtype))
    base = np.zeros(pool.count, np.int64)
    steps = [prod(pool.lengths[i + 1 :]) for i in range(len(pool.lengths))]
    for i, (c, s, p, step) in enumerate(zip(pool.count, pool.stride, pool.padding, steps, strict=True)):
        base += ((np.arange(c) * s - p) * step).reshape((-1,) + (1,) * (len(pool.count) - i - 1))
    shifts = []
    shape = (*x.shape[: x.ndim - len(pool.count)], *pool.count)
    best, choice = np.empty(shape, x.dtype), np.zeros(shape, np.int16)
    with_nan = x.dtype.kind == "f" and x.size and np.isnan(x.max())
    for k, (place, where) in enumerate(pool.windows()):
        candidate = np.ascontiguousarray(border[where])
        shifts.append(sum(i * d * step for i, d, step in zip(place, pool.dilation, steps, strict=True)))
        if k == 0:
            best[...] = candidate
            continue
        better = candidate > best
        if with_nan:
            better |= np.isnan(candidate)
        np.maximum(best, candidate, out=best)
        np.maximum(choice, better * np.int16(k), out=choice)  # later places have larger numbers
    at = np.array(shifts)[choice] + base
    if any(pool.padding):
        # Where nothing beats the border in front of the image, the first place inside it stands for the window.
        inside = np.broadcast_to(_inside(pool, (0,) * len(pool.count), base), at.shape)
        at = np.where(choice == 0, inside, at)
    return best, at


def _inside(pool: Pooling, place: Ints, at: np.ndarray) -> np.ndarray:
    """Places of the first candidates, moved into the image where they lie on its border."""
    for i, (c, s, p, d, step_of) in enumerate(
        zip(pool.count, pool.stride, pool.padding, pool.dilation, range(len(pool.count)), strict=True)
    ):
        step = prod(pool.lengths[step_of + 1 :])
        start = np.arange(c) * s - p + place[i] * d
        lift = np.where(start < 0, -(start // d) * d, 0)
        at = at + (lift * step).reshape((-1,) + (1,) * (len(pool.count) - i - 1))
    return at


def spread(grad: np.ndarray, at: np.ndarray, shape: tuple[int, ...], dims: int) -> np.ndarray:
    """Put each element of grad at its place in the flattened image of its channel."""
    size = prod(shape[len(shape) - dims :])
    planes = prod(shape[: len(shape) - dims])
    out = np.zeros(planes * size, grad.dtype)
    if planes:
        flat = at.reshape(planes, -1) + (np.arange(planes) * size)[:, None]
        np.add.at(out, flat.reshape(-1), grad.reshape(-1))
    return out.reshape(shape)


def sums(x: np.ndarray, pool: Pooling) -> np.ndarray:
    """The sum of each window."""
    border = pool.pad(x, 0)
    out = np.zeros((*x.shape[: x.ndim - len(pool.count)], *pool.count), x.dtype)
    for _, where in pool.windows():
        out += border[where]
    return out


def spread_sums(grad: np.ndarray, pool: Pooling, shape: tuple[int, ...]) -> np.ndarray:
    """The adjoint of `sums`."""
    n = len(pool.lengths)
    total = tuple(p + m + a for p, m, a in zip(pool.padding, pool.lengths, pool.after, strict=True))
    out = np.zeros((*shape[:-n], *total), grad.dtype)
    for _, where in pool.windows():
        out[where] += grad
    return out[(..., *(slice(p, p + m) for p, m in zip(pool.padding, pool.lengths, strict=True)))]


def regions(length: int, count: int) -> list[tuple[int, int]]:
    """Where the windows of adaptive pooling begin and end."""
    return [(i * length // count, -(-(i + 1) * length // count)) for i in range(count)]


def adaptive_maxima(x: np.ndarray, size: Ints) -> tuple[np.ndarray, np.ndarray]:
    """The largest element of each adaptive window and its place in the flattened image."""
    n = len(size)
    lengths, lead = x.shape[-n:], x.shape[:-n]
    parts = [regions(m, c) for m, c in zip(lengths, size, strict=True)]
    out = np.empty((*lead, *size), x.dtype)
    at = np.empty(out.shape, np.int64)
    numbers = np.arange(prod(lengths)).reshape(lengths)
    for place in product(*(range(c) for c in size)):
        cut = tuple(slice(*parts[d][i]) for d, i in enumerate(place))
        window = x[(..., *cut)]
        window = window.reshape(*lead, prod(window.shape[-n:]))
        first = window.argmax(-1)
        out[(..., *place)] = np.take_along_axis(window, first[..., None], -1)[..., 0]
        at[(..., *place)] = numbers[cut].reshape(-1)[first]
    return out, at
