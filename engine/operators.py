"""Python's operators on tensors: `a + b`, `2 - a`, `a @ b`, `a += b`."""

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from engine.creation import from_numpy_array
from engine.dispatch import run_general, specialised
from engine.op import Op
from engine.ops.batched import matmul
from engine.specialise import operator
from engine.tensor import TensorBase


def binary(
    op: Op, symbol: str, builtin: Callable[..., Any], defaults: tuple[Any, ...] = ()
) -> Callable[[Any, Any], Any]:
    """A binary operator: straight-line code for tensors and numbers, through the parser for anything else."""
    return operator(specialised(op), op.plan, symbol, defaults, run_general, partial(fallback, builtin))


def fallback(builtin: Callable[..., Any], self: Any, other: Any) -> Any:
    """Any other operand: what the builtin does not take is for Python to refuse."""
    if isinstance(other, np.ndarray):
        return NotImplemented
    try:
        return builtin(self, other)
    except TypeError as e:
        if isinstance(other, TensorBase | int | float | bool | complex):
            raise
        if "must be Tensor" in str(e) or "invalid combination" in str(e) or "must be" in str(e):
            return NotImplemented
        raise


def or_not_implemented(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An operator that leaves every operand of a wrong type to the other side."""

    def operation(self: Any, other: Any) -> Any:
        try:
            return function(self, other)
        except TypeError:
            return NotImplemented

    return operation


def invert(builtin: Callable[..., Any], self: Any) -> Any:
    """`~tensor`. Raises TypeError unless the tensor is of integers or bools."""
    if self.dtype.is_floating_point or self.dtype.is_complex:
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return builtin(self)


def attach(cls: type, ops: dict[str, Op], functions: dict[str, Callable[..., Any]]) -> None:
    """Give `cls` Python's operators. `ops` by overload name, `functions` are torch's by name."""
    f: dict[str, Callable[..., Any]] = defaultdict(lambda: missing, functions)

    def missing(*args: Any) -> Any:
        return NotImplemented

    def other_way(builtin: Callable[..., Any]) -> Callable[[Any, Any], Any]:
        return lambda self, other: fallback(lambda a, b: builtin(b, a), self, other)

    add = binary(ops["add.Tensor"], "+", f["add"], (1,))
    mul = binary(ops["mul.Tensor"], "*", f["mul"])
    table: dict[str, Any] = {
        "__add__": add,
        "__radd__": add,
        "__sub__": binary(ops["sub.Tensor"], "-", f["sub"], (1,)),
        "__rsub__": lambda self, other: fallback(f["rsub"], self, other),
        "__mul__": mul,
        "__rmul__": mul,
        "__truediv__": binary(ops["div.Tensor"], "/", f["div"]),
        "__rtruediv__": or_not_implemented(lambda self, other: f["reciprocal"](self) * other),
        "__floordiv__": lambda self, other: fallback(f["floor_divide"], self, other),
        "__rfloordiv__": other_way(f["floor_divide"]),
        "__mod__": lambda self, other: fallback(f["remainder"], self, other),
        "__rmod__": other_way(f["remainder"]),
        "__pow__": lambda self, other: fallback(f["pow"], self, other),
        "__rpow__": other_way(f["pow"]),
        "__matmul__": lambda self, other: matmul(self, other) if isinstance(other, TensorBase) else NotImplemented,
        "__rmatmul__": lambda self, other: matmul(other, self) if isinstance(other, TensorBase) else NotImplemented,
        "__neg__": f["neg"],
        "__pos__": f["positive"],
        "__abs__": f["abs"],
        "__invert__": lambda self: invert(f["bitwise_not"], self),
    }
    for name, function in (("eq", "eq"), ("ne", "ne"), ("lt", "lt"), ("le", "le"), ("gt", "gt"), ("ge", "ge")):
        table[f"__{name}__"] = lambda self, other, b=f[function]: fallback(b, self, other)
    equal, equal_to_array = table["__eq__"], or_not_implemented(lambda t, a: f["eq"](t, from_numpy_array(a)))
    table["__eq__"] = lambda self, other: (equal_to_array if isinstance(other, np.ndarray) else equal)(self, other)
    for name in ("and", "or", "xor"):
        b = f[f"bitwise_{name}"]
        table[f"__{name}__"] = lambda self, other, b=b: fallback(b, self, other)
        table[f"__r{name}__"] = lambda self, other, b=b: fallback(b, self, other)
    for name, function in (("lshift", "bitwise_left_shift"), ("rshift", "bitwise_right_shift")):
        if function in f:
            table[f"__{name}__"] = lambda self, other, b=f[function]: fallback(b, self, other)
            table[f"__r{name}__"] = other_way(f[function])
    for name, method in (
        ("add", "add_"), ("sub", "sub_"), ("mul", "mul_"), ("truediv", "div_"), ("pow", "pow_"), ("mod", "remainder_"),
        ("floordiv", "floor_divide_"), ("and", "bitwise_and_"), ("or", "bitwise_or_"), ("xor", "bitwise_xor_"),
    ):  # fmt: skip
        table[f"__i{name}__"] = lambda self, other, m=method: fallback(getattr(cls, m), self, other)
    for name, function in table.items():
        setattr(cls, name, function)
    cls.__hash__ = object.__hash__  # type: ignore[method-assign]
