"""Random numbers that PyTorch draws by rejection: gamma, Dirichlet, Poisson, binomial; how many it takes is chance.

The numbers are drawn one after the other, as they lie in memory, in the precision that PyTorch computes each step in.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.random import Generator, default_generator

_AHEAD = 256


class Stream:
    """Uniform and normal float64 numbers one by one; the words are drawn ahead, and given back where not needed."""

    def __init__(self, generator: Generator | None) -> None:
        self.generator = generator or default_generator

    def __enter__(self) -> "Stream":
        self._start = self.generator._bits.state
        self._ahead: list[float] = []
        self._drawn = 0
        return self

    def __exit__(self, *exc: object) -> None:
        self.generator._bits.state = self._start
        self.generator.double_words(self._drawn - len(self._ahead))

    def uniform(self) -> float:
        """The next number in [0, 1)."""
        if not self._ahead:
            words = self.generator.double_words(_AHEAD) & np.uint64(2**53 - 1)
            self._ahead = (words * 2.0**-53)[::-1].tolist()
            self._drawn += _AHEAD
        return self._ahead.pop()

    def normal(self) -> float:
        """The next normal number; they are made in pairs."""
        spare = self.generator.spare_normal
        if spare is not None:
            self.generator.spare_normal = None
            return spare
        angle = 2.0 * math.pi * self.uniform()
        radius = math.sqrt(-2.0 * math.log1p(-self.uniform()))
        self.generator.spare_normal = radius * math.sin(angle)
        return radius * math.cos(angle)


def _each(generator: Generator | None, draw: Callable[..., float], *given: np.ndarray) -> np.ndarray:
    """What `draw(stream, *numbers)` makes of every place of the arrays, in float64."""
    with Stream(generator) as stream:
        rows = zip(*[a.ravel() for a in given], strict=True)
        return np.array([draw(stream, *row) for row in rows], np.float64).reshape(given[0].shape)


def standard_gamma(generator: Generator | None, alpha: np.ndarray) -> np.ndarray:
    """Gamma numbers of scale 1 for shapes `alpha`, at least as large as the smallest normal number of the dtype."""
    drawn = _each(generator, _one_gamma, alpha)
    return np.fmax(drawn.astype(alpha.dtype), np.finfo(alpha.dtype).tiny)


_THIRD, _SQUEEZE = float(np.float32(1.0) / np.float32(3.0)), float(np.float32(0.0331))


def _one_gamma(stream: Stream, alpha: Any) -> float:
    """One gamma number by the method of Marsaglia and Tsang (2000)."""
    kind, scale = type(alpha), 1.0
    if alpha < 1:
        if alpha == 0:
            return 0.0
        scale = (1.0 - stream.uniform()) ** float(kind(1) / alpha)
        alpha = alpha + kind(1)
    d = float(alpha - kind(_THIRD))
    c = 1.0 / math.sqrt(9.0 * d) if d > 0 else math.nan
    while True:
        x = y = 0.0
        while y <= 0:
            x = stream.normal()
            y = 1.0 + c * x
        v, u, xx = y * y * y, 1.0 - stream.uniform(), x * x
        if u < 1.0 - _SQUEEZE * xx * xx or math.log(u) < 0.5 * xx + d * (1.0 - v + math.log(v)):
            return scale * d * v


def dirichlet(generator: Generator | None, alpha: np.ndarray) -> np.ndarray:
    """Points of the simplex, one per row of `alpha`: gamma numbers, drawn in float64, over their sum."""
    gamma = _each(generator, _one_gamma, alpha.astype(np.float64))
    with np.errstate(invalid="ignore"):
        parts = (gamma / gamma.sum(-1, keepdims=True)).astype(alpha.dtype)
    below_one = np.nextafter(alpha.dtype.type(1), alpha.dtype.type(0))
    return np.fmin(below_one, np.fmax(np.finfo(alpha.dtype).tiny, parts))


def poisson(generator: Generator | None, rates: np.ndarray) -> np.ndarray:
    """Counts with the given mean rates, as ``torch.poisson``. Raises ``RuntimeError`` for a negative rate."""
    if np.any(rates < 0):
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    return _each(generator, _one_poisson, rates.astype(np.float64)).astype(rates.dtype)


def _one_poisson(stream: Stream, rate: float) -> float:
    """One count: by multiplying uniform numbers for a small rate, by transformed rejection (Hörmann, 1993) else."""
    rate = float(rate)
    if rate == 0:
        return 0.0
    if rate < 10:
        count, product, stop = 0, stream.uniform(), math.exp(-rate)
        while product > stop:
            count += 1
            product *= stream.uniform()
        return float(count)
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    scale, edge = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = stream.uniform() - 0.5, stream.uniform()
        width = 0.5 - abs(u)
        k = math.floor((2 * a / width + b) * u + rate + 0.43)
        if width >= 0.07 and v <= edge:
            return float(k)
        if k < 0 or (width < 0.013 and v > width):
            continue
        drawn = math.log(v) + math.log(scale) - math.log(a / (width * width) + b)
        if drawn <= -rate + k * math.log(rate) - math.lgamma(k + 1):
            return float(k)


def binomial(generator: Generator | None, count: np.ndarray, prob: np.ndarray) -> np.ndarray:
    """Numbers of successes among `count` trials with probability `prob`; both have the result's shape and dtype."""
    return _each(generator, _one_binomial, count, prob).astype(count.dtype)


