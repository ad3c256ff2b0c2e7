"""Tensors from data: `torch.tensor`, `as_tensor`, `from_numpy`, and what every factory function ends with."""

import warnings
from typing import Any

import numpy as np

from engine import errors
from engine.device import device
from engine.dtypes import OF_PYTHON, dtype
from engine.from_data import array_from, check_numpy, check_strides, plain_array
from engine.modes import STATE
from engine.storage import storage_of
from engine.tensor import Tensor, TensorBase
from engine.warning import warn, warn_once

_MISSING: Any = object()


def made(a: Any, requires_grad: bool = False, name: str = "") -> Tensor:
    """A new leaf around an array; the observers are told of it. `name` is the function that made it."""
    t = Tensor._wrap(a if isinstance(a, np.ndarray | np.floating) else np.array(a))
    if requires_grad:
        check_gradient(a)
        t._requires = True
    for o in STATE.observers:
        o.on_create(t, name)
    return t


def check_gradient(a: Any) -> None:
    """Raise RuntimeError where a new tensor cannot require grad."""
    if a.dtype.kind not in "fcV":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")


def check_device(where: Any) -> None:
    """Raise PyTorch's error for any device but the CPU."""
    if where is None:
        return
    (where if isinstance(where, device) else device(where)).check()


def _options(function: str, wanted: Any, where: Any, requires_grad: Any = False) -> dtype | None:
    """The dtype meant, of options as a factory of data takes them. Raises TypeError for other kinds."""
    if where is not None:
        if not isinstance(where, device | str | int):
            raise TypeError(f"{function}(): argument 'device' must be torch.device, not {type(where).__name__}")
        check_device(where)
    if type(requires_grad) is not bool:
        raise TypeError(f"{function}(): argument 'requires_grad' must be bool, not {type(requires_grad).__name__}")
    if wanted is None or type(wanted) is dtype:
        return wanted
    if isinstance(wanted, type) and wanted in OF_PYTHON:
        return OF_PYTHON[wanted]
    raise TypeError(f"{function}(): argument 'dtype' must be torch.dtype, not {type(wanted).__name__}")


def _only(function: str, name: str, args: tuple[Any, ...], data: Any) -> Any:
    """The one positional argument, however it was given. Raises TypeError for another count."""
    if args:
        data, *more = args
        if more:
            raise TypeError(f"{function}() takes 1 positional argument but {len(args)} were given")
    if data is _MISSING:
        raise TypeError(f'{function}() missing 1 required positional arguments: "{name}"')
    return data


def tensor(
    *args: Any,
    data: Any = _MISSING,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A new leaf tensor with a copy of the data: https://docs.pytorch.org/docs/stable/generated/torch.tensor.html"""
    data = _only("tensor", "data", args, data)
    dtype = _options("tensor", dtype, device, requires_grad)
    if pin_memory:
        raise RuntimeError(errors.NO_PINNED_MEMORY)
    if isinstance(data, TensorBase):
        warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."
        )
    return made(number_or_array(array_from(data, dtype)), requires_grad, "tensor")


def number_or_array(a: np.ndarray) -> Any:
    """A fresh array as a tensor keeps it: a 0-dimensional float as numpy's scalar, which is faster to compute with."""
    return a[()] if not a.ndim and a.dtype.kind == "f" else a


def as_tensor(*args: Any, data: Any = _MISSING, dtype: Any = None, device: Any = None) -> Tensor:
    """The data as a tensor, sharing memory with tensors and numpy arrays where dtypes allow."""
    data = _only("as_tensor", "data", args, data)
    return _shared("as_tensor", data, _options("as_tensor", dtype, device))


def asarray(
    *args: Any,
    obj: Any = _MISSING,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:
    """The object as a tensor that shares its memory where it can, or has a copy of its own with `copy=True`."""
    data = _only("asarray", "obj", args, obj)
    wanted = _options("asarray", dtype, device, False if requires_grad is None else requires_grad)
    if copy is False and not isinstance(data, np.ndarray | TensorBase):
        raise ValueError("can't alias arbitrary sequence into a tensor.")
    if copy:
        t = made(array_from(data, wanted), name="asarray")
    else:
        t = _shared("asarray", data, wanted)
        if isinstance(data, TensorBase) and data._needs_grad and not requires_grad:
            if requires_grad is False:
                return t.detach()  # type: ignore[attr-defined]
            warn_once(
                "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. Pass "
                "requires_grad=False explicitly to get the old behavior and silence this warning."
            )
    if requires_grad:
        check_gradient(t._a)
    return t._recorded() if requires_grad else t


def _shared(function: str, data: Any, dt: dtype | None) -> Any:
    if isinstance(data, TensorBase):
        return data if dt is None else data.to(dt)
    if isinstance(data, np.ndarray) and (dt is None or dt.numpy == data.dtype):
        return from_numpy_array(data)
    return made(array_from(data, dt), name=function)


def from_numpy(*args: Any, **kwargs: Any) -> Tensor:
    """A tensor on the memory of a numpy array: https://docs.pytorch.org/docs/stable/generated/torch.from_numpy.html"""
    shown = "torch._VariableFunctionsClass.from_numpy()"
    if kwargs:
        raise TypeError(f"{shown} takes no keyword arguments")
    if len(args) != 1:
        raise TypeError(f"{shown} takes exactly one argument ({len(args)} given)")
    return from_numpy_array(args[0])


def from_numpy_array(array: Any) -> Tensor:
    """A tensor on the memory of a numpy array."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    array = plain_array(array)
    check_numpy(array)
    check_strides(array)
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


def frombuffer(buffer: Any, *, dtype: dtype, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    """A tensor on the memory of a bytes-like object. Raises ValueError where the numbers asked for do not fit in it."""
    memory = memoryview(buffer).cast("B")
    length, size = len(memory), dtype.numpy.itemsize
    if length == 0 or count == 0:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({length} bytes) minus 1"
        )
    if count < 0 and (length - offset) % size:
        raise ValueError(
            f"buffer length ({length} bytes) after offset ({offset} bytes) must be a multiple of element size ({size})"
        )
    if count > 0 and count * size > length - offset:
        raise ValueError(
            f"requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) must not be greater than "
            f"actual buffer length ({length} bytes)"
        )
    made_here = from_numpy_array(np.frombuffer(memory, dtype.numpy, count, offset))
    made_here._requires = requires_grad
    return made_here
