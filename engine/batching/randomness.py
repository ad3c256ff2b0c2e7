"""Random numbers inside a vmap: refused, the same for all samples, or different for each."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.batching.call import front, with_samples
from engine.batching.tensor import BatchedTensor, is_batched, level_of
from engine.dispatch import run_inplace
from engine.op import Op
from engine.ops.copy import COPY_
from engine.tensor import Tensor, TensorBase

RANDOM = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' "
    "randomness flags on vmap or perform the randomness operation out of vmap"
)
_UNBATCHED = (
    "vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will appear like same randomness. "
    "If this is necessary for your usage, please file an issue with functorch."
)
_SAME_OF_BATCHED = (
    "Vmap does not currently support same randomness with a batched tensor input. Please file an issue with functorch"
)
DRAWING = {
    "bernoulli", "normal", "multinomial", "poisson", "uniform_", "normal_", "bernoulli_", "exponential_", "random_",
    "cauchy_", "log_normal_", "geometric_", "_standard_gamma", "_sample_dirichlet", "binomial",
}  # fmt: skip
"""Operators that draw random numbers."""


def forbid(levels: Sequence[Any]) -> None:
    """Raise RuntimeError where one of the active vmaps allows no random operator."""
    if any(level.randomness == "error" for level in levels):
        raise RuntimeError(RANDOM)


def drawn_by_level(levels: Sequence[Any], draw: Callable[[tuple[int, ...]], Any], size: tuple[int, ...]) -> Any:
    """draw(size), of a size that has room for the samples of every level that wants different numbers."""
    forbid(levels)
    different = [level for level in levels if level.randomness == "different"]
    t = draw((*[level.size for level in different], *size))
    for level in different:
        t = BatchedTensor.around(t, 0, level.number)
    return t


def adapted(levels: Sequence[Any], op: Op, values: list[Any]) -> list[Any]:
    """The arguments of a drawing operator, with what is the same for all samples repeated where numbers are to differ.

    Raises RuntimeError as PyTorch does.
    """
    forbid(levels)
    level = levels[-1]
    inplace = op.signature.base.endswith("_")
    if level.randomness == "different":
        if level_of(values) == level.number and not (inplace and not level_of(values[:1])):
            return values
        if inplace:
            raise RuntimeError(_UNBATCHED)
        at = next(i for i in op.tensors if isinstance(values[i], TensorBase))
        repeated = BatchedTensor.around(with_samples(values[at], level.size), 0, level.number)
        return [*values[:at], repeated, *values[at + 1 :]]
    if level_of(values) == level.number and not inplace:
        raise RuntimeError(_SAME_OF_BATCHED)
    return values


def filled_alike(op: Op, values: list[Any]) -> Any:
    """An in-place draw of the same numbers for every sample of a batched tensor."""
    target = values[0]
    sample = Tensor._wrap(np.zeros(target._a.shape, target._a.dtype))
    run_inplace(op, [sample, *values[1:]])
    whole = front(target._value, target._dim) if is_batched(target) else target
    run_inplace(COPY_, [whole, sample, False])
    return target
