"""Tensors from data: `torch.tensor`, `as_tensor`, `from_numpy`, and what every factory function ends with."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.device import device
from engine.dtypes import dtype, from_numpy, get_default_complex_dtype, get_default_dtype
from engine.modes import STATE
from engine.tensor import Tensor, TensorBase
from engine.warning import warn


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


def array_from(data: Any, dt: dtype | None) -> np.ndarray:
    """A fresh array of nested sequences, numbers, numpy data or tensors, with the dtype PyTorch infers.

    Raises TypeError, ValueError or RuntimeError as `torch.tensor` does.
    """
    if isinstance(data, TensorBase):
        return np.array(data._a, dtype=dt.numpy if dt is not None else None)
    if isinstance(data, np.ndarray | np.generic):
        a = np.array(data)
        if a.dtype.kind not in "biufc":
            raise TypeError(
                f"can't convert np.ndarray of type {a.dtype.name if a.dtype != object else 'numpy.object_'}. The "
                "only supported "
                "types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, "
                "uint32, "
                "uint16, uint8, and bool."
            )
        return a if dt is None else a.astype(dt.numpy)
    if isinstance(data, str):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    shape = _shape_of(data)
    flat: list[Any] = []
    _flatten(data, shape, 0, flat)
    wanted = dt if dt is not None else _infer(flat)
    try:
        a = np.array(flat, dtype=wanted.numpy).reshape(shape)
    except OverflowError:
        if wanted.name == "int64":
            raise RuntimeError("Overflow when unpacking long long") from None
        raise RuntimeError(f"value cannot be converted to type {wanted.cpp_name} without overflow") from None
    return a


def _shape_of(data: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while isinstance(data, Sequence) and not isinstance(data, str | bytes):
        shape.append(len(data))
        if not len(data):
            break
        data = data[0]
        if len(shape) > 128:
            raise ValueError("too many dimensions 'list'")
    if isinstance(data, TensorBase | np.ndarray):
        shape.extend(data.shape)
    if isinstance(data, str):
        raise ValueError("too many dimensions 'str'")
    return tuple(shape)


def _flatten(data: Any, shape: tuple[int, ...], depth: int, out: list[Any]) -> None:
    if depth == len(shape):
        out.append(_scalar(data))
        return
    if isinstance(data, TensorBase | np.ndarray):
        a = data._a if isinstance(data, TensorBase) else data
        if a.shape != shape[depth:]:
            raise ValueError(
                f"expected sequence of length {shape[depth]} at dim {depth} (got {a.shape[0] if a.ndim else 0})"
            )
        out.extend(np.asarray(a).ravel().tolist())
        return
    if not isinstance(data, Sequence) or isinstance(data, str | bytes):
        raise TypeError(
            f"expected a sequence of length {shape[depth]} at dim {depth} (got {type(data).__name__})"
            if False
            else "not a sequence"
        )
    if len(data) != shape[depth]:
        raise ValueError(f"expected sequence of length {shape[depth]} at dim {depth} (got {len(data)})")
    for item in data:
        _flatten(item, shape, depth + 1, out)


def _scalar(v: Any) -> Any:
    if isinstance(v, bool | int | float | complex):
        return v
    if isinstance(v, TensorBase):
        if v._a.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        if v.requires_grad:
            warn(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\nConsider "
                "using "
                "tensor.detach() first."
            )
        return v._a.item() if v._a.dtype != np.float32 else float(v._a)
    if isinstance(v, np.generic):
        return v.item()
    if isinstance(v, Sequence):
        raise ValueError(
            "only one element tensors can be converted to Python scalars"
            if False
            else f"too many dimensions '{type(v).__name__}'"
        )
    raise RuntimeError(f"Could not infer dtype of {type(v).__name__}")


def _infer(flat: list[Any]) -> dtype:
    kinds = {type(v) for v in flat}
    if not flat or float in kinds:
        return get_default_complex_dtype() if complex in kinds else get_default_dtype()
    if complex in kinds:
        return get_default_complex_dtype()
    if int in kinds:
        return from_numpy(np.dtype(np.int64))
    return from_numpy(np.dtype(np.bool_))


def tensor(
    data: Any,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A new leaf tensor with a copy of the data: https://docs.pytorch.org/docs/stable/generated/torch.tensor.html"""
    check_device(device)
    if isinstance(data, TensorBase):
        warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."
        )
    return made(array_from(data, dtype), requires_grad, "tensor")


def as_tensor(data: Any, dtype: dtype | None = None, device: Any = None) -> Tensor:
    """The data as a tensor, sharing memory with tensors and numpy arrays where dtypes allow."""
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
    if array.dtype.kind not in "biufc":
        array_from(array, None)
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
    return made(array, name="from_numpy")


def quiet_numpy() -> None:
    """PyTorch computes inf and nan without a word; so does numpy after this."""
    np.seterr(all="ignore")
    warnings.filterwarnings("ignore", category=RuntimeWarning, module="numpy")
