"""Composites as PyTorch's own Python code calls them: through the argument parser, with its errors."""

from collections.abc import Callable
from typing import Any

from engine.builtin import builtin
from engine.composite import Composite
from engine.functions import caller
from engine.op import Op
from engine.overloads import Overload


def parsed(*records: Composite | Op) -> Callable[..., Any]:
    """A callable that checks and converts its arguments by the signatures of `records`, which have one name."""
    overloads = [Overload(r.signature, caller(r), r.numbers, False) for r in records]
    name = records[0].signature.base
    return builtin(name, overloads, False, f"{name}, with its arguments checked")
