"""Tensor methods that are not operators: into Python and numpy, printing, copies, dtype conversion."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.builtin import builtin
from engine.creation import check_device, made
from engine.device import device
from engine.dispatch import apply, run, sharing
from engine.dlpack import device_of, exported
from engine.layout import STRIDED
from engine.modes import STATE
from engine.ops.copy import CLONE, DETACH, TO_COPY
from engine.ops.layouts import lies_in
from engine.overloads import Overload
from engine.showing import show
from engine.signature import parse
from engine.storage import Version, copied_storage
from engine.storages import TypedStorage, UntypedStorage
from engine.tensor import Tensor, TensorBase
from engine.warning import warn, warn_once


def item(self: Any) -> Any:
    """The only element as a Python number. Raises RuntimeError for any other count."""
    if self._a.size != 1:
        raise RuntimeError(f"a Tensor with {self._a.size} elements cannot be converted to Scalar")
    return self._a.item()


def tolist(self: Any) -> Any:
    """The elements as nested lists of Python numbers."""
    return self._a.tolist()


def numpy(self: Any, force: bool = False) -> np.ndarray:
    """A numpy array on the same memory. Raises RuntimeError for one that requires grad while gradients are recorded."""
    if STATE.grad_enabled and self._needs_grad and not force:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    if self._transforms and self._is_wrapped():
        raise RuntimeError(errors.NO_STORAGE)
    if self.dtype is dtypes.bfloat16:
        raise TypeError("Got unsupported ScalarType BFloat16")
    return self._array()[...]  # one of its own: what becomes of it leaves the tensor as it is


VOLATILE_SET = "volatile was removed and now has no effect. Use `with torch.no_grad():` instead."


def _volatile(self: Any) -> bool:
    warn("volatile was removed (Variable.volatile is always False)")
    return False


def _set_volatile(self: Any, value: Any) -> None:
    warn(VOLATILE_SET)


def data_ptr(self: Any) -> int:
    """Address of the first element."""
    if self._transforms and self._is_wrapped():
        raise RuntimeError(errors.NO_STORAGE)
    return self._array().__array_interface__["data"][0] if self._a.size else 0


def storage(self: Any) -> TypedStorage:
    """The memory, read as elements of its dtype."""
    _check_storage(self)
    return TypedStorage(self)


def untyped_storage(self: Any) -> UntypedStorage:
    """The memory as bytes."""
    _check_storage(self)
    return UntypedStorage(self)


def _check_storage(t: Any) -> None:
    if t._transforms and t._is_wrapped():
        raise NotImplementedError("Cannot access storage of TensorWrapper")


def to_array(self: Any, dtype: Any = None) -> np.ndarray:
    """numpy's `__array__`."""
    a = numpy(self)
    return a if dtype is None else a.astype(dtype, copy=False)


def array_wrap(self: Any, array: np.ndarray) -> Any:
    """The result of a numpy function of tensors is a tensor."""
    if array.dtype == bool:
        array = array.astype(np.uint8)
    return made(np.asarray(array), name="from_numpy")


def text_format(self: Any, spec: str) -> str:
    """format(tensor, spec): that of the number, for 0-dim tensors."""
    if self._a.ndim == 0 and type(self) is Tensor:
        return format(self._a.item(), spec)
    return object.__format__(self, spec)


def length(self: Any) -> int:
    """len(tensor): the size of the first dimension."""
    if self._a.ndim == 0:
        raise TypeError("len() of a 0-d tensor")
    return self._a.shape[0]


def iterate(self: Any) -> Iterator[Any]:
    """Iterate over the first dimension, by unbind."""
    if self._a.ndim == 0:
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))


def truth(self: Any) -> bool:
    """bool(tensor) of one element."""
    if self._a.size != 1:
        what = "no values" if self._a.size == 0 else "more than one value"
        raise RuntimeError(f"Boolean value of Tensor with {what} is ambiguous")
    return bool(self._a)


def _converter(kind: type) -> Callable[[Any], Any]:
    def convert(self: Any) -> Any:
        if STATE.grad_enabled and self._needs_grad:
            warn_once(errors.GRADIENT_TO_NUMBER)
        if self._a.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        value = self._a.item()
        if isinstance(value, complex) and kind is not complex:
            name = "double" if kind is float else "int64_t"
            raise RuntimeError(f"value cannot be converted to type {name} without overflow")
        return kind(value)

    return convert


