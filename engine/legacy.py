"""The constructors of old: `torch.Tensor(2, 3)`, `torch.FloatTensor([1, 2])`, and `torch.set_default_tensor_type`."""

from typing import Any

import numpy as np

from engine import dtypes
from engine.creation import array_from, check_device, made
from engine.dispatch import run
from engine.from_data import plain_array
from engine.ops.views import ALIAS
from engine.storages import TypedStorage
from engine.tensor import Tensor, TensorBase
from engine.type_names import type_name
from engine.warning import warn_once

_KINDS = ("Float", "Double", "Half", "BFloat16", "Byte", "Char", "Short", "Int", "Long", "Bool")
_FORMS = (  # as PyTorch lists them
    "(*, torch.device device = None)",
    "(torch.Storage storage)",
    "(Tensor other)",
    "(tuple of ints size, *, torch.device device = None)",
    "(object data, *, torch.device device = None)",
)


def construct(dtype: dtypes.dtype, args: tuple[Any, ...], kwargs: dict[str, Any], any_dtype: bool = True) -> Any:
    """A tensor of a dtype from sizes, from data, or sharing another tensor's memory; TypeError for anything else.

    `any_dtype` says that the other tensor may have another dtype than the default.
    """
    check_device(kwargs.pop("device", None))
    if "data" in kwargs and not args:
        args = (kwargs.pop("data"),)
    if kwargs or (len(args) > 1 and not _is_size(args[0])):
        raise TypeError(_refusal(args, kwargs))
    if not args:
        return made(np.zeros(0, dtype.numpy), name="Tensor")
    first = args[0]
    if isinstance(first, TypedStorage):
        first = made(first.flat)
    if isinstance(first, TensorBase):
        return _other(first, dtype, any_dtype)
    if _is_size(first) or (type(first).__name__ == "Size" and len(args) == 1):
        size = tuple(first) if isinstance(first, tuple) else _sizes(args)
        return made(np.zeros(size, dtype.numpy), name="Tensor")
    if isinstance(first, str):
        raise TypeError(f"new(): invalid data type '{type(first).__name__}'")
    if not hasattr(first, "__len__"):
        raise TypeError(f"new(): data must be a sequence (got {type(first).__name__})")
    return made(_from_data(first, dtype), name="Tensor")


def _is_size(v: Any) -> bool:
    return isinstance(v, int | np.integer) and not isinstance(v, bool)


def _sizes(args: tuple[Any, ...]) -> tuple[int, ...]:
    for i, v in enumerate(args):
        if not _is_size(v):
            raise TypeError(
                f"new(): argument 'size' failed to unpack the object at pos {i + 1} with error "
                f'"type must be tuple of ints,but got {type_name(v)}"'
            )
        if v < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {v}: [{', '.join(str(int(x)) for x in args)}]"
            )
    return tuple(int(v) for v in args)


def _other(other: Any, dtype: dtypes.dtype, any_dtype: bool) -> Any:
    """An alias of a tensor of the same dtype; `torch.Tensor` itself (the default dtype) takes any."""
    if other.dtype is not dtype and not (any_dtype and dtype is dtypes.get_default_dtype()):
        rest = (
            "device=cpu, layout=Strided, requires_grad=false (default), pinned_memory=false (default), "
            "memory_format=(nullopt)"
        )
        raise TypeError(
            f"expected TensorOptions(dtype={dtype.cpp_name}, {rest}) (got "
            f"TensorOptions(dtype={other.dtype.cpp_name}, {rest}))"
        )
    return run(ALIAS, [other])


def _from_data(data: Any, dtype: dtypes.dtype) -> np.ndarray:
    """The data in a dtype; a numpy array that has it already is shared."""
    if isinstance(data, set | frozenset | dict):
        raise TypeError(f"new(): data must be a sequence (got {type(data).__name__})")
    if isinstance(data, np.ndarray):
        data = plain_array(data)
        if data.dtype == dtype.numpy and all(s >= 0 for s in data.strides):
            return data
    try:
        return array_from(data, dtype)
    except RuntimeError as e:
        if "Could not infer" in str(e):
            raise TypeError(f"must be real number, not {str(e).rsplit(' ', 1)[1]}") from None
        raise