def _one_binomial(stream: Stream, count: Any, prob: Any) -> float:
    kind = type(count)
    if count <= 0 or prob <= 0:
        return 0.0
    if prob >= 1:
        return float(count)
    if math.isnan(prob):
        return math.nan
    fewer = prob if prob <= 0.5 else kind(1.0 - float(prob))
    hits = (_by_waiting if count * fewer < 10 else _by_rejection)(stream, count, fewer)
    return hits if prob <= 0.5 else float(count) - hits


def _by_waiting(stream: Stream, count: Any, prob: Any) -> float:
    """Successes counted by the waiting times between them."""
    log_failure, waited, hits, limit = float(type(count)(math.log1p(-prob))), 0.0, 0, float(count)
    while True:
        u = stream.uniform()
        waited += math.ceil(math.log(u) / log_failure) if u > 0 else math.inf
        if waited > limit:
            return float(hits)
        hits += 1


def _by_rejection(stream: Stream, count: Any, prob: Any) -> float:
    """Successes by transformed rejection (Hörmann, 1993)."""
    one = type(count)(1)
    deviation = float(np.sqrt(count * prob * (one - prob)))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * float(prob)
    centre, edge = float(count * prob) + 0.5, 0.92 - 4.2 / b
    odds, scale = float(prob / (one - prob)), (2.83 + 5.1 / b) * deviation
    middle, n = math.floor((count + one) * prob), float(count)
    while True:
        u, v = stream.uniform() - 0.5, stream.uniform()
        width = 0.5 - abs(u)
        k = float(math.floor((2 * a / width + b) * u + centre))
        if k < 0 or k > n:
            continue
        if width >= 0.07 and v <= edge:
            return k
        v = math.log(v * scale / (a / (width * width) + b))
        bound = (
            (middle + 0.5) * math.log((middle + 1) / (odds * (n - middle + 1)))
            + (n + 1) * math.log((n - middle + 1) / (n - k + 1))
            + (k + 0.5) * math.log(odds * (n - k + 1) / (k + 1))
            + _stirling_tail(middle) + _stirling_tail(n - middle) - _stirling_tail(k) - _stirling_tail(n - k)
        )  # fmt: skip
        if v <= bound:
            return k


def _stirling_tail(k: float) -> float:
    """What Stirling's formula lacks of log k!: looked up while k is small, by a series then."""
    if k <= 9:
        return _TAILS[int(k)]
    square = (k + 1) * (k + 1)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)


_TAILS = [math.lgamma(k + 1) - ((k + 0.5) * math.log(k + 1) - (k + 1) + 0.5 * math.log(2 * math.pi)) for k in range(10)]