def index(self: Any) -> int:
    """operator.index(tensor), for integers of one element."""
    if self._a.size != 1 or self._a.dtype.kind not in "iub":
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(self._a.item())


def contains(self: Any, element: Any) -> bool:
    """Whether any element equals `element`."""
    if isinstance(element, TensorBase | int | float | complex | bool):
        return bool((self == element).any().item())
    raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}.")


def detach(self: Any) -> Tensor:
    """The same memory without history; it shares the version counter."""
    t = sharing(Tensor._wrap(self._array()), self)
    for o in STATE.observers:
        o.on_op(DETACH, [self], (t,), None, None)
    return t


def detach_(self: Any) -> Any:
    """Cut the tensor from its history, in place."""
    if self._base is not None:
        raise RuntimeError(errors.DETACH_VIEW_INPLACE)
    self._fn, self._nr, self._requires, self._retains = None, 0, False, False
    for o in STATE.observers:
        o.on_requires_grad(self)
    return self


def to_dtype(self: Any, wanted: dtypes.dtype, copy: bool = False, memory_format: Any = None) -> Any:
    """The tensor in another dtype or order in memory; itself when it has both already."""
    if memory_format is not None and "preserve" not in repr(memory_format):
        if copy or self.dtype is not wanted or not lies_in(self._a, memory_format):
            return apply(TO_COPY, (self,), {"dtype": wanted, "memory_format": memory_format})
        return self
    if self.dtype is wanted and not copy:
        return self
    if self.dtype is wanted:
        return run(CLONE, [self, None])
    return apply(TO_COPY, (self,), {"dtype": wanted})


def _to(self: Any, where: Any, wanted: Any, copy: bool, memory_format: Any) -> Any:
    if type(where) is device and where.type == "cuda" and where.index is not None:
        raise RuntimeError("Cannot access accelerator device when none is available.")
    check_device(where)
    return to_dtype(self, wanted or self.dtype, copy, memory_format)


_TO_TAIL = "bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None) -> Tensor"
_TO_FORMS: tuple[tuple[str, Callable[[list[Any]], Any]], ...] = (
    (
        f"to(Tensor self, Device? device=None, ScalarType? dtype=None, {_TO_TAIL}",
        lambda v: _to(v[0], v[1], v[2], *v[4:6]),
    ),
    (f"to(Tensor self, ScalarType dtype, {_TO_TAIL}", lambda v: _to(v[0], None, v[1], *v[3:5])),
    (f"to(Tensor self, Tensor tensor, {_TO_TAIL}", lambda v: _to(v[0], None, v[1].dtype, *v[3:5])),
)


def _converting() -> Callable[..., Any]:
    """`Tensor.to`: https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html"""
    overloads = [Overload(parse(signature), call, (), True) for signature, call in _TO_FORMS]
    return builtin("to", overloads, True, "The tensor in another dtype, or on another device.")


def _caster(wanted: dtypes.dtype) -> Callable[..., Any]:
    def convert(self: Any, memory_format: Any = None) -> Any:
        return to_dtype(self, wanted, False, memory_format)

    return convert


