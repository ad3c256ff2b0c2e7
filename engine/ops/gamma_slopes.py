"""How a gamma or beta variable moves with its parameters while its distribution function stays where it is.

That is minus dF/dparameter over dF/dx. F has no closed form, so each region has its approximation, and they are
PyTorch's: series for small x, a saddle point for large parameters, fitted rational functions in between.
"""

from typing import Any

import numpy as np

from engine.ops.gamma_kernels import bernoulli

_GAMMA_P = np.array(
    [
        [0.16009398, -0.094634809, 0.025146376, -0.0030648343],
        [0.53487893, 0.1298071, 0.065735949, -0.0015649758],
        [0.040121004, -0.0065914022, -0.0026286047, -0.0013441777],
    ]
)
_GAMMA_Q = np.array(
    [
        [1.0, 0.32668115, 0.10406089, 0.0014179084],
        [0.16639465, 0.020070113, -0.0035938915, -0.00058392623],
        [0.017050642, -0.0021309326, 0.00085092367, -1.5247877e-07],
    ]
)
"""Fitted coefficients by powers of log(x / alpha) and log(alpha)."""

_BETA_P = np.array(
    [
        [[1.003668233, -0.01061107488, -0.0657888334, 0.01201642863],
         [0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033],
         [-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013]],
        [[0.221950385, -0.3187676331, 0.01799915743, 0.01074823814],
         [-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057],
         [0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05]],
        [[-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565],
         [0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181],
         [0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05]],
    ]
)  # fmt: skip
_BETA_Q = np.array(
    [
        [[1.0, -0.02924021934, -0.04438342661, 0.007285809825],
         [0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521],
         [-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149]],
        [[0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273],
         [0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956],
         [-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05]],
        [[0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05],
         [0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05],
         [-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06]],
    ]
)  # fmt: skip
"""Fitted coefficients by powers of log(x), log(alpha / x) and log(total x / alpha)."""


def gamma_slope(alpha: Any, x: Any) -> np.ndarray:
    """d x / d alpha of a gamma number x of shape alpha."""
    dtype = np.asarray(x).dtype
    alpha, x = np.broadcast_arrays(np.asarray(alpha, np.float64), np.asarray(x, np.float64))
    with np.errstate(all="ignore"):
        near_mean = (0.9 * alpha <= x) & (x <= 1.1 * alpha)
        found = np.select(
            [x < 0.8, (alpha > 8) & near_mean, alpha > 8],
            [_gamma_near_zero(alpha, x), _gamma_at_mean(alpha, x), _gamma_large(alpha, x)],
            _gamma_fitted(alpha, x),
        )
    return np.asarray(found, dtype)


_SERIES = [b / (2 * k) for k, b in enumerate(bernoulli(7), 1)]


def digamma(x: np.ndarray) -> np.ndarray:
    """The derivative of log Gamma for x >= 0 with the rounding of PyTorch's, which subtracts nearly equal ones."""
    pole, out = x == 0, np.zeros(x.shape)
    for _ in range(10):
        low = x < 10
        out = out - np.where(low, 1 / x, 0)
        x = np.where(low, x + 1, x)
    square = 1 / (x * x).astype(np.float64)
    tail = square * np.polynomial.polynomial.polyval(square, _SERIES)
    out = out + np.log(x) - 0.5 / x - tail
    return np.where(pole, np.inf, out).astype(x.dtype)


def _gamma_near_zero(alpha: np.ndarray, x: np.ndarray) -> np.ndarray:
    """By the power series of F, to the fifth power of x."""
    term, first, second = np.ones_like(x), 1 / alpha, 1 / alpha**2
    for i in range(1, 6):
        term = term * (-x / i)
        first, second = first + term / (alpha + i), second + term / (alpha + i) ** 2
    power = x**alpha
    by_alpha = (np.log(x) - digamma(alpha)) * (power * first) - power * second
    return _without_nan(-by_alpha / (x ** (alpha - 1) * np.exp(-x)))


