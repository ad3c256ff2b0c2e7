"""Whether operands fit together, and whether a result fits where it is written: promotion, broadcasting, casts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.op import Op
from engine.ops.layouts import laid_out_like
from engine.ops.stored import check_storable
from engine.overlap import repeats
from engine.specialise import promoted


def check_broadcast(op: Op, arrays: list[Any]) -> None:
    """Raise RuntimeError when the shapes of the operands do not go together."""
    shapes = [a.shape for i in op.tensors if hasattr(a := arrays[i], "shape")]
    if op.signature.base == "rsub":  # which PyTorch computes as other - self
        shapes.reverse()
    for k, a in enumerate(shapes):
        for b in shapes[k + 1 :]:
            try:
                np.broadcast_shapes(a, b)
            except ValueError:
                raise errors.broadcast(a, b) from None


def check_target(op: Op, memory: np.ndarray, arrays: list[Any]) -> None:
    """Raise RuntimeError when the result of an elementwise op, which was not computed, would not fit its target."""
    operands = [a for i in promoted(op) if (a := arrays[i]) is not None]
    shape = np.broadcast_shapes(*(a.shape for a in operands if hasattr(a, "shape")))
    dt = dtypes.result_type(*[_Typed(a) if hasattr(a, "dtype") else a for a in operands])
    check_fits(op, memory, shape, dt.numpy)


def write(op: Op, memory: np.ndarray, out: Any) -> None:
    """Write an in-place op's result. Raises RuntimeError when shape or dtype do not fit."""
    dt = getattr(out, "dtype", None)
    if out.shape != memory.shape or dt != memory.dtype if dt is not None else memory.ndim:
        check_fits(op, memory, getattr(out, "shape", ()), dt)
    if repeats(memory):  # what an op left as it was must not be written over what it changed
        np.copyto(memory, out, casting="unsafe", where=out != memory)
    else:
        np.copyto(memory, out, casting="unsafe")


_IN_CPP = frozenset(("clamp", "clamp_min", "clamp_max"))
"""Operators that name the dtype they cannot write by its name in C++."""


def check_fits(op: Op, memory: np.ndarray, shape: tuple[int, ...], dt: np.dtype | None) -> None:
    """Raise RuntimeError when a result of this shape and dtype cannot be written into `memory`."""
    if shape != memory.shape and np.broadcast_shapes(shape, memory.shape) != memory.shape:
        raise errors.written(memory.shape, shape)
    if dt is not None and dt != memory.dtype:
        check_storable(dtypes.from_numpy(dt), memory.dtype, op.name in _IN_CPP)


_NUMBER_RANK = {bool: 0, int: 1, float: 2, complex: 3}


def promote(op: Op, arrays: list[Any]) -> None:
    """Cast the operands to their common dtype, as PyTorch promotes."""
    positions = promoted(op)
    first = None
    mixed = False
    number: Any = None
    for i in positions:
        a = arrays[i]
        if a is None:
            continue
        d = getattr(a, "dtype", None)
        if d is None:
            if type(a) is list:
                mixed = True
            elif number is None or _NUMBER_RANK.get(type(a), 2) > _NUMBER_RANK.get(type(number), 2):
                number = a
        elif first is None:
            first = d
        elif d is not first and d != first:
            mixed = True
    if type(number) is bool and op.signature.base in ("sub", "rsub"):
        raise RuntimeError(errors.BOTH_BOOL if first == np.bool_ else errors.BOOL_SUBTRACTION)
    if not mixed:
        if first is None:
            first = dtypes.dtype_of_number(number).numpy
            for i in positions:
                if type(arrays[i]) in _NUMBER_RANK:
                    arrays[i] = first.type(arrays[i])
        kind = first.kind
        if kind in "fcV":
            if type(number) is not complex or kind == "c":
                return
        elif op.promote == "common" and (
            number is None or (type(number) is int and kind in "iu") or type(number) is bool
        ):
            return
    cast(op, arrays, positions)


class _Typed:
    """What promotion asks of an array."""

    __slots__ = ("dtype", "ndim")

    def __init__(self, array: Any):
        self.dtype, self.ndim = dtypes.from_numpy(array.dtype), array.ndim


def cast(op: Op, arrays: list[Any], positions: Sequence[int]) -> None:
    """The slow path of `promote`: dtypes differ, or a number is of a higher kind."""
    flat: list[Any] = []
    for i in positions:
        flat.extend(arrays[i] if type(arrays[i]) is list else [arrays[i]])
    if not flat:
        return  # an empty list of tensors, which the kernel refuses
    if op.signature.base in ("sub", "rsub", "dist") and any(getattr(x, "dtype", None) == np.bool_ for x in flat):
        raise RuntimeError(errors.BOOL_SUBTRACTION)
    wanted = dtypes.result_type(*[_Typed(x) if hasattr(x, "dtype") else x for x in flat if x is not None])
    if op.promote == "float" and not (wanted.is_floating_point or wanted.is_complex):
        wanted = dtypes.get_default_dtype()
    np_type = wanted.numpy
    for i in positions:
        a = arrays[i]
        if type(a) is list:
            arrays[i] = [x if x.dtype == np_type else x.astype(np_type) for x in a]
        elif hasattr(a, "dtype") and a.dtype != np_type:
            arrays[i] = laid_out_like(a, a.astype(np_type))
        elif type(a) in _NUMBER_RANK and op.signature.params[i].type == "Tensor":
            arrays[i] = np_type.type(a)
