"""Results as steps in place leave them: of the shape and dtype of what is written into."""

from typing import Any

import numpy as np

from engine import errors
from engine.dtypes import can_cast, dtype, from_numpy


def stored(out: Any, shape: tuple[int, ...], into: np.dtype) -> Any:
    """`out` where it is written into memory of this shape and dtype. Raises RuntimeError when it does not fit."""
    if out.shape != shape:
        raise errors.written(shape, out.shape)
    if out.dtype == into:
        return out
    check_storable(from_numpy(out.dtype), into)
    return out.astype(into)


def check_storable(source: dtype, into: np.dtype, in_cpp: bool = False) -> None:
    """Raise RuntimeError where results of a dtype cannot be written into memory of another.

    `in_cpp`: the message has the other by its name in C++, "long int".
    """
    wanted = from_numpy(into)
    if not can_cast(source, wanted):
        name = wanted.cpp_name if in_cpp else wanted.torch_name
        raise RuntimeError(f"result type {source.torch_name} can't be cast to the desired output type {name}")
