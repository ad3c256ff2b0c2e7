"""Python data as arrays: the shape of nested sequences, the dtype PyTorch infers, and what does not fit it."""

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.dtypes import dtype
from engine.ops.layouts import laid_out_like
from engine.tensor import TensorBase
from engine.type_names import type_name
from engine.warning import warn_once

SUPPORTED = (
    "The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, "
    "uint64, "
    "uint32, uint16, uint8, and bool."
)
_SLOW = (
    "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a "
    "single "
    "numpy.ndarray with numpy.array() before converting to a tensor."
)


def array_from(data: Any, dt: dtype | None) -> np.ndarray:
    """A fresh array of nested sequences, numbers, numpy data or tensors, with the dtype PyTorch infers.

    Raises TypeError, ValueError or RuntimeError as `torch.tensor` does.
    """
    if isinstance(data, TensorBase):
        if isinstance(data._a, np.ndarray) and type(data._a) is not np.ndarray:  # of a tensor inside a vmap
            raise RuntimeError(errors.DETACH_VIEW_INPLACE)
        a = data._a
        return laid_out_like(a, np.array(a, dtype=dt.numpy if dt is not None else None))
    if isinstance(data, np.ndarray | np.generic):
        data = plain_array(data) if isinstance(data, np.ndarray) else data
        check_numpy(data)
        check_strides(data)
        return np.array(data) if dt is None else np.array(data).astype(dt.numpy)
    if isinstance(data, str | bytes):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    shape = _shape_of(data)
    flat: list[Any] = []
    kinds: set[Any] = set()
    try:
        _flatten(data, shape, 0, flat, kinds)
    except (_NoNumber, ValueError) as e:
        # Without a dtype PyTorch looks for one first: an element that has none counts before a wrong length.
        found = dt if dt is not None else _infer(_kinds_within(data))
        if isinstance(e, ValueError):
            raise
        kind = type_name(e.args[0])
        if found.is_floating_point or found.is_complex:
            raise TypeError(f"must be real number, not {kind}") from None
        raise TypeError(f"'{kind}' object cannot be interpreted as an integer") from None
    return _array(flat, dt if dt is not None else _infer(kinds), kinds).reshape(shape)


def plain_array(a: np.ndarray) -> np.ndarray:
    """The same memory without what a subclass of numpy's array has made of its methods and of numpy's functions."""
    return a if type(a) is np.ndarray else np.ndarray.view(a, np.ndarray)


def check_numpy(a: Any) -> None:
    """Raise TypeError for numpy data of a type that torch does not have."""
    if a.dtype.kind not in "biufc":
        raise TypeError(f"can't convert np.ndarray of type numpy.{a.dtype.type.__name__}. {SUPPORTED}")


def check_strides(a: Any) -> None:
    """Raise ValueError for an array that is read backwards."""
    if any(s < 0 for s in a.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
            "currently supported. (You can probably work around this by making a copy of your array  with "
            "array.copy().) "
        )


