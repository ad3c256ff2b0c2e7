"""Element types: torch's ``dtype`` singletons, the promotion rules between them, and their numeric limits.

numpy has no ``bfloat16`` and no half-precision complex. Both dtypes exist here as names, so programs may mention them;
``bfloat16`` holds data only where the optional ``ml_dtypes`` package is installed, ``complex32`` never does.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Self

import numpy as np

from engine.type_names import Native, type_name


class dtype(metaclass=Native):
    """One element type. There is exactly one object per type, so dtypes compare and hash by identity.

    Attributes:
        name: torch's name without the ``torch.`` prefix, for example ``"float32"``.
        numpy: the numpy dtype that stores it. Reading it raises ``RuntimeError`` when numpy cannot store this type.
        torch_name: the name used by messages such as ``expected scalar type Float``.
        cpp_name: the name used by messages such as ``float != double``.
        itemsize: bytes per element.
    """

    __module__ = "torch"
    __slots__ = (
        "cpp_name",
        "is_complex",
        "is_floating_point",
        "is_signed",
        "itemsize",
        "name",
        "numpy",
        "rank",
        "torch_name",
    )

    name: str
    numpy: np.dtype
    torch_name: str
    cpp_name: str
    itemsize: int
    is_floating_point: bool
    is_complex: bool
    is_signed: bool
    rank: int  # the category: 0 bool, 1 integer, 2 floating point, 3 complex

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        raise TypeError("cannot create 'torch.dtype' instances")

    def __getattr__(self, attribute: str) -> Any:
        # Only reached for a slot that is never filled: the storage type of those kernels must look out for.
        if attribute != "numpy":
            raise AttributeError(f"'torch.dtype' object has no attribute '{attribute}'")
        return _numpy_extension(self)

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return by_name, (self.name,)

    @property
    def class_name(self) -> str:
        """The class of such tensors as ATen's messages have it: "torch.FloatTensor", "CPUBoolType"."""
        with_class = self.torch_name in ("Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double")
        return f"torch.{self.torch_name}Tensor" if with_class else f"CPU{self.torch_name}Type"

    def to_real(self) -> dtype:
        """The type of the real part: ``complex64`` gives ``float32``; real types give themselves."""
        return by_name(_REAL_OF[self.name]) if self.is_complex else self

    def to_complex(self) -> dtype:
        """The complex type whose parts have this type. Raises ``RuntimeError`` for integers and bool."""
        if self.is_complex:
            return self
        if not self.is_floating_point:
            raise RuntimeError(f"Unknown Complex ScalarType for {self.torch_name}")
        return by_name(_COMPLEX_OF[self.name])


_REAL_OF = {"complex32": "float16", "complex64": "float32", "complex128": "float64"}
_COMPLEX_OF = {"float16": "complex32", "bfloat16": "complex64", "float32": "complex64", "float64": "complex128"}

TORCH_NAMES: dict[str, dtype] = {}
"""Every dtype by each of its names in the ``torch`` namespace, aliases such as ``float`` and ``int`` included."""

_FROM_NUMPY: dict[np.dtype, dtype] = {}


def _define(torch_name: str, cpp_name: str, itemsize: int, rank: int, names: str, *, plain: bool = True) -> dtype:
    name, *aliases = names.split()
    new = object.__new__(dtype)
    new.name, new.torch_name, new.cpp_name, new.itemsize, new.rank = name, torch_name, cpp_name, itemsize, rank
    new.is_floating_point, new.is_complex = rank == 2, rank == 3
    new.is_signed = not (name == "bool" or name.startswith("uint"))
    if plain:
        new.numpy = np.dtype(name)
        _FROM_NUMPY[new.numpy] = new
    for each in (name, *aliases):
        TORCH_NAMES[each] = new
    return new


bool_ = _define("Bool", "bool", 1, 0, "bool")
uint8 = _define("Byte", "unsigned char", 1, 1, "uint8")
int8 = _define("Char", "signed char", 1, 1, "int8")
int16 = short = _define("Short", "short int", 2, 1, "int16 short")
int32 = _define("Int", "int", 4, 1, "int32 int")
int64 = long = _define("Long", "long int", 8, 1, "int64 long")
uint16 = _define("UInt16", "short unsigned int", 2, 1, "uint16")
uint32 = _define("UInt32", "unsigned int", 4, 1, "uint32")
uint64 = _define("UInt64", "long unsigned int", 8, 1, "uint64")
float16 = half = _define("Half", "c10::Half", 2, 2, "float16 half", plain=False)
bfloat16 = _define("BFloat16", "c10::BFloat16", 2, 2, "bfloat16", plain=False)
float32 = _define("Float", "float", 4, 2, "float32 float")
float64 = double = _define("Double", "double", 8, 2, "float64 double")
complex32 = chalf = _define("ComplexHalf", "c10::complex<c10::Half>", 4, 3, "complex32 chalf", plain=False)
complex64 = cfloat = _define("ComplexFloat", "c10::complex<float>", 8, 3, "complex64 cfloat")
complex128 = cdouble = _define("ComplexDouble", "c10::complex<double>", 16, 3, "complex128 cdouble")

