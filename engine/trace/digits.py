"""Six significant digits, of many numbers at once: what numbers that only describe a tensor are sent with."""

import numpy as np

_DIGITS = 6
_POWERS = np.array([10.0**k for k in range(23)])  # those a double holds exactly, so that the division below rounds once


def rounded(numbers: list[float]) -> list[float]:
    """Each number with as many digits as `f"{x:.6g}"` gives it; what is not finite stays."""
    if not numbers:
        return []
    x = np.array(numbers)
    size = np.abs(x)
    reached = (size > 1e-15) & (size < 1e22)
    size[~reached] = 1.0
    odd = ~(reached | (x == 0) | ~np.isfinite(x))  # out of the exact powers' reach
    x[odd] = 0.0
    places = _DIGITS - 1 - np.floor(np.log10(size)).astype(np.intp)
    powers = _POWERS[np.abs(places)]
    up = places >= 0
    out = np.where(up, np.rint(x * powers) / powers, np.rint(x / powers) * powers)
    result = out.tolist()
    for i in np.flatnonzero(odd).tolist():
        result[i] = float(f"{numbers[i]:.{_DIGITS}g}")
    return result
