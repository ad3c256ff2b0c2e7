"""Composed functions that make or read elements themselves, and so have rules of their own on batches."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.batching.call import front
from engine.batching.randomness import drawn_by_level
from engine.batching.tensor import NO_ITEM, BatchedTensor, is_batched, level_of
from engine.composite import Composite
from engine.tensor import Tensor

DYNAMIC = (
    "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over aten::{}. Please "
    "file an issue at https://github.com/pytorch/pytorch/issues if you need this feature."
)
ComposedRule = Callable[[Any, Composite, list[Any]], Any]


def _alike(interpreter: Any, record: Composite, values: list[Any]) -> Any:
    """`zeros_like` and its kin: one for every sample, where the samples lie in the model."""
    model = values[0]
    if not is_batched(model):
        return record.function(*values)
    made = _alike(interpreter, record, [model._value, *values[1:]])
    return BatchedTensor.around(made, model._dim, model._level)


def _new(interpreter: Any, record: Composite, values: list[Any]) -> Any:
    """`new_zeros` and its kin: one for every sample."""
    model = values[0]
    if not is_batched(model):
        return record.function(*values)
    batch = () if model._dim is None else (interpreter.level(model._level).size,)
    made = _new(interpreter, record, [model._value, (*batch, *values[1]), *values[2:]])
    return BatchedTensor.around(made, 0 if batch else None, model._level)


def _drawn(interpreter: Any, record: Composite, values: list[Any]) -> Any:
    """`rand` and its kin: a size for all samples where they are to differ."""
    at = [p.name for p in record.signature.params].index("size")

    def draw(size: tuple[int, ...]) -> Any:
        return record.function(*values[:at], size, *values[at + 1 :])

    return drawn_by_level(interpreter.levels, draw, tuple(values[at]))


def _drawn_alike(interpreter: Any, record: Composite, values: list[Any]) -> Any:
    """`rand_like` and its kin."""
    model = values[0]

    def draw(size: tuple[int, ...]) -> Any:
        return record.function(Tensor._wrap(np.broadcast_to(np.zeros((), model._a.dtype), size)), *values[1:])

    return drawn_by_level(interpreter.levels, draw, tuple(model.shape))


def _shuffled(interpreter: Any, record: Composite, values: list[Any]) -> Any:
    """`randperm`: each sample its own order where they are to differ."""

    def draw(size: tuple[int, ...]) -> Any:
        rows = [record.function(*values)._array() for _ in range(int(np.prod(size[:-1])))]
        return Tensor._wrap(np.array(rows).reshape(size))

    return drawn_by_level(interpreter.levels, draw, (values[0],))


def _one_hot(interpreter: Any, record: Composite, values: list[Any]) -> Any:
    """The number of classes must be said, for it may differ from sample to sample."""
    classes, count = values
    if not is_batched(classes):
        return record.function(*values)
    if count == -1:
        raise RuntimeError(NO_ITEM)
    made = _one_hot(interpreter, record, [front(classes._value, classes._dim), count])
    return BatchedTensor.around(made, None if classes._dim is None else 0, classes._level)


def _refusing(message: str) -> ComposedRule:
    def rule(interpreter: Any, record: Composite, values: list[Any]) -> Any:
        if level_of(values):
            raise RuntimeError(message)
        return record.function(*values)

    return rule


def _no_rrelu(interpreter: Any, record: Composite, values: list[Any]) -> Any:
    raise RuntimeError("vmap: we do not yet support aten::rrelu. Please file an issue")


COMPOSED: dict[str, ComposedRule] = {
    **dict.fromkeys(("zeros_like.model", "ones_like", "empty_like", "full_like"), _alike),
    **dict.fromkeys(("new_zeros", "new_ones", "new_empty", "new_full"), _new),
    **dict.fromkeys(
        (
            "rand", "rand.generator", "randn", "randn.generator", "randint", "randint.generator", "randint.low",
            "randint.low_generator", "normal.float_float",
        ),
        _drawn,
    ),
    **dict.fromkeys(
        (
            "rand_like", "rand_like.generator", "randn_like", "randn_like.generator", "randint_like",
            "randint_like.low_dtype",
        ),
        _drawn_alike,
    ),
    **dict.fromkeys(("randperm", "randperm.generator"), _shuffled),
    "rrelu": _no_rrelu,
    "one_hot": _one_hot,
    "equal": _refusing("Batching rule not implemented for aten::equal. We could not generate a fallback."),
    "allclose": _refusing(
        "vmap over torch.allclose isn't supported yet. Please file an issue at "
        "https://github.com/pytorch/pytorch/issues if you need this feature."
    ),
    "where": _refusing(DYNAMIC.format("where")),
    "nonzero.as_tuple": _refusing(DYNAMIC.format("nonzero")),
    "repeat_interleave.Tensor": _refusing(DYNAMIC.format("repeat_interleave")),
}  # fmt: skip
