"""`x[…]` and `x[…] = value`: every kind of index as the ops that PyTorch runs for it, in the same order.

Integers become `select`, slices `slice`, None `unsqueeze`, one after the other, so each sees the result of the one
before. Tensors, lists and masks are collected and go to one `index` at the end.
"""

from collections.abc import Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from engine import dtypes
from engine.dispatch import run, run_inplace
from engine.ops.copy import COPY_
from engine.ops.fill import FILL_TENSOR_
from engine.ops.indexing import INDEX, INDEX_PUT
from engine.ops.kinds import held
from engine.ops.slicing import LAST, SELECT, SLICE
from engine.ops.views import ALIAS, EXPAND, UNSQUEEZE, VIEW
from engine.tensor import Tensor, TensorBase
from engine.type_names import type_name
from engine.warning import warn

_BAD_INDEX = "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {})"
_NO_DIMENSION = (
    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim "
    "tensor to a number"
)
_SEQUENCE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use "
    "x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], "
    "which will result either in an error or a different result"
)


def getitem(self: Any, key: Any) -> Any:
    """`self[key]`."""
    kind = type(key)
    if kind is int:
        return _select(self, 0, key, 0)
    if key is None:
        return run(UNSQUEEZE, [self, 0])
    if key is Ellipsis:
        return run(ALIAS, [self])
    if kind is slice:
        return _slice(self, 0, key, always=True)
    view, indices = _apply(self, _as_tuple(key))
    if indices:
        return run(INDEX, [view, indices])
    return run(ALIAS, [view]) if view is self else view


def setitem(self: Any, key: Any, value: Any) -> None:
    """`self[key] = value`: a copy into a view, or `index_put_` where tensors index."""
    kind = type(key)
    given: Any = value if isinstance(value, TensorBase) else _constant(self, value)
    if kind is int:
        _write(_select(self, 0, key, 0), given)
    elif kind is slice:
        _write(_slice(self, 0, key, always=False), given)
    elif key is None or key is True:
        _write(run(UNSQUEEZE, [self, 0]), given)
    elif key is Ellipsis:
        _write(self, given)
    elif key is False:
        return
    else:
        view, indices = _apply(self, _as_tuple(key))
        if not indices:
            _write(view, given)
            return
        masks = [i for i in indices if i is not None and i.dtype is dtypes.bool_]
        if len(masks) == len([i for i in indices if i is not None]) == 1 and given.numel() == 1:
            given = given.to(view.dtype)  # filling a mask converts; writing to places wants the same type
        if given.numel() == 1 and (mask := next((i for i in indices if i is not None), view)).dtype is dtypes.uint8:
            raise RuntimeError(
                f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype.cpp_name}"
            )
        shape = _without_leading_ones(given)
        run_inplace(INDEX_PUT, [view, indices, given if shape is None else run(VIEW, [given, shape]), False])


def _constant(self: Any, value: Any) -> Any:
    """A plain number as a tensor of the dtype of what it is written to."""
    if isinstance(value, np.integer | np.float64 | np.complex128):
        value = value.item()
    if not isinstance(value, bool | int | float | complex):
        name = ("numpy." if isinstance(value, np.generic | np.ndarray) else "") + type(value).__name__
        raise TypeError(f"can't assign a {name} to a torch.{self.dtype.torch_name}Tensor")
    wanted = self.dtype.numpy
    if self.dtype.is_floating_point and self.dtype.itemsize == 2:
        return Tensor._wrap(held(value, np.dtype(np.float64)).astype(wanted))
    return Tensor._wrap(held(value, wanted))


def _write(view: Any, value: Any) -> None:
    if view.shape == value.shape:
        run_inplace(COPY_, [view, value, False])
    elif value.ndim == 0:
        run_inplace(FILL_TENSOR_, [view, value])
    else:
        shape = _without_leading_ones(value)
        value = run(VIEW, [value, tuple(value.shape) if shape is None else shape])
        if value.shape != view.shape:
            value = run(EXPAND, [value, tuple(view.shape), True])
        run_inplace(COPY_, [view, value, False])


def _without_leading_ones(value: Any) -> tuple[int, ...] | None:
    """The shape without leading ones, which an assignment ignores; None if there are none."""
    shape = tuple(value.shape)
    if not shape or shape[0] != 1:
        return None
    first = next((i for i, n in enumerate(shape) if n != 1), len(shape))
    return shape[first:]


def _as_tuple(key: Any) -> tuple[Any, ...]:
    """The parts of an index. A list that contains more than numbers counts as a tuple, as it once did in numpy."""
    if isinstance(key, tuple):
        return key
    if isinstance(key, TensorBase) or not _is_sequence(key) or isinstance(key, range | np.ndarray):
        return (key,)
    if isinstance(key, str):
        warn(_SEQUENCE)
        raise TypeError("new(): invalid data type 'str'")
    if len(key) < 32 and any(
        isinstance(k, TensorBase | slice) or k is None or k is Ellipsis or _is_sequence(k) for k in key
    ):
        warn(_SEQUENCE)
        return tuple(key)
    return (key,)


def _is_sequence(key: Any) -> bool:
    return isinstance(key, Sequence | np.ndarray)


