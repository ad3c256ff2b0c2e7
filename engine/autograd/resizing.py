"""`Tensor.resize` and `Tensor.resize_as`: the same elements in another shape, recorded as a node of their own."""

import math
from typing import Any

from engine.autograd.function import Function
from engine.warning import warn


class Resize(Function):
    """A view of as many elements."""

    @staticmethod
    def forward(ctx: Any, tensor: Any, sizes: Any) -> Any:
        """The elements in a shape. Raises RuntimeError for another number of them."""
        count = math.prod(sizes)
        if tensor.numel() != count:
            raise RuntimeError(
                f"requested resize to {'x'.join(map(str, sizes))} ({count} elements in total), but the given tensor "
                f"has a size of {'x'.join(map(str, tensor.size()))} ({tensor.numel()} elements). autograd's resize can "
                "only change the shape of a given tensor, while preserving the number of elements. "
            )
        ctx.sizes, ctx.numel, ctx.input_sizes = sizes, count, tensor.size()
        return tensor.contiguous().view(*sizes)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradient in the shape of before."""
        return grads[0].contiguous().view(ctx.input_sizes), None


def resize(self: Any, *sizes: Any) -> Any:
    """The elements in another shape. Deprecated."""
    warn("non-inplace resize is deprecated")
    return Resize.apply(self, sizes)


def resize_as(self: Any, tensor: Any) -> Any:
    """The elements in the shape of another tensor. Deprecated."""
    warn("non-inplace resize_as is deprecated")
    return Resize.apply(self, tensor.size())


def attach(cls: Any) -> None:
    """Give `cls` the methods of this module."""
    cls.resize, cls.resize_as = resize, resize_as
