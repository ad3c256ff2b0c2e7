"""Numbers that describe an array too large to be shown whole."""

import numpy as np

from engine.trace.limits import HISTOGRAM_BINS

# Below this share of the mean square, a variance found as a difference of two sums has lost its digits.
_CANCELLED = 0.01
_SAFE = 1e37  # a sum of squares up to here overflows in no dtype


class Statistics:
    """Minimum, maximum, mean, standard deviation and norm of the finite elements, in this order in `numbers`, which is
    empty when there are none; and how many elements are nan, infinite, zero. Of a complex array, of its magnitudes."""

    __slots__ = ("numbers", "nan", "inf", "zeros")

    def __init__(self, a: np.ndarray):
        self.nan = self.inf = self.zeros = 0
        values = _real(a)
        n = values.size
        low, high = _extremes(values)
        if n and n * max(low * low, high * high) < _SAFE:  # neither nan nor infinite, nor is the sum of the squares
            self._describe(values, low, high)
        else:
            self._describe_finite(values)

    @np.errstate(all="ignore")  # a warning would be taken for the program's; in ordinary arrays nothing warns
    def _describe_finite(self, values: np.ndarray) -> None:
        values = values.astype(np.float64)
        self.nan, self.inf = int(np.isnan(values).sum()), int(np.isinf(values).sum())
        values = values[np.isfinite(values)]
        if values.size:
            self._describe(values, *_extremes(values))
        else:
            self.numbers = ()

    def _describe(self, values: np.ndarray, low: float, high: float) -> None:
        n = values.size
        if low <= 0 <= high:
            self.zeros = int(np.count_nonzero(values == 0))
        square, mean = float(values.dot(values)), float(_sum(values)) / n
        variance = square / n - mean * mean
        if variance < _CANCELLED * square / n:
            centred = values - _sum(values, dtype=np.float64) / n
            variance = float(centred.dot(centred)) / n
        self.numbers: tuple[float, ...] = (low, high, mean, variance**0.5, square**0.5)


_least, _greatest, _sum = np.minimum.reduce, np.maximum.reduce, np.add.reduce


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
    places = values - low
    places /= width
    counts = np.bincount(places.astype(np.intp), minlength=HISTOGRAM_BINS + 1).tolist()
    counts[HISTOGRAM_BINS - 1] += sum(counts[HISTOGRAM_BINS:])  # the largest element lies on the upper edge
    return low, low + width * HISTOGRAM_BINS, counts[:HISTOGRAM_BINS]


def same_elements(a: np.ndarray, root: np.ndarray) -> tuple[object, ...]:
    """A key that views of `root` share when they see the same elements of it, in whatever order."""
    dtype = a.dtype.num
    if a.flags.c_contiguous:
        if a.nbytes == root.nbytes:
            return (dtype,)
        return dtype, a.__array_interface__["data"][0], (a.itemsize, a.size)
    runs: list[int] = []  # stride and length in turn; dimensions that follow on each other are one
    for stride, length in sorted(zip(a.strides, a.shape, strict=True)):
        if runs and runs[-2] * runs[-1] == stride:
            runs[-1] *= length
        elif length != 1:
            runs += (stride, length)
    if runs == [a.itemsize, a.size] and a.nbytes == root.nbytes:
        return (dtype,)
    return dtype, a.__array_interface__["data"][0], tuple(runs)


def _extremes(values: np.ndarray) -> tuple[float, float]:
    return (float(_least(values)), float(_greatest(values))) if values.size else (0.0, 0.0)


def _real(a: np.ndarray) -> np.ndarray:
    """The elements in a row, as they lie in memory, in single or double precision."""
    if a.dtype.char not in "fd":
        if a.dtype.kind == "c":
            a = np.abs(a)
        a = a.astype(np.float32 if a.dtype.itemsize < 4 and a.dtype.kind in "fV" else np.float64, copy=False)
    return a.ravel("K")