def _refusal(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """PyTorch's listing; it counts the commas of a form to decide whether to say what is wrong with it."""
    got = ", ".join([*map(type_name, args), *(f"{k}={type_name(v)}" for k, v in kwargs.items())])
    text = f"new() received an invalid combination of arguments - got ({got}), but expected one of:\n"
    for form in _FORMS:
        text += f" * {form}\n"
        if len(form.split(", ")) == len(args) + len(kwargs):
            if kwargs:
                text += f"      didn't match because some of the keywords were incorrect: {', '.join(kwargs)}\n"
            else:
                marks = ", ".join(f"!{_detailed(v)}!" for v in args)
                text += f"      didn't match because some of the arguments have invalid types: ({marks})\n"
    return text


def _detailed(v: Any) -> str:
    if isinstance(v, list | tuple):
        inner = ", ".join(map(type_name, v))
        return f"list of [{inner}]" if isinstance(v, list) else f"tuple of ({inner})"
    return type_name(v)


class TensorType(type):
    """The type of `torch.FloatTensor` and its like; isinstance asks for the dtype."""

    dtype: dtypes.dtype

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return construct(cls.dtype, args, kwargs, any_dtype=False)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, TensorBase) and instance.dtype is cls.dtype


TensorType.__name__ = TensorType.__qualname__ = "tensortype"
TensorType.__module__ = "torch"


def tensor_types() -> dict[str, type]:
    """`FloatTensor`, `LongTensor` … by name."""
    by_kind = {d.torch_name: d for d in dtypes.TORCH_NAMES.values()}
    return {
        f"{kind}Tensor": TensorType(f"{kind}Tensor", (), {"dtype": by_kind[kind], "__module__": "torch"})
        for kind in _KINDS
    }


def new_tensor(cls: type, *args: Any, **kwargs: Any) -> Any:
    """`torch.Tensor(...)`, also for subclasses a program defines."""
    t = construct(dtypes.get_default_dtype(), args, kwargs)
    if cls is not Tensor:
        t.__class__ = cls
    return t


def set_default_tensor_type(t: Any) -> None:
    """Make the dtype of a tensor type ("torch.DoubleTensor") the default."""
    warn_once(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and "
        "torch.set_default_device() as alternatives."
    )
    if isinstance(t, str):
        kind = t.removeprefix("torch.").removesuffix("Tensor")
        found = next((d for d in dtypes.TORCH_NAMES.values() if d.torch_name == kind), None)
        if found is None and kind.startswith("cuda."):
            raise TypeError(f"type {t} not available. Torch not compiled with CUDA enabled.")
        if found is None:
            raise TypeError("invalid type object")
    else:
        found = getattr(t, "dtype", None)
        if found is None and getattr(t, "cuda_name", ""):
            t()
        if not isinstance(found, dtypes.dtype):
            raise TypeError("invalid type object: only floating-point types are supported as the default type")
    if not found.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    dtypes.set_default_dtype(found)


def typename(obj: Any) -> str:
    """The name of an object's type: "torch.FloatTensor" for a tensor."""
    if isinstance(obj, TensorBase):
        return f"torch.{obj.dtype.torch_name}Tensor"
    if isinstance(obj, type(typename)) and obj.__module__ == "torch" and "." not in obj.__qualname__:
        return f"torch._VariableFunctionsClass.{obj.__name__}"
    module = getattr(obj, "__module__", "") or ""
    name = getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None)
    if name is None or not isinstance(obj, type | type(construct)):
        cls = type(obj)
        module, name = cls.__module__, cls.__qualname__
    return name if module in ("", "builtins") else f"{module}.{name}"
