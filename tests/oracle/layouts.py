"""Operands that lie in memory in different ways, made the same whichever torch they are made with."""

from collections.abc import Callable
from math import prod
from typing import Any


def operands(torch: Any) -> dict[str, Any]:
    """By name what a recorded expression may use: of a size, in an order of dimensions, sliced, repeated."""

    def base(*shape: int) -> Any:
        return (((torch.arange(prod(shape)) * 7) % 11).to(torch.float32) / 12 + 0.04).reshape(shape)

    def images(*shape: int) -> Any:
        return base(*shape).contiguous(memory_format=torch.channels_last)

    made: dict[str, Callable[[], Any]] = {
        "C": lambda: base(2, 3), "T": lambda: base(3, 2).t(), "S": lambda: base(2, 6)[:, ::2],
        "ST": lambda: base(3, 4)[:, ::2].t(), "rows": lambda: base(3).expand(2, 3),
        "columns": lambda: base(2, 1).expand(2, 3), "row": lambda: base(3), "column": lambda: base(2, 1),
        "C3": lambda: base(2, 3, 4), "P201": lambda: base(4, 2, 3).permute(1, 2, 0),
        "P021": lambda: base(2, 4, 3).permute(0, 2, 1), "P210": lambda: base(4, 3, 2).permute(2, 1, 0),
        "P102": lambda: base(3, 2, 4).permute(1, 0, 2), "S3": lambda: base(2, 3, 8)[..., ::2],
        "again": lambda: base(2, 1, 4).expand(2, 3, 4), "turned": lambda: base(4, 3).t(),
        "C4": lambda: base(2, 3, 4, 5), "CL": lambda: images(2, 3, 4, 5), "CL1": lambda: images(1, 3, 4, 5),
        "P4": lambda: base(5, 4, 3, 2).permute(3, 2, 1, 0), "channel": lambda: base(1, 3, 1, 1),
        "CLS": lambda: images(2, 3, 4, 10)[..., ::2], "none": lambda: base(3).expand(0, 3),
        "empty": lambda: base(0, 3),
        # dimensions of size 1, and of size 0, whose strides are whatever they came from
        "one_column": lambda: base(1, 3).t(), "one_row": lambda: base(3, 1).t(),
        "P1": lambda: base(2, 1, 3).permute(1, 2, 0), "P11": lambda: base(1, 1, 3).permute(2, 1, 0),
        "S1": lambda: base(2, 4, 3)[:, :1], "X1": lambda: base(3).expand(1, 3),
        "U1": lambda: base(3, 2).t().unsqueeze(2),
        "CL11": lambda: images(2, 3, 1, 1), "CLH": lambda: images(2, 3, 1, 5),
        "CLC": lambda: images(2, 3, 4, 5)[:, :1], "P0": lambda: base(2, 0, 3).permute(2, 1, 0),
        "S0": lambda: base(2, 3, 4)[..., :0], "T0": lambda: base(4, 3).t()[:0],
    }  # fmt: skip
    return {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, **{name: make() for name, make in made.items()}}


def described(result: Any) -> Any:
    """Sizes and strides of each tensor in a result."""
    if isinstance(result, list | tuple):
        return [described(part) for part in result]
    return [list(result.shape), list(result.stride())]
