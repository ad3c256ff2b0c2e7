"""exp and its relatives in single precision, rounded as PyTorch rounds them.

numpy's single-precision versions are off by one unit in the last place in up to four results of ten; PyTorch's are
almost always the correctly rounded ones. A program that prints `x.exp().tolist()` shows the difference, so arrays that
somebody may read are computed in double precision and rounded once. Larger ones take numpy's fast way.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

READABLE = 512  # elements; up to here double precision costs a few microseconds


def rounded(f: np.ufunc) -> Callable[[Any], Any]:
    """A ufunc of one argument, computed in double precision for small arrays of single precision."""

    def kernel(x: Any) -> Any:
        if x.dtype.char == "f" and x.size <= READABLE:
            return f(x, dtype=np.float64).astype(np.float32)
        return f(x)

    return kernel


exp = rounded(np.exp)
expm1 = rounded(np.expm1)
log = rounded(np.log)
log1p = rounded(np.log1p)
log10 = rounded(np.log10)
sin = rounded(np.sin)
cos = rounded(np.cos)
tanh = rounded(np.tanh)
