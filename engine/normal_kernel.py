"""The arithmetic of PyTorch's vectorised normal sampler, rounding included.

PyTorch turns 16 uniform numbers at a time into 16 normal ones by the Box-Muller transform, with polynomial
approximations (after the Cephes library) of the logarithm and of sine and cosine in float32, and with products fused
into the sums that follow them. Doing the same steps in the same order gives the same bits, so a seeded ``randn``
agrees in every digit and not in most of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.choosing import where

_BLOCK = 16
_HALF = _BLOCK // 2
_CHUNK = 1 << 14  # elements handled at once, so that the temporaries of a large tensor stay in the cache

_F = np.float32
_SQRT_HALF = _F(0.707106781186547524)
_LN2_HIGH, _LN2_LOW = _F(0.693359375), _F(-2.12194440e-4)
_LOG = tuple(
    map(
        _F,
        (
            7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
            -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
        ),
    )
)  # fmt: skip
_FOUR_OVER_PI = _F(1.27323954473516)
_MINUS_QUARTER_PI = tuple(map(_F, (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)))
_COS = tuple(map(_F, (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)))
_SIN = tuple(map(_F, (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)))


def fused_multiply_add(a: np.ndarray, b: np.ndarray | np.generic, c: np.ndarray | np.generic) -> np.ndarray:
    """``a * b + c`` of one floating type, rounded once as a processor's fused instruction rounds it."""
    if a.dtype == np.float32:
        return np.add(np.multiply(a, b, dtype=np.float64), c).astype(np.float32)
    return _fused_float64(a, b, c)


def _fused_float64(a: Any, b: Any, c: Any) -> Any:
    # No wider type is at hand, so the rounding errors of the product and of the sum are computed and added back.
    product = a * b
    a_high, b_high = _upper_half(a), _upper_half(b)
    a_low, b_low = a - a_high, b - b_high
    product_error = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
    total = product + c
    shifted = total - product
    sum_error = (product - (total - shifted)) + (c - shifted)
    return total + (product_error + sum_error)


def _upper_half(x: Any) -> Any:
    """The leading 26 of 53 significant bits (Veltkamp's splitting)."""
    scaled = x * np.float64(2**27 + 1)
    return scaled - (scaled - x)


def box_muller(uniform: np.ndarray, mean: float, std: float) -> np.ndarray:
    """Normal numbers from uniform ones in [0, 1).

    ``uniform`` is one-dimensional float32 or float64 with a multiple of 16 elements; so is the result. Within each
    block of 16, element ``j`` and element ``j + 8`` make a pair.
    """
    out = np.empty_like(uniform)
    for start in range(0, uniform.size, _CHUNK):
        pairs = uniform[start : start + _CHUNK].reshape(-1, 2, _HALF)
        into = out[start : start + _CHUNK].reshape(-1, 2, _HALF)
        _transform(pairs, into, mean, std)
    return out


def _transform(pairs: np.ndarray, into: np.ndarray, mean: float, std: float) -> None:
    kind = pairs.dtype.type
    log, sin_cos = (_log_float32, _sin_cos_float32) if kind is np.float32 else (np.log, _sin_cos_float64)
    # One-dimensional, over which numpy casts twice as fast as over many rows of eight.
    radius = np.sqrt(kind(-2) * log((kind(1) - pairs[:, 0]).reshape(-1)))
    sine, cosine = sin_cos((kind(2 * np.pi) * pairs[:, 1]).reshape(-1))
    into[:, 0] = (radius * cosine).reshape(-1, _HALF)
    into[:, 1] = (radius * sine).reshape(-1, _HALF)
    if mean != 0.0 or std != 1.0:
        into[...] = fused_multiply_add(into, kind(std), kind(mean))


def _sin_cos_float64(angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.sin(angle), np.cos(angle)


def _polynomial(x: np.ndarray, coefficients: tuple[np.float32, ...]) -> np.ndarray:
    first, second, *others = coefficients
    y = fused_multiply_add(x, first, second)
    for coefficient in others:
        y = fused_multiply_add(y, x, coefficient)
    return y


def _log_float32(x: np.ndarray) -> np.ndarray:
    """Natural logarithm of float32 numbers in (0, 1]."""
    mantissa, exponent = np.frexp(x)
    small = mantissa < _SQRT_HALF
    exponent = (exponent - small).astype(np.float32)
    x = where(small, mantissa + mantissa, mantissa) - _F(1)
    square = x * x
    y = _polynomial(x, _LOG) * x
    y = fused_multiply_add(y, square, exponent * _LN2_LOW)
    y = fused_multiply_add(square, _F(-0.5), y)
    return fused_multiply_add(exponent, _LN2_HIGH, x + y)


def _sin_cos_float32(angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of non-negative float32 angles: reduced to an eighth of a turn, then one polynomial each."""
    octant = ((angle * _FOUR_OVER_PI).astype(np.int32) + 1) & ~1
    multiple = octant.astype(np.float32)
    x = angle
    for part in _MINUS_QUARTER_PI:
        x = fused_multiply_add(multiple, part, x)
    square = x * x
    near_cosine = _polynomial(square, _COS) * square
    near_cosine = fused_multiply_add(near_cosine, square, square * _F(-0.5)) + _F(1)
    near_sine = _polynomial(square, _SIN) * square
    near_sine = fused_multiply_add(near_sine, x, x)
    swapped = (octant & 2) != 0
    sine, cosine = where(swapped, near_cosine, near_sine), where(swapped, near_sine, near_cosine)
    for result, quarters in ((sine, octant), (cosine, octant + 2)):
        result.view(np.int32)[...] ^= (quarters & 4) << 29  # bit 2 tells the half of the turn, bit 31 is the sign
    return sine, cosine
