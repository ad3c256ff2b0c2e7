"""The error function and its relatives, vectorised.

For z >= 0, erfc(z) = exp(-z^2) p(t) / (z + 1) with t = (z - 3.75) / (z + 3.75) and p a polynomial; near zero
erf(x) = x q(x^2), so that small arguments keep their digits. Both polynomials were fitted by Chebyshev interpolation in
50-digit arithmetic; the short ones serve single precision. Large arrays of single precision, which networks push
through GELU, take erf(x) = x P(x^2) / Q(x^2) instead: half the work for an error of 3e-7.
"""

import math

import numpy as np

from engine.ops.rounded import READABLE

SCALE = 3.75
FEW = 128  # below so many elements, Python's own math.erf is faster than some forty numpy calls
_FAR_64 = (
    1.8782496878935065e-10, 1.9940180578391708e-10, -2.2720969835465396e-09, -2.4100603102456534e-09,
    1.691483217688766e-08, 1.6028080628065264e-08, -1.136137376485079e-07, -6.472694323077869e-08,
    7.84128474670254e-07, -1.5718535023222558e-07, -5.3478022759802295e-06, 8.100466297694024e-06,
    2.7616406936261927e-05, -0.00012112766996413587, 7.062550046274473e-05, 0.0008650452651861138,
    -0.003971808570646647, 0.010070828131869483, -0.017275087308596098, 0.018750997232737644,
    -0.003099809054775309, -0.0406475785168906, 0.11479674120104293, -0.2068312650404867, 0.691551176056433,
)  # fmt: skip
_FAR_32 = (
    -9.63207105e-05, 0.000128780861, 0.000834749714, -0.00402893236, 0.0100887795, -0.0172474813, 0.0187458022,
    -0.00310600834, -0.0406469326, 0.114797258, -0.206831288, 0.691551169,
)  # fmt: skip
_NEAR_64 = (
    5.958930743134941e-11, -1.1373902296430911e-09, 1.4660051998394848e-08, -1.6350354461959655e-07,
    1.6461004480962034e-06, -1.4925595519506043e-05, 0.00012055331122299266, -0.0008548326981129666,
    0.005223977624823223, -0.026866170645077334, 0.11283791670954882, -0.3761263890318375, 1.1283791670955126,
)  # fmt: skip
_NEAR_32 = (
    7.88249711e-05, -0.000801885499, 0.00518931194, -0.0268543288, 0.112835975, -0.376126269, 1.12837917,
)  # fmt: skip
_TOP_32 = (2.046043764796558e-06, 0.0002848398322968021, 0.003772413223312536, 0.05276887827522909, 0.19059065018387114,
           1.1283791458767294)  # fmt: skip
_BOTTOM_32 = (3.80477494603774e-05, 0.0011638233194657258, 0.0149829260180944, 0.1141814288495271, 0.5022392975593062,
              1.0)  # fmt: skip
_ONE = 3.925  # from here on erf is 1 in single precision


def _horner(coefficients, x):
    out = coefficients[0] * x + coefficients[1]
    for c in coefficients[2:]:
        out *= x
        out += c
    return out


def _one_by_one(f, x):
    return np.array([f(v) for v in x.ravel().tolist()], x.dtype).reshape(x.shape)


def _scaled_tail(z):
    """exp(z^2) erfc(z), for z >= 0."""
    far = _FAR_64 if z.dtype == np.float64 else _FAR_32
    # (z - k) / (z + k), written so that an infinite z gives 1
    return _horner(far, 1 - 2 * SCALE / (z + SCALE)) / (z + 1)


def _erf_of_many(x):
    x = np.clip(x, -_ONE, _ONE)
    square = x * x
    out = _horner(_TOP_32, square)
    out *= x
    out /= _horner(_BOTTOM_32, square)
    return np.clip(out, -1, 1, out=out)


def erf(x):
    """The error function, elementwise."""
    x = np.asarray(x)
    if x.size < FEW:
        return _one_by_one(math.erf, x)
    if x.size > READABLE and x.dtype == np.float32:
        return _erf_of_many(x)
    z = np.abs(x)
    near = x * _horner(_NEAR_64 if x.dtype == np.float64 else _NEAR_32, np.minimum(z * z, 1))
    far = 1 - np.exp(-z * z) * _scaled_tail(z)
    return np.where(z < 0.75, near, np.copysign(far, x))


def erfc(x):
    """1 - erf(x), accurate where that is small."""
    x = np.asarray(x)
    if x.size < FEW:
        return _one_by_one(math.erfc, x)
    z = np.abs(x)
    far = np.exp(-z * z) * _scaled_tail(z)
    near = 1 - x * _horner(_NEAR_64 if x.dtype == np.float64 else _NEAR_32, np.minimum(z * z, 1))
    return np.where(z < 0.5, near, np.where(x < 0, 2 - far, far))


def erfcx(x):
    """exp(x^2) erfc(x), which does not underflow."""
    x = np.asarray(x)
    tail = _scaled_tail(np.abs(x))
    negative = np.minimum(x, 0)
    return np.where(x < 0, 2 * np.exp(negative * negative) - tail, tail)


def erfinv(x):
    """The inverse of erf: infinite at -1 and 1, nan beyond."""
    given = np.asarray(x)
    x = np.clip(given.astype(np.float64), -1, 1)
    # a closed formula good to three digits, then Halley steps that triple the digits
    a = 0.147
    log = np.log1p(-x * x)
    b = 2 / (math.pi * a) + log / 2
    y = np.copysign(np.sqrt(np.sqrt(b * b - log / a) - b), x)
    y = np.where(np.abs(x) == 1, 0.0, y)
    small, miss = np.abs(x) < 0.5, np.empty_like(y)
    large, tail = ~small, 1 - np.abs(x)
    for _ in range(3 if given.dtype == np.float64 else 2):
        miss[small] = erf(y[small]) - x[small]
        # beyond 0.5 the difference of the complements keeps more digits
        miss[large] = np.sign(x[large]) * (tail[large] - erfc(np.abs(y[large])))
        step = miss / (2 / math.sqrt(math.pi) * np.exp(-y * y))
        y = y - step / (1 + y * step)
    y = np.where(np.abs(given) == 1, np.copysign(np.inf, x), np.where(np.abs(given) > 1, np.nan, y))
    return np.where(np.isnan(given), np.nan, y).astype(given.dtype)
