"""Values that meet at one place and are combined there: what scatter_reduce and index_reduce share."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.ops.copy import NEW_ZEROS

COMBINE = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


def combined(out: np.ndarray, where: Any, values: Any, reduce: str, include_self: bool) -> np.ndarray:
    """What stands at the places `where` of `out` once `values` are combined into it; `out` itself is written."""
    if not include_self:
        out[where] = _neutral(reduce, out.dtype)
    COMBINE[reduce].at(out, where, values)
    if reduce != "mean":
        return out
    count = np.full(out.shape, int(include_self))
    np.add.at(count, where, 1)
    return _divided(out, count)


def _neutral(reduce: str, dtype: np.dtype) -> Any:
    """What changes nothing when it is combined."""
    if reduce in ("sum", "mean", "prod"):
        return int(reduce == "prod")
    sign = -1 if reduce == "amax" else 1
    if dtype.kind == "f":
        return sign * np.inf
    info = np.iinfo(dtype)
    return info.min if sign < 0 else info.max


def _divided(total: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Means from sums; integers are rounded down, and what nothing was added to stays."""
    count = np.maximum(count, 1)
    return total // count if total.dtype.kind in "iu" else total / count.astype(total.dtype)


def reduced_gradients(
    grad: Any,
    self: Any,
    source: Any,
    reduce: str,
    include_self: bool,
    result: Any,
    pick: Callable[[Any], Any],
    add: Callable[[Any, Any], Any],
    clear: Callable[[Any], Any],
) -> tuple[Any, Any]:
    """The gradients of the target and of the values combined into it.

    Args:
        pick: of a tensor like the target, what stands where each value went.
        add: adds a tensor like the values to one like the target, each where it goes.
        clear: puts zeros where values went.
    """
    if reduce == "sum":
        ours, theirs = grad, pick(grad)
    elif reduce == "mean":
        count = NEW_ZEROS(grad, self.shape) + int(include_self)
        count = add(count, NEW_ZEROS(grad, source.shape) + 1)
        count = count + (count == 0)
        ours, theirs = grad / count, pick(grad) / pick(count)
    elif reduce == "prod":
        ours = grad * result / self
        theirs = pick(grad * result) / source
    else:
        ones = NEW_ZEROS(grad, source.shape) + 1
        self_wins = (self == result) * (NEW_ZEROS(grad, self.shape) + 1)
        source_wins = (source == pick(result)) * ones
        if not include_self:
            self_wins = clear(self_wins)
        shared = grad / add(self_wins, source_wins)
        ours, theirs = self_wins * shared, source_wins * pick(shared)
    return ours if include_self else clear(ours), theirs
