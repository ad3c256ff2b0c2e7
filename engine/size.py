"""`torch.Size`: the tuple that shapes are."""

import math
import operator
from collections.abc import Iterable
from typing import Any

from engine.c_calls import takes_nothing
from engine.type_names import Native


def _is_integer(n: Any) -> bool:
    """Whether a value is an integer, or a tensor of one."""
    try:
        operator.index(n)
    except TypeError:
        return False
    return True


class Size(tuple[int, ...], metaclass=Native):
    """A tuple of ints that prints as torch.Size([2, 3])."""

    __module__ = "torch"
    __slots__ = ()

    def __new__(cls, sizes: Iterable[int] = ()) -> "Size":
        made = super().__new__(cls, sizes)
        for i, n in enumerate(made):
            if type(n) is not int and not _is_integer(n):
                raise TypeError(f"torch.Size() takes an iterable of 'int' (item {i} is '{type(n).__name__}')")
        return made

    @takes_nothing("Size.numel")
    def numel(self) -> int:
        """Product of the sizes."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, i: Any) -> Any:
        item = super().__getitem__(i)
        return Size(item) if isinstance(i, slice) else item

    def __add__(self, other: Any) -> "Size":
        return Size(tuple(self) + tuple(other))

    def __radd__(self, other: Any) -> "Size":
        return Size(tuple(other) + tuple(self))

    def __mul__(self, n: Any) -> "Size":
        return Size(tuple(self) * n)

    __rmul__ = __mul__

    def __reduce__(self) -> tuple[Any, ...]:
        return (Size, (tuple(self),))