OF_PYTHON: dict[type, dtype] = {float: float64, int: int64, bool: bool_, complex: complex128}
"""What Python's own types mean where a dtype is asked for."""


def by_name(name: str) -> dtype:
    """The dtype called ``name`` in the torch namespace. Raises ``KeyError`` if there is none."""
    return TORCH_NAMES[name]


def from_numpy(numpy_dtype: np.dtype) -> dtype:
    """The dtype of a numpy array's elements. Raises ``TypeError`` for types that torch does not have."""
    found = _FROM_NUMPY.get(numpy_dtype)
    if found is not None:
        return found
    numpy_dtype = np.dtype(numpy_dtype)
    if numpy_dtype.name in ("float16", "bfloat16"):
        NARROW.used = True
        return float16 if numpy_dtype.name == "float16" else bfloat16
    found = _FROM_NUMPY.get(numpy_dtype.newbyteorder("="))
    if found is None:
        raise TypeError(
            f"can't convert np.ndarray of type {numpy_dtype.type.__module__}.{numpy_dtype.type.__name__}. The only "
            "supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, "
            "uint32, uint16, uint8, and bool."
        )
    _FROM_NUMPY[numpy_dtype] = found
    return found


def _numpy_extension(wanted: dtype) -> np.dtype:
    """The storage type of a dtype that numpy itself lacks, or computes with less exactly than PyTorch does."""
    if wanted is float16:
        NARROW.used = True
        return np.dtype(np.float16)
    if wanted is bfloat16:
        try:
            ml_dtypes = import_module("ml_dtypes")  # optional, and only for programs that ask for it
        except ImportError:
            raise RuntimeError(
                "torch.bfloat16 tensors need the optional ml_dtypes package, which is not installed here; "
                "torch.float16 and torch.float32 work without it"
            ) from None
        NARROW.used = True
        return np.dtype(ml_dtypes.bfloat16)
    raise RuntimeError(f"{wanted} tensors are not supported here; torch.complex64 is the smallest complex type")


class _Narrow:
    """Whether a program has asked for float16 or bfloat16, so that kernels must look out for them."""

    __slots__ = ("used",)

    def __init__(self) -> None:
        self.used = False


NARROW = _Narrow()


class _DefaultDtype:
    """The floating-point type that new tensors get when a program names none."""

    __slots__ = ("current",)

    def __init__(self) -> None:
        self.current = float32


_default = _DefaultDtype()


def get_default_dtype() -> dtype:
    """The dtype of floating-point tensors made without naming one; ``torch.float32`` unless a program changed it."""
    return _default.current


def set_default_dtype(d: dtype) -> None:
    """Make ``d`` the default. Raises ``TypeError`` unless it is a floating-point dtype."""
    if not isinstance(d, dtype):
        raise TypeError("invalid dtype object: only floating-point types are supported as the default type")
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default.current = d


def get_default_complex_dtype() -> dtype:
    """The complex dtype whose parts have the default dtype."""
    return _default.current.to_complex()


def dtype_of_number(value: complex) -> dtype:
    """The dtype torch gives a Python number: bool, int64, the default dtype, or the default complex dtype."""
    # bool comes before int, of which it is a subclass. numpy scalars count as the Python number they resemble.
    if isinstance(value, (bool, np.bool_)):
        return bool_
    if isinstance(value, (int, np.integer)):
        return int64
    if isinstance(value, (float, np.floating)):
        return _default.current
    if isinstance(value, (complex, np.complexfloating)):
        return get_default_complex_dtype()
    raise TypeError(f"not a number: {type(value).__name__}")


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """The smallest type that holds both, by torch's table. Raises ``RuntimeError`` where the table has no entry."""
    for position, given in enumerate((type1, type2), 1):
        if not isinstance(given, dtype):
            kind = type(given).__name__
            raise TypeError(
                f"promote_types(): argument 'type{position}' (position {position}) must be torch.dtype, not {kind}"
            )
    return _promote(type1, type2)


_WIDE_UNSIGNED = frozenset((uint16, uint32, uint64))


@cache
def _promote(a: dtype, b: dtype) -> dtype:
    if a is b:
        return a
    low, high = (a, b) if a.rank <= b.rank else (b, a)
    if a in _WIDE_UNSIGNED or b in _WIDE_UNSIGNED:
        # These meet only floating point, which wins; torch has no rule for anything else.
        if high.is_floating_point:
            return high
        raise RuntimeError(
            "Promotion for uint16, uint32, uint64 types is not supported, "
            f"attempted to promote {a.torch_name} and {b.torch_name}"
        )
    if high.is_complex:
        return _promote(low.to_real(), high.to_real()).to_complex() if low.rank >= 2 else high
    if low.rank < high.rank:
        return high
    if {a, b} == {float16, bfloat16}:
        return float32  # neither holds the other
    if {a, b} == {uint8, int8}:
        return int16
    return a if a.itemsize > b.itemsize else b


