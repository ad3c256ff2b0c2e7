"""Entering and leaving a vmap: tensors go below a level, and come back with the samples along a dimension."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.batching.call import moved
from engine.batching.interpreter import Interpreter, Level
from engine.batching.tensor import BatchedTensor, is_batched, part
from engine.dispatch import run
from engine.levels import next_number
from engine.modes import STATE
from engine.ops.checks import wrap_dim
from engine.ops.views import EXPAND
from engine.tensor import TensorBase


@contextmanager
def batching(size: int, randomness: str = "error") -> Iterator[Level]:
    """One more level, for so many samples, as long as the block runs."""
    outer = STATE.batching
    if outer is not None and not isinstance(outer, Interpreter):
        raise NotImplementedError(
            "The playground does not yet combine vmap with autocast: call it outside of the autocast region, or cast "
            "by hand with .to(torch.bfloat16)"
        )
    interpreter = outer if outer is not None else Interpreter()
    level = Level(next_number(), size, randomness)
    interpreter.levels.append(level)
    STATE.batching = interpreter
    transforms = STATE.transforms
    STATE.transforms = (*transforms, level)
    try:
        yield level
    finally:
        interpreter.levels.remove(level)
        STATE.batching = outer
        STATE.transforms = transforms


def current() -> int:
    """The number of the innermost active level, 0 outside."""
    return STATE.batching.levels[-1].number if isinstance(STATE.batching, Interpreter) else 0


def sampled(t: Any, dim: int | None, level: Level) -> Any:
    """A tensor as one sample of it, along `dim`; None leaves it as it is."""
    return t if dim is None else BatchedTensor.around(t, dim % t.ndim, level.number)


def gathered(t: TensorBase, out_dim: int, level: Level) -> Any:
    """All samples of a tensor along `out_dim`. Raises IndexError for a dimension that is not there."""
    value, dim = part(t, level.number)
    out_dim = wrap_dim(out_dim, t.ndim + 1)
    if dim is None:
        shape = list(value.shape)
        shape.insert(out_dim, level.size)
        return run(EXPAND, [value, tuple(shape), False])  # as PyTorch has it, which only fits where sizes agree
    return value if dim == out_dim else moved(value, dim, out_dim)


__all__ = ["batching", "current", "gathered", "is_batched", "sampled"]
