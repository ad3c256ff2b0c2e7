"""The gamma function's relatives and the Bessel functions of imaginary argument, vectorised in double precision.

Away from the origin by asymptotic series, near it by recurrences and power series that only add positive terms.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np

FAR = 10.0  # from here on a dozen terms of the asymptotic series are exact to the last digit


def in_double(f: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    """Compute in float64, return the dtype of the last array given."""

    def wrapped(*args):
        dtype = next((a.dtype for a in reversed(args) if hasattr(a, "dtype")), np.dtype(np.float64))
        return np.asarray(f(*[np.asarray(a, np.float64) if hasattr(a, "dtype") else a for a in args])).astype(dtype)

    return wrapped


@cache
def bernoulli(count: int) -> tuple[float, ...]:
    """The Bernoulli numbers B_2, B_4, …, `count` of them."""
    known = [Fraction(1), Fraction(-1, 2)]
    for n in range(2, 2 * count + 1):
        known.append(-sum(math.comb(n + 1, k) * known[k] for k in range(n)) / Fraction(n + 1))
    return tuple(float(b) for b in known[2::2])


def _lgamma(v: float) -> float:
    if v == math.inf or v == -math.inf:
        return math.inf
    try:
        return math.lgamma(v)
    except (ValueError, OverflowError):  # a pole, or too large for a double
        return math.inf


def lgamma(x: np.ndarray) -> np.ndarray:
    """The logarithm of |Gamma|; infinite at 0, -1, -2, …"""
    dtype = x.dtype if x.dtype.kind == "f" else np.float64
    return np.array([_lgamma(v) for v in x.ravel().tolist()], dtype).reshape(x.shape)


@in_double
def digamma(x: np.ndarray) -> np.ndarray:
    """The derivative of lgamma. Minus infinity at 0, nan at negative integers."""
    reflected = x < 0.5
    z = np.where(reflected, 1 - x, x)
    out = np.zeros_like(z)
    for _ in range(int(FAR)):
        near = z < FAR
        out = out - np.where(near, 1 / z, 0)
        z = np.where(near, z + 1, z)
    square = 1 / (z * z)
    series = np.zeros_like(z)
    for k, b in reversed(list(enumerate(bernoulli(8), 1))):
        series = (series + b / (2 * k)) * square
    out = out + np.log(z) - 0.5 / z - series
    fraction = x - np.floor(x)
    out = np.where(reflected, out - math.pi / np.tan(math.pi * np.where(fraction == 0, 0.5, fraction)), out)
    pole = np.where(x == 0, -np.copysign(np.inf, x), np.nan)
    return np.where(reflected & (fraction == 0), pole, out)


@in_double
def zeta(s: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The Hurwitz zeta function, the sum of (q + k)^-s over k = 0, 1, …, for s > 1."""
    s, q = np.broadcast_arrays(np.asarray(s, np.float64), q)
    whole = q == np.floor(q)
    lowest = float(np.min(q, initial=FAR))
    z, out = q, np.zeros(q.shape)
    for _ in range(int(FAR) + min(2000, max(0, int(-lowest) + 1) if lowest > -math.inf else 0)):
        near = z < FAR
        out = out + np.where(near, np.power(z, -s), 0)
        z = np.where(near, z + 1, z)
    # Euler and Maclaurin's formula for the rest of the sum
    power = np.power(z, -s)
    out = out + power * z / (s - 1) + power / 2
    factor = s * power / z
    for k, b in enumerate(bernoulli(12), 1):
        out = out + factor * (b / math.factorial(2 * k))
        factor = factor * (s + 2 * k - 1) * (s + 2 * k) / (z * z)
    out = np.where((q <= 0) & whole, np.inf, np.where((q <= 0) & (s != np.floor(s)), np.nan, out))
    return np.where(s == 1, np.inf, np.where(s < 1, np.nan, np.where(np.isposinf(q), 0, out)))


