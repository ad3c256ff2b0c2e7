"""Which kinds of numbers a kernel takes: ATen refuses the others by name, numpy would quietly compute in float64.

Kinds are numpy's letters: "f" floating point, "c" complex, "i" and "u" integers, "b" bool.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dtypes import dtype_of_number, from_numpy

Kernel = Callable[..., Any]


def torch_name(x: Any) -> str:
    """The name messages have for the dtype of an array or a number: "Float"."""
    return (from_numpy(x.dtype) if hasattr(x, "dtype") else dtype_of_number(x)).torch_name


def check_kind(name: str, x: Any, kinds: str, dtypes: str = "") -> None:
    """Raise ATen's NotImplementedError, which says a kernel's `name`, for an array of none of these kinds.

    `dtypes` are taken besides, by numpy's letters: "l" for int64, "B" for uint8.
    """
    if x.dtype.kind not in kinds and x.dtype.char not in dtypes:
        raise NotImplementedError(f"\"{name}\" not implemented for '{torch_name(x)}'")


def only(kinds: str, name: str, kernel: Kernel, dtypes: str = "") -> Kernel:
    """The kernel, with what `check_kind` asks of its first input."""

    def checked(self: Any, *rest: Any) -> Any:
        if hasattr(self, "dtype"):
            check_kind(name, self, kinds, dtypes)
        return kernel(self, *rest)

    return checked


def wide_only(name: str, kernel: Kernel) -> Kernel:
    """The kernel, known to ATen by `name`, which it does not have for float16 and bfloat16.

    Instead of the name, the whole message with {} where the dtype stands, of what is checked before any kernel.
    """

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


def held(value: Any, dtype: np.dtype) -> np.ndarray:
    """A number, as an array of the dtype that is to hold it. Raises RuntimeError when an integer dtype cannot."""
    value = np.asarray(value)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if not (np.isfinite(value) and limits.min <= value <= limits.max):
            name = from_numpy(dtype).name
            raise RuntimeError(f"value cannot be converted to type {name}_t without overflow")
    return value.astype(dtype)


def cpp_name(x: np.ndarray) -> str:
    """The C++ name messages have for an array's dtype: "float"."""
    return from_numpy(x.dtype).cpp_name
