"""Numbers that describe an array too large to be shown whole."""

import numpy as np

from engine.trace.limits import HISTOGRAM_BINS

# Below this share of the mean square, a variance found as a difference of two sums has lost its digits.
_CANCELLED = 0.01


class Statistics:
    """Minimum, maximum, mean, standard deviation and norm of the finite elements, in this order in `numbers`, which is
    empty when there are none; and how many elements are nan, infinite, zero. Of a complex array, of its magnitudes."""

    __slots__ = ("numbers", "nan", "inf", "zeros")

    @np.errstate(all="ignore")  # a warning would be taken for the program's
    def __init__(self, a: np.ndarray):
        values = _real(a)
        self.nan = self.inf = 0
        square = float(values.dot(values))
        if square - square != 0:  # an element is nan or infinite, or the sum is too large for its dtype
            values = values.astype(np.float64)
            self.nan, self.inf = int(np.isnan(values).sum()), int(np.isinf(values).sum())
            values = values[np.isfinite(values)]
            square = float(values.dot(values))
        self.zeros = int(np.count_nonzero(values == 0))
        n = values.size
        if not n:
            self.numbers: tuple[float, ...] = ()
            return
        mean = float(np.add.reduce(values)) / n
        variance = square / n - mean * mean
        if variance < _CANCELLED * square / n:
            centred = values - np.add.reduce(values, dtype=np.float64) / n
            variance = float(centred.dot(centred)) / n
        low, high = float(np.minimum.reduce(values)), float(np.maximum.reduce(values))
        self.numbers = (low, high, mean, variance**0.5, square**0.5)


@np.errstate(all="ignore")
def histogram(a: np.ndarray) -> tuple[float, float, list[int]] | None:
    """The lower and the upper edge of equal bins, and how many of the finite elements are in each. None where they
    are too far apart for that."""
    values = _real(a)
    low, high = _extremes(values)
    if not np.isfinite(high - low):
        values = values[np.isfinite(values)].astype(np.float64)
        low, high = _extremes(values)
        if not np.isfinite(high - low):
            return None
    width = (high - low) / HISTOGRAM_BINS or 1.0
    counts = np.bincount(((values - low) / width).astype(np.intp), minlength=HISTOGRAM_BINS + 1).tolist()
    counts[HISTOGRAM_BINS - 1] += sum(counts[HISTOGRAM_BINS:])  # the largest element lies on the upper edge
    return low, low + width * HISTOGRAM_BINS, counts[:HISTOGRAM_BINS]


def same_elements(a: np.ndarray) -> tuple[object, ...]:
    """A key that arrays share when they are views of the same elements of the same memory, in whatever order."""
    address = a.__array_interface__["data"][0]
    if a.flags.c_contiguous:
        return address, a.dtype, (a.itemsize, a.size)
    runs: list[int] = []  # stride and length in turn; dimensions that follow on each other are one
    for stride, length in sorted(zip(a.strides, a.shape, strict=True)):
        if runs and runs[-2] * runs[-1] == stride:
            runs[-1] *= length
        elif length != 1:
            runs += (stride, length)
    return address, a.dtype, tuple(runs)


def _extremes(values: np.ndarray) -> tuple[float, float]:
    return (float(np.minimum.reduce(values)), float(np.maximum.reduce(values))) if values.size else (0.0, 0.0)


def _real(a: np.ndarray) -> np.ndarray:
    """The elements in a row, in single or double precision."""
    if a.dtype.kind == "c":
        a = np.abs(a)
    if a.dtype.char not in "fd":
        a = a.astype(np.float32 if a.dtype.itemsize < 4 and a.dtype.kind in "fV" else np.float64)
    return a.ravel()
