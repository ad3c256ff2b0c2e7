"""Composites as PyTorch's own Python code calls them: through the argument parser, with its errors."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from engine.builtin import builtin
from engine.composite import Composite
from engine.dispatch import run_inplace
from engine.functions import caller
from engine.op import Op
from engine.overloads import Overload


def parsed(*records: Composite | Op) -> Callable[..., Any]:
    """A callable that checks and converts its arguments by the signatures of `records`, which have one name."""
    overloads = [Overload(r.signature, caller(r), r.numbers, False) for r in records]
    name = records[0].signature.base
    return builtin(name, overloads, False, f"{name}, with its arguments checked")


@cache
def checked(
    record: Composite | Op, name: str = "", inplace: bool = False, is_method: bool = False
) -> Callable[..., Any]:
    """A callable that checks its arguments by one signature, under its own name or another; or the in-place form.

    Args:
        is_method: messages count the arguments after the tensor.
    """
    base = record.signature.base
    shown = name or (f"{base}_" if inplace and not base.endswith("_") else base)
    call = partial(run_inplace, record) if inplace and isinstance(record, Op) else caller(record)
    return builtin(shown, [Overload(record.signature, call, record.numbers, is_method, False)], is_method, shown)
