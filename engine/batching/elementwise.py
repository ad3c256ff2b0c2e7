"""Operators that work element by element: operands are aligned so that their batches lie along the first dimension."""

from typing import Any

from engine.batching.call import Call, Result, front, in_front, padded
from engine.batching.tensor import TOO_SMALL
from engine.dispatch import run
from engine.dtypes import from_numpy, result_type
from engine.ops.copy import TO_COPY
from engine.ops.fill import ZEROS_LIKE
from engine.ops.masking import WHERE
from engine.tensor import TensorBase


def one_tensor(call: Call) -> Result | list[Result]:
    """Of one tensor: its samples stay where they are."""
    out = call.run()
    dim = call.dims[call.op.tensors[0]]
    return [(t, dim) for t in out] if isinstance(out, tuple) else (out, dim)


def pointwise(call: Call) -> Result | list[Result]:
    """Of several operands that broadcast."""
    op = call.op
    if op.signature.base == "zero_":
        return call.run([call.to_front(0)]), 0
    if len(op.tensors) == 1:
        return one_tensor(call)
    given = [i for i in op.tensors if isinstance(call.values[i], TensorBase)]
    rank = max(call.rank(i) for i in given)
    if call.inplace and call.dims[0] is None and op.signature.base in ("copy_", "fill_"):
        raise RuntimeError(TOO_SMALL.format("inplace arithmetic"))
    values = list(call.values)
    if op.promote is not None and len(given) > 1:
        _promote(call, values, given)
    for i in given:
        if call.dims[i] is not None:
            values[i] = padded(front(values[i], call.dims[i]), rank)
    return in_front(call.run(values))


def _promote(call: Call, values: list[Any], given: list[int]) -> None:
    """Numbers of a batch count as numbers when dtypes meet, although below the level they are vectors."""
    if not any(call.dims[i] is not None and call.rank(i) == 0 for i in given):
        return
    wanted = result_type(*[_Typed(values[i]._a.dtype, call.rank(i)) for i in given])
    for i in given[call.inplace :]:
        if values[i].dtype is not wanted:
            values[i] = run(TO_COPY, [values[i], wanted, None, None, None, False, None])


def masked_filled(self: Any, mask: Any, value: Any) -> Any:
    """masked_fill by a tensor."""
    return run(WHERE, [mask, value.to(self.dtype), self])


def filled(self: Any, value: Any) -> Any:
    """fill by a tensor."""
    return run(ZEROS_LIKE, [self]) + value.to(self.dtype)


class _Typed:
    """What promotion asks of a tensor."""

    __slots__ = ("dtype", "ndim")

    def __init__(self, dtype: Any, ndim: int):
        self.dtype, self.ndim = from_numpy(dtype), ndim