def _shape_of(data: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while isinstance(data, Sequence) and not isinstance(data, str | bytes):
        shape.append(len(data))
        if not len(data):
            break
        data = data[0]
        if len(shape) > 128:
            raise ValueError("too many dimensions 'list'")
    if isinstance(data, np.ndarray):
        if shape:
            warn_once(_SLOW)
        shape.extend(data.shape)
    if isinstance(data, str):
        raise ValueError("too many dimensions 'str'")
    if isinstance(data, bytes):
        raise TypeError("new(): invalid data type 'bytes'")
    return tuple(shape)


def _flatten(data: Any, shape: tuple[int, ...], depth: int, out: list[Any], kinds: set[Any]) -> None:
    """Collect the elements, and in `kinds` their Python types or dtypes."""
    if depth == len(shape):
        out.append(_scalar(data, kinds))
        return
    if isinstance(data, np.ndarray):
        if data.shape != shape[depth:]:
            got = data.shape[0] if data.ndim else 0
            raise ValueError(f"expected sequence of length {shape[depth]} at dim {depth} (got {got})")
        kinds.add(dtypes.from_numpy(data.dtype))
        out.extend(data.ravel().tolist())
        return
    if not isinstance(data, Sequence) or isinstance(data, str | bytes):
        raise TypeError("not a sequence")
    if len(data) != shape[depth] and shape[depth]:
        raise ValueError(f"expected sequence of length {shape[depth]} at dim {depth} (got {len(data)})")
    if shape[depth]:
        for item in data:
            _flatten(item, shape, depth + 1, out, kinds)


def _scalar(v: Any, kinds: set[Any]) -> Any:
    if isinstance(v, np.generic):
        check_numpy(v)
        kinds.add(dtypes.from_numpy(v.dtype))
        return v.item()
    if isinstance(v, bool | int | float | complex):
        kinds.add(type(v))
        return v
    if isinstance(v, TensorBase):
        if v._a.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        if v._needs_grad:
            warn_once(errors.GRADIENT_TO_NUMBER)
        kinds.add(v.dtype)
        return v._a.item()
    raise _NoNumber(v)


class _NoNumber(Exception):
    """An element is none; the words for it depend on what was asked for, and on what else is there."""


def _kinds_within(data: Any) -> set[Any]:
    """The types of all elements, in whatever nesting. Raises TypeError or RuntimeError for one that has no dtype."""
    if isinstance(data, str | bytes):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if isinstance(data, Sequence):
        return set().union(*map(_kinds_within, data)) if len(data) else {float}
    if hasattr(data, "dtype"):
        return {data.dtype if isinstance(data, TensorBase) else dtypes.from_numpy(data.dtype)}
    if not isinstance(data, bool | int | float | complex):
        raise RuntimeError(f"Could not infer dtype of {type_name(data)}")
    return {type(data)}


def _infer(kinds: set[Any]) -> dtype:
    known: dict[Any, dtype] = {
        bool: dtypes.bool_, int: dtypes.int64, float: dtypes.get_default_dtype(),
        complex: dtypes.get_default_complex_dtype(),
    }  # fmt: skip
    return reduce(dtypes.promote_types, [known.get(k) or k for k in kinds]) if kinds else dtypes.get_default_dtype()


def _array(flat: list[Any], wanted: dtype, kinds: set[Any]) -> np.ndarray:
    """The elements in a dtype. Raises RuntimeError, TypeError or ValueError for one that does not fit."""
    if wanted.rank == 1:
        return _whole(flat, wanted)
    if wanted.rank == 2 and (complex in kinds or any(isinstance(k, dtype) and k.is_complex for k in kinds)):
        raise TypeError("must be real number, not complex")
    return np.array(flat, dtype=wanted.numpy)


def _whole(flat: list[Any], wanted: dtype) -> np.ndarray:
    """Integers, fractions cut off; an unsigned dtype takes negative integers whose size fits, and no fractions."""
    limits = np.iinfo(wanted.numpy)
    low = -int(limits.max) if limits.min == 0 else int(limits.min)
    whole = []
    for v in flat:
        if isinstance(v, complex):
            raise TypeError("'complex' object cannot be interpreted as an integer")
        if isinstance(v, float):
            if not math.isfinite(v) or (v < 0 and limits.min == 0):
                raise RuntimeError(f"value cannot be converted to type {wanted.name} without overflow")
            v = int(v)
            if not low <= v <= limits.max:
                raise RuntimeError(f"value cannot be converted to type {wanted.name} without overflow")
        elif not low <= v <= limits.max:
            if not -(2**63) <= v < 2**63:
                raise ValueError("Overflow when unpacking long long")
            raise RuntimeError(f"value cannot be converted to type {wanted.name} without overflow")
        whole.append(v % 2**64 if limits.min == 0 and limits.bits == 64 else v)
    return np.array(whole, np.uint64 if limits.min == 0 and limits.bits == 64 else np.int64).astype(wanted.numpy)