def polygamma(n: int, x: np.ndarray) -> np.ndarray:
    """The n-th derivative of digamma. Raises RuntimeError for a negative n."""
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    if n == 0:
        return digamma(x)
    return (-1) ** (n + 1) * math.factorial(n) * zeta(float(n + 1), x)


def scaled_bessel(order: int) -> Callable[[np.ndarray], np.ndarray]:
    """The modified Bessel function of the first kind and order 0 or 1, times exp(-|x|)."""

    @in_double
    def bessel(x):
        z = np.abs(x)
        small = np.minimum(z, 30.0)
        quarter = small * small / 4
        term = np.ones_like(z) if order == 0 else small / 2
        near = term
        for k in range(1, 90):
            term = term * quarter / (k * (k + order))
            near = near + term
        near = near * np.exp(-small)
        large = np.maximum(z, 30.0)
        term = 1 / np.sqrt(2 * math.pi * large)
        far = term
        for k in range(1, 25):
            term = term * ((2 * k - 1) ** 2 - 4 * order * order) / (8 * k * large)
            far = far + term
        out = np.where(z <= 30.0, near, np.where(np.isinf(z), 0, far))
        return np.copysign(out, x) if order else out

    return bessel


i0e = scaled_bessel(0)
i1e = scaled_bessel(1)


@in_double
def i0(x: np.ndarray) -> np.ndarray:
    """The modified Bessel function of order 0."""
    return np.where(np.isinf(x), np.inf, i0e(x) * np.exp(np.abs(x)))


@in_double
def i1(x: np.ndarray) -> np.ndarray:
    """The modified Bessel function of order 1."""
    return np.where(np.isinf(x), x, i1e(x) * np.exp(np.abs(x)))


@in_double
def igamma(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The regularised lower incomplete gamma function, P(a, x)."""
    a, x = np.broadcast_arrays(a, x)
    by_series = x <= a + 1
    weight = np.exp(a * np.log(x) - x - lgamma(a))
    out = np.where(by_series, _series(a, np.where(by_series, x, 1.0)) * weight, 1 - _fraction(a, x) * weight)
    out = np.where(x == 0, np.where(a == 0, np.nan, 0.0), np.where(np.isinf(x), 1.0, np.where(a == 0, 1.0, out)))
    return np.where((a < 0) | (x < 0) | np.isnan(a) | np.isnan(x), np.nan, out)


@in_double
def igammac(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The regularised upper incomplete gamma function, Q(a, x) = 1 - P(a, x)."""
    a, x = np.broadcast_arrays(a, x)
    by_series = x <= a + 1
    weight = np.exp(a * np.log(x) - x - lgamma(a))
    out = np.where(by_series, 1 - _series(a, np.where(by_series, x, 1.0)) * weight, _fraction(a, x) * weight)
    out = np.where(x == 0, np.where(a == 0, np.nan, 1.0), np.where(np.isinf(x) | (a == 0), 0.0, out))
    return np.where((a < 0) | (x < 0) | np.isnan(a) | np.isnan(x), np.nan, out)


def _series(a, x):
    """The power series of P(a, x) without its weight, for x up to about a."""
    term = 1 / np.where(a > 0, a, 1.0)
    out = term
    for k in range(1, 400):
        term = term * x / (np.where(a > 0, a, 1.0) + k)
        out = out + term
        if not np.any(term > out * 1e-17):
            break
    return out


def _fraction(a, x):
    """The continued fraction of Q(a, x) without its weight, for x above a, evaluated from the front."""
    x = np.maximum(x, 1e-30)
    b = np.where(x > a, x + 1 - a, 1.0)
    c, d = np.full(b.shape, 1e300), 1 / b
    out = d
    for k in range(1, 400):
        numerator = -k * (k - a)
        b = b + 2
        d = 1 / np.where(numerator * d + b == 0, 1e-300, numerator * d + b)
        c = b + numerator / c
        change = c * d
        out = out * change
        if not np.any(np.abs(change - 1) > 1e-16):
            break
    return out
