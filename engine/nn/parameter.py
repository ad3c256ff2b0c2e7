"""`Parameter` and `Buffer`: tensors that a Module registers when they become its attributes."""

from typing import Any

import numpy as np

from engine.dtypes import get_default_dtype
from engine.legacy import construct
from engine.modes import STATE
from engine.showing import show
from engine.tensor import Tensor, TensorBase
from engine.type_names import type_name


class _BufferMeta(type(Tensor)):  # type: ignore[misc]
    """A buffer is a plain tensor with a mark, which isinstance looks for."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, TensorBase) and "_is_buffer" in instance.__dict__


class Parameter(Tensor):
    """A tensor that is a module's parameter: https://docs.pytorch.org/docs/stable/generated/torch.nn.parameter.Parameter.html

    Operations on it give plain Tensors. It shares the memory of `data`.
    """

    _prints_class = False

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        return _wrapped(cls, data, requires_grad)

    def __repr__(self) -> str:
        return "Parameter containing:\n" + show(self)

    __str__ = __repr__

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) in memo:
            return memo[id(self)]
        made = type(self)(Tensor._wrap(np.array(self._a)), self._needs_grad)
        memo[id(self)] = made
        return made


class Buffer(Tensor, metaclass=_BufferMeta):
    """A tensor that a module registers as a buffer.

    https://docs.pytorch.org/docs/stable/generated/torch.nn.parameter.Buffer.html
    """

    persistent: bool

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        data = construct(get_default_dtype(), (), {}) if data is None else data
        made = data.detach().requires_grad_(data._needs_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made


def _wrapped(cls: type, data: Any, requires_grad: bool) -> Any:
    if data is None:
        data = construct(get_default_dtype(), (), {})
    if not isinstance(data, TensorBase):
        raise AttributeError(f"'{type_name(data)}' object has no attribute 'detach'")
    if not isinstance(requires_grad, bool):
        kind = type_name(requires_grad)
        raise TypeError(f"_make_subclass(): argument 'require_grad' (position 3) must be bool, not {kind}")
    made: Any = object.__new__(cls)
    made._a = data._array()
    made._storage = data._memory()
    made._counter = None if data._inference else data._version_counter()
    if requires_grad and made._a.dtype.kind not in "fcV":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    made._requires = requires_grad
    made._inference = STATE.inference
    made._fn = made._base = None
    made._nr = 0
    for o in STATE.observers:
        o.on_create(made, "Parameter")
    return made


def is_lazy(param: Any) -> bool:
    """Whether a parameter has yet to learn its shape."""
    return isinstance(param, UninitializedTensor)


class UninitializedTensor:
    """What lazy modules hold until they see their first input: a tensor whose shape is not known yet."""

    cls_to_become: Any = Tensor

    def materialize(self: Any, shape: tuple[int, ...], device: Any = None, dtype: Any = None) -> None:
        """Become an ordinary tensor of a shape, with zeros in it."""
        self._a = np.zeros(shape, (dtype or self.dtype).numpy)
        self._storage = None
        self.__class__ = self.cls_to_become

    def __deepcopy__(self: Any, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self._needs_grad, dtype=self.dtype)
        return memo[id(self)]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    __str__ = __repr__

    @property
    def shape(self) -> Any:
        """Not known yet: RuntimeError."""
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
            "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call "
            "`forward` to "
            "initialize the parameters before accessing their attributes."
        )

    def share_memory_(self) -> Any:
        """Refused: there is no memory yet."""
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize the parameters "
            "before calling `module.share_memory()`."
        )


_STILL_ALLOWED = {
    "size", "copy_", "is_complex", "is_floating_point", "half", "float", "double", "char", "short", "int", "long",
    "cuda", "cpu", "to", "get_device", "share_memory_",
}  # fmt: skip
_WRITTEN_IN_PYTHON = {
    "backward", "register_hook", "register_post_accumulate_grad_hook", "norm", "stft", "istft", "split", "unique",
    "unique_consecutive", "storage", "is_shared", "unflatten", "__len__", "__format__", "__reversed__",
}  # fmt: skip
"""Methods that are functions in PyTorch, which the refusal shows by their address."""
_NOT_OPERATIONS = {"__new__", "__init__", "__repr__", "__str__", "__hash__", "__getattr__", "__deepcopy__",
                   "__reduce_ex__", "__torch_op__", "__array_wrap__"}  # fmt: skip


def refuse_operations(cls: type, tensor: type) -> None:
    """Let every operation of a tensor on `cls`, whose shape is not known yet, raise ValueError."""
    for name, method in {**vars(TensorBase), **vars(tensor)}.items():
        special = name.startswith("__")
        private = name.startswith("_") and not special
        if callable(method) and not private and name not in (_NOT_OPERATIONS if special else _STILL_ALLOWED):
            setattr(cls, name, _refusal(name, method))


def _refusal(name: str, method: Any) -> Any:
    plain = name.strip("_") if name.startswith("__") else name
    if name in _WRITTEN_IN_PYTHON:
        shown = f"<function Tensor.{name} at {id(method):#x}>"
    else:
        shown = f"<method '{plain}' of 'torch._C.TensorBase' objects>"

    def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise ValueError(
            f"Attempted to use an uninitialized parameter in {shown}. This "
            "error happens when you are using a `LazyModule` or explicitly manipulating "
            f"`torch.nn.parameter.{type(self).__name__}` objects. When using LazyModules Call `forward` with a dummy "
            "batch to initialize the parameters before calling torch functions"
        )

    return refuse


class UninitializedParameter(UninitializedTensor, Parameter):  # type: ignore[misc]  # it has a shape only later
    """A parameter whose shape is not known yet; `materialize` gives it one."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        return _wrapped(cls, construct(dtype or get_default_dtype(), (), {}), requires_grad)


class UninitializedBuffer(UninitializedTensor, Tensor):  # type: ignore[misc]
    """A buffer whose shape is not known yet; `materialize` gives it one."""

    persistent: bool

    def __new__(
        cls, requires_grad: bool = False, device: Any = None, dtype: Any = None, persistent: bool = True
    ) -> Any:
        made = _wrapped(cls, construct(dtype or get_default_dtype(), (), {}), requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made


__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "is_lazy"]
