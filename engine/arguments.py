"""One argument of a call: whether a value is of a parameter's type, and the value as the operator takes it.

The types are those of PyTorch's argument parser: https://pytorch.org/docs/stable/notes/extending.func.html
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.device import device
from engine.dtypes import OF_PYTHON, dtype
from engine.layout import check_layout, layout, memory_format
from engine.random import Generator
from engine.signature import REQUIRED, Param
from engine.tensor import TensorBase
from engine.type_names import type_name

_DISPLAY = {
    "Tensor": "Tensor", "Scalar": "Number", "int": "int", "SymInt": "int", "float": "float", "bool": "bool",
    "str": "str",
    "ScalarType": "torch.dtype", "Layout": "torch.layout", "Device": "torch.device",
    "MemoryFormat": "torch.memory_format",
    "Generator": "torch.Generator", "any": "object",
}  # fmt: skip
_LISTS = {
    "int": "ints", "SymInt": "ints", "float": "floats", "Tensor": "Tensors", "Scalar": "Scalars", "bool": "bools",
}  # fmt: skip


def _is_int(v: Any) -> bool:
    if isinstance(v, bool):
        return False
    if isinstance(v, int | np.integer):
        return True
    return isinstance(v, TensorBase) and v._a.ndim == 0 and v._a.dtype.kind in "iu"


def _is_size(v: Any) -> bool:
    return _is_int(v) or (isinstance(v, TensorBase) and v._a.size == 1 and v._a.dtype.kind in "iub")


def _is_size_inside(v: Any) -> bool:
    """Whether a later element of a list of ints is one: PyTorch looks at the first alone before it converts."""
    return _is_size(v) or isinstance(v, bool)


def _is_float(v: Any) -> bool:
    return isinstance(v, float | int | np.floating | np.integer | np.bool_) or (
        isinstance(v, TensorBase) and v._a.size == 1 and v._a.ndim == 0 and not v._needs_grad
    )


_FLOATS_INSIDE = (float, int, complex, np.floating, np.integer)


def _is_number(v: Any) -> bool:
    if isinstance(v, int | float | complex | np.number | np.bool_):
        return True
    return isinstance(v, TensorBase) and v._a.ndim == 0 and not v._needs_grad


def _int(v: Any, symbolic: bool = False) -> int:
    """A plain int of 64 bits. Raises ValueError for a larger one, RuntimeError for a truth value if `symbolic`."""
    if symbolic and isinstance(v, TensorBase) and v._a.dtype == bool:
        raise RuntimeError(errors.NOT_INTEGRAL)
    i = int(v._a.item()) if isinstance(v, TensorBase) else int(v)
    if not -(2**63) <= i < 2**63:
        raise ValueError("Overflow when unpacking long long")
    return i


def number(v: Any) -> Any:
    """A plain Python number from a number, numpy scalar or 0-dim tensor. Raises OverflowError beyond 64 bits."""
    if isinstance(v, TensorBase):
        return v._a.item()
    if type(v) is int and not -(2**63) <= v < 2**64:
        raise OverflowError("int too big to convert")
    if isinstance(v, np.bool_):
        return float(v)
    return v.item() if isinstance(v, np.generic) else v


def check_tensors(values: Sequence[Any], position: int = 0) -> None:
    """TypeError unless all elements of a list are tensors; `position` is the argument's."""
    for i, x in enumerate(values):
        if not isinstance(x, TensorBase):
            raise TypeError(f"expected Tensor as element {i} in argument {position}, but got {type_name(x)}")