def type_(self: Any, dtype: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Any:
    """The name of the tensor's type, or the tensor in another dtype."""
    if dtype is None:
        return f"torch.{self.dtype.torch_name}Tensor"
    if isinstance(dtype, dtypes.dtype):
        return to_dtype(self, dtype, False, memory_format)
    if isinstance(dtype, str):
        name = dtype.removeprefix("torch.").removesuffix("Tensor")
        wanted = next((d for d in dtypes.TORCH_NAMES.values() if d.torch_name == name), None)
        if wanted is None:
            raise ValueError(f"invalid type: '{dtype}'")
        return to_dtype(self, wanted, False, memory_format)
    if not isinstance(dtype, type):
        raise TypeError("dtype must be a type, str, or dtype object")
    wanted = getattr(dtype, "dtype", None)
    if not isinstance(wanted, dtypes.dtype):
        raise ValueError(f"invalid type: '{dtype.__name__}'")
    return to_dtype(self, wanted, False, memory_format)


def cuda(self: Any, *args: Any, **kwargs: Any) -> Any:
    """There is no CUDA here: PyTorch's own error."""
    raise AssertionError("Torch not compiled with CUDA enabled")


def cpu(self: Any, memory_format: Any = None) -> Any:
    """The tensor itself, which is on the CPU, unless it is to lie otherwise in memory."""
    return to_dtype(self, self.dtype, False, memory_format)


def deepcopy(self: Any, memo: dict[int, Any]) -> Any:
    """copy.deepcopy(tensor): leaves only."""
    if self._fn is not None:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment. "
            " If you "
            "were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see "
            "https://github.com/pytorch/pytorch/pull/103001"
        )
    if id(self) in memo:
        return memo[id(self)]
    t = object.__new__(type(self))
    t.__dict__.update({k: v for k, v in self.__dict__.items() if not k.startswith("_")})
    t._a = copied_storage(self._array())
    t._counter = Version(1)  # PyTorch sets the copy's memory in place
    t._requires = self._requires
    if self._grad is not None:
        t._grad = deepcopy(self._grad, memo)
    memo[id(self)] = t
    for o in STATE.observers:
        o.on_create(t, "deepcopy")
    return t


def reduce(self: Any, protocol: Any = None) -> Any:
    """Pickling and `copy.copy`, which shares the memory: the data and whether it requires grad."""
    return (_rebuild, (type(self), self._array(), self._needs_grad))


def _rebuild(cls: type, a: np.ndarray, requires: bool) -> Any:
    t: Any = object.__new__(cls)
    t._a = a
    t._requires = requires
    return t


def attach(cls: Any) -> None:
    """Give `cls` the methods of this module."""
    table: dict[str, Any] = {
        "item": item, "tolist": tolist, "numpy": numpy, "data_ptr": data_ptr, "const_data_ptr": data_ptr,
        "__array__": to_array,
        "__array_wrap__": array_wrap, "__dlpack__": exported, "__dlpack_device__": device_of,
        "__repr__": show, "__str__": show, "__format__": text_format, "__len__": length, "__iter__": iterate,
        "__bool__": truth, "__float__": _converter(float), "__int__": _converter(int),
        "__complex__": _converter(complex),
        "__index__": index, "__contains__": contains, "detach": detach, "detach_": detach_,
        "to": _converting(), "type": type_,
        "cuda": cuda, "cpu": cpu, "__deepcopy__": deepcopy, "__reduce_ex__": reduce,
        "half": _caster(dtypes.float16), "float": _caster(dtypes.float32),
        "cfloat": _caster(dtypes.complex64), "cdouble": _caster(dtypes.complex128),
        "double": _caster(dtypes.float64), "int": _caster(dtypes.int32), "long": _caster(dtypes.int64),
        "short": _caster(dtypes.int16), "char": _caster(dtypes.int8), "byte": _caster(dtypes.uint8),
        "bool": _caster(dtypes.bool_), "bfloat16": _caster(dtypes.bfloat16),
    }  # fmt: skip
    to_array.__qualname__ = "Tensor.__array__"  # numpy looks for this name when `copy` is not taken
    for name, function in table.items():
        setattr(cls, name, function)
    cls.storage, cls.untyped_storage = storage, untyped_storage
    cls.__array_priority__ = 1000
    cls.is_xla = cls.is_ipu = cls.is_maia = cls.is_mtia = cls.is_vulkan = cls.is_xpu = cls.is_sparse_csr = False
    cls.is_cuda = cls.is_mps = cls.is_sparse = cls.is_quantized = cls.is_meta = cls.is_mkldnn = cls.is_nested = False
    cls.is_cpu = True
    cls.layout = property(lambda self: STRIDED)
    cls.volatile = property(_volatile, _set_volatile)
    cls.name = None
    for name in ("shape", "dtype", "device", "grad_fn", "is_leaf", "ndim", "output_nr", "retains_grad", "layout"):
        setattr(cls, name, getattr(cls, name).setter(_not_writable(name)))


def _not_writable(name: str) -> Callable[[Any, Any], None]:
    def refuse(self: Any, value: Any) -> None:
        raise AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")

    return refuse
