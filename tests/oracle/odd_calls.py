"""Short names for the operands of recorded odd calls, made the same way whichever torch they are made with."""

from collections.abc import Callable
from math import inf, nan, prod
from typing import Any

import numpy as np

DTYPES = {
    "f16": "float16", "f32": "float32", "f64": "float64", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "u8": "uint8", "b1": "bool", "c64": "complex64", "c128": "complex128",
}  # fmt: skip
_FILLS: dict[str, tuple[Callable[[int], Any], str, bool]] = {
    "R": (lambda k: (k - 8) / 4 + 1 / 8, "float32", True),  # real numbers of both signs
    "P": (lambda k: (k + 2) / 8, "float32", True),  # positive ones
    "U": (lambda k: (k + 1 + k % 2 * 10) / 32, "float32", True),  # between 0 and 1
    "S": (lambda k: (k - 8) / 9 + 1 / 32, "float32", True),  # between -1 and 1
    "G": (lambda k: 1 + (k + 1) / 8, "float32", True),  # greater than 1
    "N": (lambda k: k - 8, "int64", False),  # integers
    "N0": (lambda k: k, "int64", False),  # natural numbers
    "B": (lambda k: k % 3 > 0, "bool", False),  # truth values
}
_SPD = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]
_GEN = [[2.0, 1.0, 0.5], [-1.0, 3.0, 0.25], [0.5, -0.75, 1.5]]


def operands(torch: Any) -> dict[str, Any]:
    """What a recorded call may name; each use of a fill gives other numbers, from the start for each call of this."""
    uses = 0

    def fill(name: str, shape: tuple[int, ...], grad: bool, dtype: Any) -> Any:
        nonlocal uses
        uses += 1
        number, kind, real = _FILLS[name]
        t = torch.tensor([number((i * 5 + uses * 7) % 17) for i in range(prod(shape))], dtype=torch.float64)
        t = t.reshape(shape).to(getattr(torch, kind) if dtype is None else dtype)
        wanted = grad and real and (t.dtype.is_floating_point or t.dtype.is_complex)
        return t.requires_grad_(True) if wanted else t

    def filled(name: str) -> Callable[..., Any]:
        return lambda *shape, g=True, d=None: fill(name, shape, g, d)

    def matrix(rows: Any) -> Callable[..., Any]:
        return lambda g=True, d=torch.float32: torch.tensor(rows, dtype=d, requires_grad=g)

    return {
        "torch": torch, "nn": torch.nn, "F": torch.nn.functional, "np": np, "nan": nan, "inf": inf,
        "L": lambda *numbers: torch.tensor(numbers), "SPD": matrix(_SPD), "GEN": matrix(_GEN),
        **{name: filled(name) for name in _FILLS}, **{k: getattr(torch, v) for k, v in DTYPES.items()},
    }  # fmt: skip