class Argument:
    """One parameter as Python sees it.

    Attributes:
        takes_none: None may be given.
        none: what None stands for.
        display: the type as messages have it: "tuple of ints".
    """

    __slots__ = (
        "name", "type", "default", "keyword_only", "takes_none", "none", "number_ok", "size", "display", "listed",
    )  # fmt: skip

    def __init__(self, p: Param, name: str, number_ok: bool):
        self.name = name
        self.type = p.type
        self.default = p.default
        self.keyword_only = p.keyword_only
        self.takes_none = p.optional or p.default is None or p.default == ()
        self.none = () if p.default == () and not p.optional else None
        self.number_ok = number_ok
        self.listed = p.type.endswith("]")
        inner = p.type[: p.type.index("[")] if self.listed else ""
        self.size = int(p.type[p.type.index("[") + 1 : -1] or 0) if self.listed else 0
        if self.listed:
            self.display = f"tuple of {_LISTS[inner]}"
            self.type = inner + "[]"
        else:
            self.display = _DISPLAY[p.type]

    def value_when_absent(self) -> Any:
        """The default, as the operator takes it."""
        d = self.default
        return (d,) * (self.size or 1) if self.listed and isinstance(d, int) and not isinstance(d, bool) else d

    def check(self, v: Any, position: int = 0) -> bool:
        """Whether a value is of the parameter's type. Raises TypeError for a list that should hold only tensors."""
        t = self.type
        if t == "Tensor":
            return isinstance(v, TensorBase) or (self.number_ok and _is_number(v))
        if t in ("int[]", "SymInt[]"):
            if isinstance(v, list | tuple):
                return not v or _is_size(v[0])
            return self.size > 0 and _is_size(v)
        if t == "int":
            return _is_int(v)
        if t == "SymInt":
            return _is_size(v)
        if t == "bool":
            return isinstance(v, bool)
        if t == "Scalar":
            return _is_number(v)
        if t == "float":
            return _is_float(v)
        if t == "ScalarType":
            return isinstance(v, dtype) or (isinstance(v, type) and v in OF_PYTHON)
        if t == "Tensor[]":
            return self._holds_tensors(v, position)
        if t == "str":
            return isinstance(v, str)
        if t == "Generator":
            return isinstance(v, Generator)
        if t == "Device":
            return isinstance(v, device | str | int)
        if t == "Layout":
            return isinstance(v, layout)
        if t == "MemoryFormat":
            return isinstance(v, memory_format)
        if t == "float[]":
            if isinstance(v, list | tuple):
                return not v or isinstance(v[0], _FLOATS_INSIDE)  # the rest is looked at when it is converted
            return self.size > 0 and _is_float(v)
        if t == "Scalar[]":
            return isinstance(v, list | tuple) and all(_is_number(x) for x in v)
        if t == "bool[]":
            return isinstance(v, list | tuple) and all(isinstance(x, bool) for x in v)
        return True

    def _holds_tensors(self, v: Any, position: int) -> bool:
        if not isinstance(v, list | tuple):
            return False
        check_tensors(v, position)
        return True

    def wrong_element(self, v: Any) -> str:
        """Which element of a list of ints is none, as the message goes on; empty for another mistake."""
        if self.type in ("int[]", "SymInt[]") and isinstance(v, list | tuple):
            return f", but found element of type {type_name(v[0])} at pos 0"
        return ""

    def convert(self, v: Any, position: int, function: str) -> Any:
        """The value as the operator takes it. Raises TypeError for a list with a wrong element."""
        t = self.type
        if t == "Tensor":
            return v if isinstance(v, TensorBase) else number(v)
        if t in ("int[]", "SymInt[]"):
            if isinstance(v, list | tuple):
                return tuple(self._element(x, i, function) for i, x in enumerate(v))
            return (_int(v),) * self.size
        if t in ("int", "SymInt"):
            return _int(v, t == "SymInt")
        if t == "Scalar":
            return number(v)
        if t == "float":
            return float(number(v))
        if t == "bool":
            if v and self.name == "pin_memory":
                raise RuntimeError(errors.NO_PINNED_MEMORY)
            return bool(v)
        if t == "ScalarType":
            return v if isinstance(v, dtype) else OF_PYTHON[v]
        if t == "Tensor[]":
            return list(v)
        if t == "Layout":
            check_layout(v)
        if t == "Device":
            return v if isinstance(v, device) else device(v)
        if t == "float[]":
            if not isinstance(v, list | tuple):
                return (float(number(v)),) * self.size
            for i, x in enumerate(v):
                if not _is_float(x):
                    raise TypeError(
                        f"{function}(): argument '{self.name}' must be {self.display}, but found element of type "
                        f"{type_name(x)} at pos {i + 1}"
                    )
            return tuple(float(number(x)) for x in v)
        return v

    def _element(self, x: Any, i: int, function: str) -> int:
        wrong = f"type must be tuple of ints,but got {type_name(x)}"
        if _is_size_inside(x):
            try:
                return _int(x, self.type == "SymInt[]")
            except ValueError as e:
                wrong = str(e)
        end = '"' if wrong.startswith("type") else ""  # after an overflow PyTorch's text goes on in C++
        raise TypeError(
            f"{function}(): argument '{self.name}' failed to unpack the object at pos {i + 1} with error \"{wrong}{end}"
        )

    def described(self) -> str:
        """The parameter as a signature listing has it: "bool keepdim = False"."""
        text = f"{self.display} {self.name}"
        if self.default is REQUIRED:
            return text
        d: Any = self.default
        if self.name == "reduction" and d == 0:
            d = "at::Reduction::Mean"  # which PyTorch's parser reads as the number 0
        if self.type == "str" and isinstance(d, str):
            d = f'"{d}"'
        elif d == () or self.type in ("Layout", "Device", "MemoryFormat"):
            d = None
        elif isinstance(d, tuple):
            d = "{" + ",".join(map(str, d)) + "}"
        return f"{text} = {d}"
