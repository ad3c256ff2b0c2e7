"""`Tensor.dim_order`: a tensor's dimensions from the outermost in memory to the innermost."""

from itertools import pairwise
from typing import Any

from engine.composite import python_function
from engine.layout import MEMORY_FORMATS, memory_format

_WRONG_CHECK = "The ambiguity_check argument must be a bool or a list of memory formats."
_AMBIGUOUS = "The tensor does not have unique dim order, or cannot map to exact one of the given memory formats."


def _wider(a: int, b: int) -> bool:
    return b == 0 or (a != 0 and (a >= b or a % b == 0))


def _compare(shape: Any, strides: Any, a: int, b: int) -> int:
    """1 where dimension `a` lies outside `b`, -1 where inside, 0 where nothing tells them apart."""
    if strides[a] == 0 or strides[b] == 0:
        return 0
    if strides[a] == strides[b]:
        return 0 if _wider(shape[b], shape[a]) else 1
    return -1 if _wider(strides[b], strides[a]) else 1


def _order(shape: Any, strides: Any) -> list[int]:
    """Sorted by insertion from the innermost on, since not all dimensions compare."""
    order = list(reversed(range(len(shape))))
    for i in range(1, len(order)):
        at = i
        for before in reversed(range(i)):
            found = _compare(shape, strides, order[before], order[at])
            if found > 0:
                order[before], order[at] = order[at], order[before]
                at = before
            elif found < 0:
                break
    return order


@python_function("method")
def dim_order(self: Any, *, ambiguity_check: Any = False) -> tuple[int, ...]:
    """The dimensions from the outermost in memory to the innermost.

    Raises RuntimeError where `ambiguity_check` asks for the only order, or memory format, and there are several;
    TypeError where it is neither a bool nor a list of memory formats.
    """
    formats = [] if isinstance(ambiguity_check, bool) else ambiguity_check
    if not isinstance(formats, list) or not all(isinstance(f, memory_format) for f in formats):
        raise TypeError(_WRONG_CHECK)
    shape, strides = self.shape, self.stride()
    checked = ambiguity_check is not False
    several = 1 in shape or any(a == b for a, b in pairwise(strides))
    if checked and several and sum(self.is_contiguous(memory_format=f) for f in formats) != 1:
        raise RuntimeError(_AMBIGUOUS)
    if len(shape) < 2:
        return tuple(range(len(shape)))
    by_rows, channels_last = (
        self.is_contiguous(memory_format=MEMORY_FORMATS[f]) for f in ("contiguous_format", "channels_last")
    )
    if by_rows != channels_last:
        return tuple(range(len(shape))) if by_rows else (0, *range(2, len(shape)), 1)
    order = _order(shape, strides)
    if ambiguity_check and any(_compare(shape, strides, a, b) != -1 for a, b in pairwise(order)):
        raise RuntimeError("The tensor does not have unique dim order.")
    return tuple(reversed(order))


dim_order.function.__qualname__ = "Tensor.dim_order"  # PyTorch writes this method in Python