@cache
def combine_categories(dimensioned: dtype | None, zero_dim: dtype | None, number: dtype | None) -> dtype:
    """The common type of the three priority groups of operands, ``None`` standing for an empty group.

    Tensors with dimensions outrank zero-dimensional tensors, which outrank Python numbers: a lower group changes the
    result only if its category (bool < integer < floating < complex) is higher. Each argument is the promoted type of
    one group.
    """
    return _outrank(dimensioned, _outrank(zero_dim, number))  # type: ignore[return-value]


def _outrank(higher: dtype | None, lower: dtype | None) -> dtype | None:
    if higher is None or lower is None:
        return higher or lower
    if lower.rank <= higher.rank:
        return higher
    if lower.rank == 1:
        return _promote(higher, lower)
    return higher.to_complex() if higher.is_floating_point else lower


def result_type(*operands: Any) -> dtype:
    """The type an arithmetic operation computes in.

    Each operand is a Python number or anything with a torch ``dtype`` and an ``ndim``, such as a Tensor.
    """
    dimensioned: dtype | None = None
    zero_dim: dtype | None = None
    number: dtype | None = None
    for operand in operands:
        found = getattr(operand, "dtype", None)
        if not isinstance(found, dtype):
            found = dtype_of_number(operand)
            number = found if number is None else _promote(number, found)
        elif operand.ndim:
            dimensioned = found if dimensioned is None else _promote(dimensioned, found)
        else:
            zero_dim = found if zero_dim is None else _promote(zero_dim, found)
    return combine_categories(dimensioned, zero_dim, number)


def can_cast(from_: dtype, to: dtype) -> bool:
    """Whether a result of type ``from_`` may be written into a tensor of type ``to``, as in-place operations ask."""
    for name, given in (("from_", from_), ("to", to)):
        if not isinstance(given, dtype):
            position, kind = 1 + (name == "to"), type(given).__name__
            raise TypeError(f"can_cast(): argument '{name}' (position {position}) must be torch.dtype, not {kind}")
    return from_.rank <= to.rank  # narrower within a category is fine, a lower category is not


def _only_argument(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The dtype that finfo or iinfo is asked about. Raises TypeError for any other call."""
    if not args and "type" not in kwargs:
        raise TypeError(f'{name}() missing 1 required positional arguments: "type"')
    if len(args) + len(kwargs) > 1:
        if name == "finfo":
            got = ", ".join([*map(type_name, args), *(f"{k}={type_name(v)}" for k, v in kwargs.items())])
            raise TypeError(
                f"finfo() received an invalid combination of arguments - got ({got}), but expected one of:\n"
                " * (torch.dtype type)\n * ()\n"
            )
        if kwargs:
            raise TypeError(f"{name}() got an unexpected keyword argument '{next(k for k in kwargs if k != 'type')}'")
        raise TypeError(f"{name}() takes 1 positional argument but {len(args)} were given")
    return args[0] if args else kwargs["type"]


class finfo(metaclass=Native):
    """Limits of a floating-point type (of its parts, for a complex type), as ``torch.finfo``."""

    __module__ = "torch"
    __slots__ = ("bits", "dtype", "eps", "max", "min", "resolution", "smallest_normal", "tiny")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Called as finfo(type); without it, of the default dtype."""
        type = _only_argument("finfo", args, kwargs) if args or kwargs else get_default_dtype()
        if not isinstance(type, dtype):
            raise TypeError(f"finfo(): argument 'type' (position 1) must be torch.dtype, not {type.__class__.__name__}")
        if type.rank < 2:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        real = type.to_real()
        self.dtype = real.name
        self.bits = real.itemsize * 8
        if real is bfloat16:  # known without ml_dtypes: float32's exponent with 8 significant bits
            self.eps, self.max, self.resolution = 2.0**-7, (2 - 2.0**-7) * 2.0**127, 1e-2
            self.tiny = 2.0**-126
        else:
            limits = np.finfo(real.numpy)
            self.eps, self.max = float(limits.eps), float(limits.max)
            self.tiny, self.resolution = float(limits.tiny), 10.0**-limits.precision
        self.min = -self.max
        self.smallest_normal = self.tiny

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, finfo) and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)


class iinfo(metaclass=Native):
    """Limits of an integer type, as ``torch.iinfo``."""

    __module__ = "torch"
    __slots__ = ("bits", "dtype", "max", "min")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Called as iinfo(type)."""
        type = _only_argument("iinfo", args, kwargs)
        if not isinstance(type, dtype):
            raise TypeError(f"iinfo(): argument 'type' (position 1) must be torch.dtype, not {type.__class__.__name__}")
        if type.rank >= 2:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        if type is bool_:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        limits = np.iinfo(type.numpy)
        self.dtype, self.bits, self.max, self.min = type.name, limits.bits, int(limits.max), int(limits.min)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, iinfo) and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)
