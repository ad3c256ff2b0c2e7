"""`torch.Size`: the tuple that shapes are."""

import math
from collections.abc import Iterable
from typing import Any


class Size(tuple[int, ...]):
    """A tuple of ints that prints as torch.Size([2, 3])."""

    __module__ = "torch"
    __slots__ = ()

    def __new__(cls, sizes: Iterable[int] = ()) -> "Size":
        made = super().__new__(cls, sizes)
        for i, n in enumerate(made):
            if type(n) is not int and not hasattr(n, "__index__"):
                raise TypeError(f"torch.Size() takes an iterable of 'int' (item {i} is '{type(n).__name__}')")
        return made

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