def _select(self: Any, dim: int, i: int, shown: int) -> Any:
    """One place of a dimension; errors speak of the dimension `shown`, which is the place in the index."""
    if self.ndim == 0 and i == 0:
        raise IndexError(_NO_DIMENSION)
    size = self._a.shape[dim] if self.ndim else 0
    if not -size <= i < size:
        raise IndexError(f"index {i} is out of bounds for dimension {shown} with size {size}")
    return run(SELECT, [self, dim, i])


def _bound(value: Any, default: int) -> int:
    if value is None:
        return default
    try:
        return as_index(value)
    except TypeError:
        raise TypeError("slice indices must be integers or None or have an __index__ method") from None


def _slice(self: Any, dim: int, key: slice, always: bool) -> Any:
    """A slice of a dimension; a whole one only runs an op when it is the whole index."""
    step = _bound(key.step, 1)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step < 0:
        raise ValueError("step must be greater than zero")
    start, stop = _bound(key.start, 0), _bound(key.stop, LAST)
    if self.ndim == 0:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    if not always and start == 0 and stop >= self._a.shape[dim] and step == 1:
        return self
    return run(SLICE, [self, dim, start, stop, step])


def _covers(part: Any) -> int:
    """How many dimensions a part of an index, as the program wrote it, counts for: a mask in a list for one."""
    if part is None or part is Ellipsis or isinstance(part, bool):
        return 0
    if isinstance(part, TensorBase) and part.dtype in (dtypes.bool_, dtypes.uint8):
        return part.ndim
    return 1


class _Indices:
    """The index tensors met so far and the dimensions they stand for."""

    def __init__(self) -> None:
        self.entries: list[Any] = []
        self.covered = 0

    def put(self, tensor: Any, dim: int, dims: int = 1) -> None:
        """Note that `tensor` indexes `dims` dimensions from `dim` on."""
        self.entries += [None] * (dim - self.covered)
        self.entries.append(tensor)
        self.covered = dim + dims


def _apply(self: Any, parts: tuple[Any, ...]) -> tuple[Any, list[Any]]:
    """Run the views an index asks for; returns the view and the index tensors that remain."""
    used = sum(_covers(p) for p in parts)
    parts = tuple(_converted(p) for p in parts)
    if used > self.ndim:
        raise IndexError(f"too many indices for tensor of dimension {self.ndim}")
    view, dim, remaining = self, 0, _Indices()
    for place, part in enumerate(parts):
        kind = type(part)
        if kind is int:
            view = _select(view, dim, part, place)
        elif kind is slice:
            view = _slice(view, dim, part, always=False)
            dim += 1
        elif part is None:
            view = run(UNSQUEEZE, [view, dim])
            dim += 1
        elif part is Ellipsis:
            dim += self.ndim - used
            used = self.ndim
        elif kind is bool:
            view = run(UNSQUEEZE, [view, dim])
            remaining.put(Tensor._wrap(np.zeros(int(part), np.int64)), dim)
            dim += 1
        else:
            mask = part.dtype in (dtypes.bool_, dtypes.uint8)
            dims = part.ndim if mask else 1
            remaining.put(part, dim, dims)
            dim += dims
    return view, remaining.entries


def _converted(part: Any) -> Any:
    """A part of an index as an int, a bool, a slice, None, an ellipsis or a tensor. Raises IndexError, TypeError."""
    if type(part) is int or part is None or part is Ellipsis or type(part) in (slice, bool):
        return part
    if isinstance(part, np.ndarray):
        mask = part.dtype in (np.bool_, np.uint8)
        if not part.ndim:
            return bool(part) if mask else int(part)
        part = Tensor._wrap(np.array(part, None if mask else np.int64))
    if isinstance(part, TensorBase):
        if part.ndim == 0 and not getattr(part, "varies", False):
            if part.dtype in (dtypes.bool_, dtypes.uint8):
                return bool(part._a)
            if not (part.dtype.is_floating_point or part.dtype.is_complex):
                return int(part._a)
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if part.dtype is dtypes.uint8:
            warn("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.")
        return part
    if isinstance(part, str):
        raise TypeError("new(): invalid data type 'str'")
    if _is_sequence(part):
        return _from_sequence(part)
    if not isinstance(part, float | complex | np.bool_) and hasattr(part, "__index__"):
        return as_index(part)
    raise IndexError(_BAD_INDEX.format(type_name(part)))


def _from_sequence(part: Any) -> Any:
    """A (nested) list of numbers as an index tensor; a list of bools is a mask."""
    plain = _plain(part)
    array = np.array(plain) if plain else np.zeros(0, np.int64)
    if array.dtype.kind == "b":
        return Tensor._wrap(array)
    return Tensor._wrap(array.astype(np.int64))


def _plain(part: Any) -> Any:
    if isinstance(part, TensorBase):
        return part._a.tolist()
    if isinstance(part, str):
        raise TypeError("new(): invalid data type 'str'")
    if _is_sequence(part):
        return [_plain(p) for p in part]
    if isinstance(part, bool | int | float | np.generic):
        return part
    raise TypeError(f"new(): invalid data type '{type(part).__name__}'")


def delitem(self: Any, key: Any) -> None:
    """`del self[key]`: a tensor's elements stay."""
    raise TypeError("Tensor does not support deleting items")


def attach(cls: type) -> None:
    """Give `cls` indexing."""
    cls.__getitem__ = getitem  # type: ignore[attr-defined]
    cls.__setitem__ = setitem  # type: ignore[attr-defined]
    cls.__delitem__ = delitem  # type: ignore[attr-defined]
