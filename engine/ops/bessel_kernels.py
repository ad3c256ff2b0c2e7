"""Bessel functions of the second and third kind and Airy's function on numpy, in double precision, by one integral.

e^z K(z) of order v is the integral of exp(-2 z s^2) cosh(2 v asinh s) / sqrt(1 + s^2) over all s. Where z is imaginary
the path is turned so that the integrand falls off all the same, which gives the functions that oscillate. The
trapezoidal rule converges geometrically on such integrands; below `_NEAR` power series take their place.
References: https://dlmf.nist.gov/10.32, https://dlmf.nist.gov/10.31, https://dlmf.nist.gov/9.6
"""

from typing import Any

import numpy as np

from engine.ops.gamma_kernels import in_double

_NEAR = 2.0
_STEP, _REACH = 0.2, 7.0
_EULER = 0.57721566490153286061
_AIRY_AT_0, _AIRY_SLOPE_AT_0 = 0.35502805388781723926, -0.25881940379280679840
_AIRY_LAST = 103.892
"""PyTorch's Airy function is 0 beyond."""


def _scaled(order: float, x: np.ndarray, turn: complex = 1) -> Any:
    """e^z K(z) sqrt(2 x) for z = x / turn^2, of x from `_NEAR` on."""
    total: Any = 0
    for v in np.arange(0, _REACH, _STEP):
        s = v * turn / np.sqrt(2 * x)
        total = total + (2 if v else 1) * np.exp(-v * v) * np.cosh(2 * order * np.arcsinh(s)) / np.sqrt(1 + s * s)
    return total * _STEP


def _near(order: int, x: np.ndarray, sign: int) -> np.ndarray:
    """K of order 0 or 1 by its power series, with the signs of its terms alternating where `sign` is -1."""
    quarter = sign * x * x / 4
    term = np.ones_like(x) if order == 0 else x / 2
    first, rest = np.zeros_like(x), np.zeros_like(x)
    harmonic = 0.0
    for k in range(30):
        digammas = 2 * (harmonic - _EULER) + (1 / (k + 1) if order else 0)
        first, rest = first + term, rest + term * digammas / 2
        term = term * quarter / ((k + 1) * (k + 1 + order))
        harmonic += 1 / (k + 1)
    logarithm = np.log(x / 2) * first
    return rest - logarithm if order == 0 else sign / x + logarithm - rest


def _joined(x: np.ndarray, near: Any, far: Any, at_0: float) -> np.ndarray:
    """One function of small x, another of large ones; nan of negative ones."""
    small = near(np.where((x > 0) & (x < _NEAR), x, 1.0))
    large = far(np.where(x >= _NEAR, x, _NEAR))
    out = np.where(x < _NEAR, small, large)
    return np.where(x == 0, at_0, np.where(x > 0, out, np.nan))


def modified_k(order: int, scaled: bool) -> Any:
    """K of order 0 or 1, or e^x K."""

    def near(x: np.ndarray) -> np.ndarray:
        return _near(order, x, 1) * (np.exp(x) if scaled else 1)

    def far(x: np.ndarray) -> np.ndarray:
        return _scaled(order, x) / np.sqrt(2 * x) * (1 if scaled else np.exp(-x))

    return in_double(lambda x: _joined(x, near, far, np.inf))


def second_kind(order: int) -> Any:
    """Y of order 0 or 1."""

    def near(x: np.ndarray) -> np.ndarray:
        return (-1 if order == 0 else 1) * 2 / np.pi * _near(order, x, -1)

    def far(x: np.ndarray) -> np.ndarray:
        hankel = np.exp(1j * (x - np.pi / 4 - order * np.pi / 2)) * _scaled(order, x, np.exp(0.25j * np.pi))
        return 2 / np.pi * hankel.imag / np.sqrt(2 * x)

    return in_double(lambda x: _joined(x, near, far, -np.inf))


@in_double
def airy(x: np.ndarray) -> np.ndarray:
    """Airy's function Ai."""
    size = np.abs(x)
    far = np.where((size > _NEAR) & np.isfinite(x), size, 3.0)
    arc = 2 / 3 * far**1.5
    front = np.sqrt(far / 3) / np.pi / np.sqrt(2 * arc)
    right = front * np.exp(-arc) * _scaled(1 / 3, arc)
    turned = _scaled(1 / 3, arc, np.exp(-0.25j * np.pi)) * np.exp(1j * (np.pi / 4 - arc))
    left = 2 * front * turned.real
    small = np.where(size <= _NEAR, x, 0.0)
    even, odd = np.full_like(small, _AIRY_AT_0), _AIRY_SLOPE_AT_0 * small
    near = even + odd
    for k in range(3, 60, 3):
        even, odd = even * small**3 / (k * (k - 1)), odd * small**3 / (k * (k + 1))
        near = near + even + odd
    out = np.where(size <= _NEAR, near, np.where(x > 0, right, left))
    return np.where(np.isfinite(x), np.where(x > _AIRY_LAST, 0, out), np.nan)


@in_double
def spherical_j0(x: np.ndarray) -> np.ndarray:
    """sin x / x."""
    return np.where(np.isinf(x), 0, np.where(x == 0, 1, np.sin(x) / np.where(x == 0, 1, x)))
