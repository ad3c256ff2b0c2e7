"""Tensors from data: `torch.tensor`, `as_tensor`, `from_numpy`, and what every factory function ends with."""

import warnings
from typing import Any

import numpy as np

from engine.device import device
from engine.dtypes import dtype
from engine.from_data import array_from, check_numpy
from engine.modes import STATE
from engine.storage import storage_of
from engine.tensor import Tensor, TensorBase
from engine.warning import warn

_MISSING: Any = object()


def made(a: Any, requires_grad: bool = False, name: str = "") -> Tensor:
    """A new leaf around an array; the observers are told of it. `name` is the function that made it."""
    t = Tensor._wrap(a if type(a) is np.ndarray else np.array(a))
    if requires_grad:
        if a.dtype.kind not in "fcV":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        t._requires = True
    for o in STATE.observers:
        o.on_create(t, name)
    return t


def check_device(where: Any) -> None:
    """Raise PyTorch's error for any device but the CPU."""
    if where is None:
        return
    d = where if isinstance(where, device) else device(where)
    if d.type == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    if d.type != "cpu":
        raise RuntimeError(f"PyTorch is not linked with support for {d.type} devices")


def tensor(
    *args: Any,
    data: Any = _MISSING,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A new leaf tensor with a copy of the data: https://docs.pytorch.org/docs/stable/generated/torch.tensor.html"""
    if args:
        data, *more = args
        if more:
            raise TypeError(f"tensor() takes 1 positional argument but {len(args)} were given")
    if data is _MISSING:
        raise TypeError('tensor() missing 1 required positional arguments: "data"')
    check_device(device)
    if isinstance(data, TensorBase):
        warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."
        )
    return made(array_from(data, dtype), requires_grad, "tensor")


def as_tensor(data: Any = _MISSING, dtype: dtype | None = None, device: Any = None) -> Tensor:
    """The data as a tensor, sharing memory with tensors and numpy arrays where dtypes allow."""
    if data is _MISSING:
        raise TypeError('as_tensor() missing 1 required positional arguments: "data"')
    check_device(device)
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)  # type: ignore[attr-defined]
    if isinstance(data, np.ndarray) and (dtype is None or dtype.numpy == data.dtype):
        return from_numpy_array(data)
    return made(array_from(data, dtype), name="as_tensor")


def from_numpy_array(array: Any) -> Tensor:
    """A tensor on the memory of a numpy array: `torch.from_numpy`."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    check_numpy(array)
    if any(s < 0 for s in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
            "currently "
            "supported. (You can probably work around this by making a copy of your array  with array.copy().) "
        )
    if not array.flags.writeable:
        warn(
            "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means "
            "writing to "
            "this tensor will result in undefined behavior. You may want to copy the array to protect its data or "
            "make it "
            "writable before converting it to a tensor. This type of warning will be suppressed for the rest of this "
            "program."
        )
    t = made(array, name="from_numpy")
    t._storage = storage_of(array)
    t._storage.resizable = False  # the memory is numpy's
    return t


def quiet_numpy() -> None:
    """PyTorch computes inf and nan without a word; so does numpy after this."""
    np.seterr(all="ignore")
    warnings.filterwarnings("ignore", category=RuntimeWarning, module="numpy")
