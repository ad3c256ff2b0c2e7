"""How results lie in memory, which `stride()` shows: rows one after the other, or columns as LAPACK has them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np


def by_rows(x: Any) -> Any:
    """Contiguous; a copy only where numpy, following its inputs, arranged the array in another order."""
    return x if x.flags.c_contiguous else np.ascontiguousarray(x)


def by_columns(x: Any) -> Any:
    """Every matrix of a batch column by column."""
    turned = np.swapaxes(x, -1, -2)
    return x if turned.flags.c_contiguous else np.swapaxes(np.ascontiguousarray(turned), -1, -2)


def laid_out_like(model: Any, x: Any) -> Any:
    """The elements of `x` in the order that those of `model`, of the same shape, have in memory."""
    if model.flags.c_contiguous:
        return x
    out = np.empty_like(model, x.dtype)
    out[...] = x
    return out


def contiguous_results(forward: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel whose results are contiguous whatever its inputs are, as those of PyTorch's reductions are."""

    @wraps(forward)
    def kernel(*args: Any, **kwargs: Any) -> Any:
        out = forward(*args, **kwargs)
        if type(out) is tuple:
            return tuple([x if x.flags.c_contiguous else np.ascontiguousarray(x) for x in out])
        return out if out.flags.c_contiguous else np.ascontiguousarray(out)

    return kernel