def _gamma_at_mean(alpha: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The saddle point expansion where its general form is 0 / 0."""
    lead = 1 + 24 * alpha * (1 + 12 * alpha)
    poly = 1440 * alpha**2 + 6 * x * (53 - 120 * x) - 65 * x**2 / alpha + alpha * (107 + 3600 * x)
    return lead * poly / (1244160 * alpha**4)


def _gamma_large(alpha: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Rice's saddle point expansion."""
    log, root = np.log(x / alpha), np.sqrt(8 * alpha)
    away = (x - alpha - alpha * log) ** -1.5
    slope = log * (root / (alpha - x) + np.where(x < alpha, -away, away))
    slope -= np.sqrt(2 / alpha) * (alpha + x) / (alpha - x) ** 2
    stirling = 1 + 1 / (12 * alpha) * (1 + 1 / (24 * alpha))
    return -stirling * x * slope / root


def _gamma_fitted(alpha: np.ndarray, x: np.ndarray) -> np.ndarray:
    u, v = np.log(x / alpha), np.log(alpha)
    return np.exp(
        np.polynomial.polynomial.polyval2d(u, v, _GAMMA_P) / np.polynomial.polynomial.polyval2d(u, v, _GAMMA_Q)
    )


def dirichlet_slope(x: Any, alpha: Any, total: Any) -> np.ndarray:
    """d x / d alpha over 1 - x of a beta number x of shapes alpha and total - alpha."""
    near, near_total = np.broadcast_arrays(np.asarray(x), np.asarray(total))  # in its own precision, as PyTorch has it
    near_alpha = np.broadcast_to(alpha, near.shape)
    x, alpha, total = (a.astype(np.float64) for a in (near, near_alpha, near_total))
    with np.errstate(all="ignore"):
        near_beta, edge = near_total - near_alpha, near_total * near * (1 - near)
        beta, mean = total - alpha, alpha / total
        spread = 0.1 * np.sqrt(alpha * beta / (total + 1)) / total
        large = (alpha > 6) & (beta > 6)
        found = np.select(
            [(x <= 0.5) & (edge < 2.5), (x >= 0.5) & (edge < 0.75), large & (np.abs(x - mean) <= spread), large],
            [
                _beta_near_zero(near, near_alpha, near_beta), _beta_near_one(1 - near, near_beta, near_alpha),
                _beta_at_mean(x, alpha, beta), _beta_large(x, alpha, beta),
            ],
            _beta_fitted(x, alpha, beta) * (digamma(near_total) - digamma(near_alpha)),
        )  # fmt: skip
    return np.asarray(found, near.dtype)


def _without_nan(a: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(a), 0.0, a)


def _beta_near_zero(x: np.ndarray, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """By the power series of F in x, to its tenth power."""
    factor = digamma(alpha) - digamma(alpha + beta) - np.log(x)
    term = np.ones_like(x)
    series = (factor + 1 / alpha) / alpha
    for i in range(1, 11):
        term = term * ((i - beta) * x / i)
        series = series + term / (alpha + i) * (factor + 1 / (alpha + i))
    return _without_nan(x * (1 - x) ** -beta * series)


def _beta_near_one(y: np.ndarray, beta: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """The same from the other end, y = 1 - x, where alpha stands in the exponent of the series."""
    factor = digamma(alpha + beta) - digamma(alpha)
    term, product, slope, series = np.ones_like(y), np.ones_like(y), np.zeros_like(y), factor / beta
    for i in range(1, 9):
        term = term * (-y / i)
        slope = slope * (alpha - i) + product
        product = product * (alpha - i)
        series = series + term / (beta + i) * (slope + factor * product)
    return _without_nan((1 - y) ** (1 - alpha) * series)


def _beta_at_mean(x: np.ndarray, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """The saddle point expansion where its general form is 0 / 0."""
    total = alpha + beta
    poly = 8 * (1 - x) * (135 * beta - 11)
    poly = (453 + 1620 * beta * (1 - x) - 455 * x) * beta + alpha * poly
    poly = 3 * (59 + 180 * beta - 90 * x) * beta**2 + alpha * poly
    poly = (43 + 20 * (16 + 27 * beta) * x) * beta**3 + alpha * poly
    poly = 47 * x * beta**4 + alpha * poly
    lead = (1 + 12 * alpha) * (1 + 12 * beta) / total**2
    return lead / (1 - x) * poly / (12960 * alpha**3 * beta**2 * (1 + 12 * total))


def _beta_large(x: np.ndarray, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Rice's saddle point expansion."""
    total = alpha + beta

    def stirling(a: np.ndarray) -> np.ndarray:
        return 1 + 1 / (12 * a) + 1 / (288 * a**2)

    off = alpha * (x - 1) + beta * x  # zero at the mean
    first = (2 * alpha**2 * (x - 1) + alpha * beta * (x - 1) - x * beta**2) / (
        np.sqrt(2 * alpha / beta) * total**1.5 * off**2
    )
    away = (beta * np.log(beta / (total * (1 - x))) + alpha * np.log(alpha / (total * x))) ** -1.5
    away = np.where(x < alpha / total, away, -away)
    second = 0.5 * np.log(alpha / (total * x)) * (np.sqrt(8 * alpha * beta / total) / off + away)
    lead = -x / np.sqrt(2 * alpha * beta / total)
    return stirling(alpha) * stirling(beta) / stirling(total) * lead * (first + second)


def _beta_fitted(x: np.ndarray, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """By fitted coefficients, over the difference of the digamma functions of both shapes and of alpha."""
    u = np.log(x)
    a = np.log(alpha) - u
    b = np.log(alpha + beta) - a
    ratio = np.polynomial.polynomial.polyval3d(u, a, b, _BETA_P) / np.polynomial.polynomial.polyval3d(u, a, b, _BETA_Q)
    return ratio * x / beta
