"""Which kinds of numbers a kernel takes: ATen refuses the others by name, numpy would quietly compute in float64.

Kinds are numpy's letters: "f" floating point, "c" complex, "i" and "u" integers, "b" bool.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dtypes import dtype_of_number, finfo, from_numpy

Kernel = Callable[..., Any]


def torch_name(x: Any) -> str:
    """The name messages have for the dtype of an array or a number: "Float"."""
    return (from_numpy(x.dtype) if hasattr(x, "dtype") else dtype_of_number(x)).torch_name


def check_kind(name: str, x: Any, kinds: str, dtypes: str = "") -> None:
    """Raise ATen's NotImplementedError, which says a kernel's `name`, for an array or number of none of these kinds.

    `dtypes` are taken besides, by numpy's letters: "l" for int64, "B" for uint8.
    """
    check_dtype(name, x.dtype if hasattr(x, "dtype") else dtype_of_number(x).numpy, kinds, dtypes)


def check_dtype(name: str, dtype: np.dtype, kinds: str, dtypes: str = "") -> None:
    """The same of the dtype that a kernel is to write."""
    if dtype.kind not in kinds and dtype.char not in dtypes:
        raise NotImplementedError(f"\"{name}\" not implemented for '{from_numpy(dtype).torch_name}'")


def only(kinds: str, name: str, kernel: Kernel, dtypes: str = "") -> Kernel:
    """The kernel, with what `check_kind` asks of its first input, or of its second where the first is a number.

    ATen picks a kernel for the dtype after it has looked at the shapes: what is wrong with those is said first.
    """

    def checked(self: Any, *rest: Any) -> Any:
        asked = self if hasattr(self, "dtype") or not rest else rest[0]
        if hasattr(asked, "dtype"):
            try:
                check_kind(name, asked, kinds, dtypes)
            except NotImplementedError as refused:
                raise _misfit(kernel, [_stand_in(a, asked.dtype, kinds[0]) for a in (self, *rest)]) or refused from None
        return kernel(self, *rest)

    return checked


_STAND_INS = {"f": np.float32, "c": np.complex64, "i": np.int64, "u": np.uint8, "b": np.bool_, "V": np.float32}


def _stand_in(a: Any, refused: np.dtype, kind: str) -> Any:
    """Ones of a dtype that is taken, for an array of the dtype that is not."""
    return np.ones(a.shape, _STAND_INS[kind])[()] if getattr(a, "dtype", None) == refused else a


def _misfit(kernel: Kernel, arguments: list[Any]) -> Exception | None:
    """What a kernel says of the shapes of its arguments and of its dimensions, if anything."""
    try:
        with np.errstate(all="ignore"):
            kernel(*arguments)
    except (RuntimeError, IndexError) as error:
        return None if isinstance(error, NotImplementedError) or "type" in str(error) else error
    except (TypeError, ValueError, AttributeError):  # of an argument that no stand-in fits
        return None
    return None


def wide_only(name: str, kernel: Kernel, kinds: str = "") -> Kernel:
    """The kernel, known to ATen by `name`, which it does not have for float16 and bfloat16; with `kinds`, `only` those.

    Instead of the name, the whole message with {} where the dtype stands, of what is checked before any kernel.
    """
    kernel = only(kinds, name, kernel) if kinds else kernel

    def marked(*args: Any, **kwargs: Any) -> Any:
        return kernel(*args, **kwargs)

    marked.refuses_narrow = name  # type: ignore[attr-defined]  read by engine.narrow
    return marked


def refusing(kind: str, error: type[Exception], message: str, kernel: Kernel) -> Kernel:
    """The kernel, but an error of its own for inputs of one kind."""

    def checked(self: Any, *rest: Any) -> Any:
        if hasattr(self, "dtype") and self.dtype.kind == kind:
            raise error(message)
        return kernel(self, *rest)

    return checked


def no_complex(name: str, kernel: Kernel) -> Kernel:
    """The kernel, with the error that clamping and its relatives have for complex inputs."""
    return refusing("c", NotImplementedError, f"{name} is not supported for complex types", kernel)


_C_NAMES = {
    "float16": "c10::Half", "bfloat16": "c10::BFloat16", "float32": "float", "float64": "double", "int32": "int",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
}  # fmt: skip


def held(value: Any, dtype: np.dtype) -> np.ndarray:
    """A number, as an array of the dtype that is to hold it. Raises RuntimeError when it cannot."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.item()
    if not _fits(value, dtype):
        name = from_numpy(dtype).name
        raise RuntimeError(f"value cannot be converted to type {_C_NAMES.get(name, name + '_t')} without overflow")
    return np.asarray(value.real if isinstance(value, complex) and dtype.kind not in "cb" else value).astype(dtype)


def _fits(value: complex, dtype: np.dtype) -> bool:
    """Whether a dtype holds a number; infinity counts as held by floating point, and any number is true or false."""
    kind = dtype.kind
    if kind == "b":
        return True
    if isinstance(value, complex):
        if kind == "c":
            part = np.dtype(np.float32 if dtype.itemsize == 8 else np.float64)
            return _fits(value.real, part) and _fits(value.imag, part)
        if value.imag:
            return False
        value = value.real
    if kind in "iu":
        limits = np.iinfo(dtype)
        # an unsigned dtype takes negative integers whose size fits, and wraps them around
        low = -int(limits.max) if limits.min == 0 and isinstance(value, int) else int(limits.min)
        return math.isfinite(value) and low <= value <= limits.max
    return not math.isfinite(value) or abs(value) <= finfo(from_numpy(dtype).to_real()).max


def cpp_name(x: np.ndarray) -> str:
    """The C++ name messages have for an array's dtype: "float"."""
    return from_numpy(x.dtype).cpp_name
