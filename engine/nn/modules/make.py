"""What layers make their parameters and buffers from, and how they read sizes."""

from typing import Any

import numpy as np

from engine.creation import check_device, made
from engine.dtypes import get_default_dtype
from engine.nn.functional import VF
from engine.tensor import Tensor


def empty(size: Any, device: Any = None, dtype: Any = None) -> Any:
    """A tensor about to be filled. Raises TypeError or RuntimeError for a size that is none."""
    check_device(device)
    try:
        a = np.zeros(size, (dtype or get_default_dtype()).numpy)
    except (TypeError, ValueError):
        return VF.empty(size, device=device, dtype=dtype)  # says what is wrong in PyTorch's words
    return Tensor._wrap(a)  # the observers are told of what becomes of it


def filled(size: Any, value: float, device: Any = None, dtype: Any = None) -> Any:
    """A tensor of one value."""
    check_device(device)
    return made(np.full(size, value, (dtype or get_default_dtype()).numpy), name="full")


def count_tensor() -> Any:
    """The int64 0 that counts batches."""
    return made(np.zeros((), np.int64), name="tensor")


def repeated(value: Any, n: int) -> tuple[Any, ...]:
    """A size given once or per dimension, as a tuple of n."""
    return tuple(value) if isinstance(value, list | tuple) else (value,) * n
