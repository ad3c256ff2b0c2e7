"""How torch.nn.functional says whether and how a loss is reduced."""

import warnings
from typing import Any

from engine.ops.loss import MEAN, NONE, SUM

_NUMBERS = {"none": NONE, "mean": MEAN, "sum": SUM}


def number_of(reduction: str) -> int:
    """ATen's number of "none", "mean" or "sum". Raises ValueError for another word."""
    for word, number in _NUMBERS.items():  # whatever is given is compared: it need not be hashable
        if reduction == word:
            return number
    if reduction == "elementwise_mean":
        warnings.warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.", stacklevel=2)
        return MEAN
    raise ValueError(f"{reduction} is not a valid value for reduction")


def legacy(size_average: bool | None, reduce: bool | None, reduction: str) -> str:
    """The word that the two old flags mean, with a warning; without them the word given."""
    if size_average is None and reduce is None:
        return reduction
    size_average = True if size_average is None else size_average
    reduce = True if reduce is None else reduce
    word = "mean" if size_average and reduce else "sum" if reduce else "none"
    warnings.warn(
        f"size_average and reduce args will be deprecated, please use reduction='{word}' instead.", stacklevel=2
    )
    return word


def reduced(values: Any, reduction: int) -> Any:
    """A tensor's mean, sum, or itself."""
    return values.mean() if reduction == MEAN else values.sum() if reduction == SUM else values
