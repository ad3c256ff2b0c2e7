"""One batch from a list of samples: tensors stacked, numbers made tensors, tuples, lists and dicts gone through."""

import copy
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from engine.creation import as_tensor, tensor
from engine.dtypes import float64
from engine.nn.functional import VF
from engine.tensor import TensorBase

UNKNOWN = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
TEXT_KINDS = "SaUO"  # numpy arrays of text or objects are no tensors

Function = Callable[..., Any]
FunctionMap = dict[Any, Function]


def default_convert(data: Any) -> Any:
    """The data with numpy arrays in it made tensors."""
    cls = type(data)
    if isinstance(data, TensorBase | str | bytes):
        return data
    if isinstance(data, np.ndarray | np.generic):
        return data if data.dtype.kind in TEXT_KINDS else as_tensor(data)
    if isinstance(data, Mapping):
        return _like_mapping(data, {k: default_convert(data[k]) for k in data})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return cls(*(default_convert(d) for d in data))
    if isinstance(data, tuple):
        return [default_convert(d) for d in data]
    if isinstance(data, Sequence):
        return _like_sequence(data, [default_convert(d) for d in data])
    return data


def _like_mapping(like: Any, made: dict[Any, Any]) -> Any:
    """A dict as the class of another mapping, where that class can be made so."""
    try:
        if isinstance(like, MutableMapping):
            clone = copy.copy(like)
            clone.update(made)
            return clone
        return type(like)(made)  # type: ignore[call-arg]
    except TypeError:
        return made


def _like_sequence(like: Any, made: list[Any]) -> Any:
    """A list as the class of another sequence, where that class can be made so."""
    try:
        if isinstance(like, MutableSequence):
            clone = copy.copy(like)
            for i, d in enumerate(made):
                clone[i] = d
            return clone
        return type(like)(made)  # type: ignore[call-arg]
    except TypeError:
        return made


def collate(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """One batch from samples, by a function per type.

    Raises TypeError for what no function takes, and RuntimeError for lists of different lengths.
    """
    first = batch[0]
    cls = type(first)
    functions = collate_fn_map or {}
    if cls in functions:
        return functions[cls](batch, collate_fn_map=collate_fn_map)
    for kind, function in functions.items():
        if isinstance(first, kind):
            return function(batch, collate_fn_map=collate_fn_map)

    def together(samples: Any) -> Any:
        return collate(samples, collate_fn_map=collate_fn_map)

    if isinstance(first, Mapping):
        return _like_mapping(first, {k: together([d[k] for d in batch]) for k in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return cls(*(together(samples) for samples in zip(*batch, strict=False)))
    if isinstance(first, Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = [together(samples) for samples in zip(*batch, strict=True)]
        return columns if isinstance(first, tuple) else _like_sequence(first, columns)
    raise TypeError(UNKNOWN.format(cls))


def collate_tensor_fn(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """Tensors stacked along a new first dimension."""
    return VF.stack(batch, 0)


def collate_numpy_array_fn(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """Arrays as tensors, stacked."""
    if batch[0].dtype.kind in TEXT_KINDS:
        raise TypeError(UNKNOWN.format(batch[0].dtype))
    return collate([as_tensor(b) for b in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """Numpy's numbers as one tensor of their type."""
    return as_tensor(np.array(batch))


def collate_float_fn(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """Floats as one tensor of float64."""
    return tensor(batch, dtype=float64)


def collate_int_fn(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """Integers as one tensor."""
    return tensor(batch)


def collate_str_fn(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """Texts stay a list."""
    return batch


default_collate_fn_map: FunctionMap = {
    TensorBase: collate_tensor_fn,
    np.ndarray: collate_numpy_array_fn,
    (np.bool_, np.number, np.object_): collate_numpy_scalar_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


def default_collate(batch: Any) -> Any:
    """One batch from a list of samples."""
    return collate(batch, collate_fn_map=default_collate_fn_map)
