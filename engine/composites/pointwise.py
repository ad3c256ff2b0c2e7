"""Elementwise functions composed of others: squares, powers in double precision, comparisons of whole tensors."""

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.composite import composite
from engine.composites.versions import changed
from engine.dispatch import run_inplace
from engine.ops.arithmetic import ADD_SCALAR, MUL_SCALAR
from engine.ops.bounds import MAXIMUM, MINIMUM
from engine.ops.comparison import ISCLOSE
from engine.ops.complex import CONJ, CONJ_PHYSICAL
from engine.ops.copy import TO_COPY
from engine.ops.error_function import ERF
from engine.ops.masking import WHERE
from engine.ops.powers import POW, POW_SCALAR, POW_TENSOR
from engine.ops.rounding import ROUND_DECIMALS
from engine.ops.slicing import SELECT
from engine.ops.views import VIEW_AS_REAL


@composite("square(Tensor self) -> Tensor")
def square(self: Any) -> Any:
    """The second power."""
    return POW(self, 2)


@composite("square_(Tensor self) -> Tensor")
def square_(self: Any) -> Any:
    """The second power, in place."""
    return run_inplace(POW, [self, 2])


@composite("positive(Tensor self) -> Tensor")
def positive(self: Any) -> Any:
    """The tensor itself. Raises RuntimeError for bool tensors."""
    if self.dtype is dtypes.bool_:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return self


def _wide(x: Any) -> Any:
    """A tensor or number as float_power computes with it: double, or complex double."""
    if isinstance(x, bool | int | float):
        return float(x)
    if isinstance(x, complex):
        return x
    wanted = dtypes.complex128 if x.dtype.is_complex else dtypes.float64
    return x if x.dtype is wanted else TO_COPY(x, dtype=wanted)


@composite("float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor")
def float_power(self: Any, exponent: Any) -> Any:
    """A power computed in double precision."""
    return POW_TENSOR(_wide(self), _wide(exponent))


@composite("float_power.Scalar(Scalar self, Tensor exponent) -> Tensor", where=("function",))
def float_power_of_number(self: Any, exponent: Any) -> Any:
    """A number to the power of a tensor, in double precision."""
    return POW_SCALAR(_wide(self), _wide(exponent))


@composite("float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor")
def float_power_by_number(self: Any, exponent: Any) -> Any:
    """A tensor to the power of a number, in double precision."""
    return POW(_wide(self), _wide(exponent))


def _check_wide(self: Any, exponent: Any) -> None:
    complex_ = self.dtype.is_complex or (
        exponent.dtype.is_complex if hasattr(exponent, "dtype") else isinstance(exponent, complex)
    )
    needed = dtypes.complex128 if complex_ else dtypes.float64
    if self.dtype is not needed:
        raise RuntimeError(
            f"the base given to float_power_ has dtype {self.dtype.torch_name} but the operation's result requires "
            f"dtype {needed.torch_name}"
        )


@composite("float_power_.Tensor(Tensor self, Tensor exponent) -> Tensor", where=("method",))
def float_power_(self: Any, exponent: Any) -> Any:
    """A power in place, of a tensor that is in double precision already. Raises RuntimeError for another."""
    _check_wide(self, exponent)
    return run_inplace(POW_TENSOR, [self, _wide(exponent)])


@composite("float_power_.Scalar(Tensor self, Scalar exponent) -> Tensor", where=("method",))
def float_power_by_number_(self: Any, exponent: Any) -> Any:
    """The same to the power of a number."""
    _check_wide(self, exponent)
    return run_inplace(POW, [self, _wide(exponent)])


@composite("special_round(Tensor self, *, int decimals=0) -> Tensor", where=("special",))
def special_round(self: Any, decimals: int = 0) -> Any:
    """Rounded to so many decimals."""
    if not self.dtype.is_floating_point:
        raise NotImplementedError(f"\"round_vml_cpu\" not implemented for '{self.dtype.torch_name}'")
    return ROUND_DECIMALS(self, decimals)


@composite(
    "isclose.checked(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor"
)
def isclose(self: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Which elements are close: within atol + rtol * |other|."""
    close = ISCLOSE(self, other, rtol, atol, equal_nan)
    floating = self.dtype.is_floating_point or self.dtype.is_complex
    return changed(close, (equal_nan and floating) + bool(rtol or atol or not floating))


@composite("max.other(Tensor self, Tensor other) -> Tensor")
def larger(self: Any, other: Any) -> Any:
    """`maximum`, under the name of the reduction."""
    return MAXIMUM(self, other)


@composite("min.other(Tensor self, Tensor other) -> Tensor")
def smaller(self: Any, other: Any) -> Any:
    """`minimum`, under the name of the reduction."""
    return MINIMUM(self, other)


@composite("where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor", where=("function",))
def where_number_first(condition: Any, self: Any, other: Any) -> Any:
    """`other`, with a number where the condition holds."""
    return WHERE(condition, self, other)


@composite("where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor")
def where_number_last(condition: Any, self: Any, other: Any) -> Any:
    """`self`, with a number where the condition does not hold."""
    return WHERE(condition, self, other)


@composite("where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor", where=("function",))
def where_numbers(condition: Any, self: Any, other: Any) -> Any:
    """One of two numbers for each element of the condition."""
    return WHERE(condition, self, other)


@composite("equal(Tensor self, Tensor other) -> bool")
def equal(self: Any, other: Any) -> bool:
    """Whether shapes and all elements are the same."""
    return self.shape == other.shape and bool(np.all(self._a == other._a))


@composite("allclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> bool")
def allclose(self: Any, other: Any, rtol: float, atol: float, equal_nan: bool) -> bool:
    """Whether all elements are close: `isclose`, for whole tensors."""
    return bool(np.all(ISCLOSE(self, other, rtol, atol, equal_nan)._a))


@composite("special_ndtr(Tensor self) -> Tensor", where=("special",))
def ndtr(self: Any) -> Any:
    """The standard normal distribution function."""
    return MUL_SCALAR(ADD_SCALAR(ERF(MUL_SCALAR(self, math.sqrt(0.5))), 1), 0.5)


@composite("real(Tensor self) -> Tensor", where=("function",))
def real(self: Any) -> Any:
    """The real part: a view of a complex tensor, a real tensor itself."""
    return SELECT(VIEW_AS_REAL(self), -1, 0) if self.dtype.is_complex else self


@composite("imag(Tensor self) -> Tensor", where=("function",))
def imag(self: Any) -> Any:
    """The imaginary part of a complex tensor, as a view. Raises RuntimeError for real tensors."""
    if not self.dtype.is_complex:
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return SELECT(VIEW_AS_REAL(self), -1, 1)


@composite("conj(Tensor self) -> Tensor")
def conj(self: Any) -> Any:
    """The complex conjugate; a real tensor itself."""
    return CONJ(self) if self.dtype.is_complex else self


@composite("conj_physical(Tensor self) -> Tensor")
def conj_physical(self: Any) -> Any:
    """The complex conjugate, computed at once; a real tensor itself."""
    return CONJ_PHYSICAL(self) if self.dtype.is_complex else self


@composite("resolve_conj(Tensor self) -> Tensor")
def resolve_conj(self: Any) -> Any:
    """The tensor itself: conjugation is never postponed here."""
    return self


def _write(part: Any, value: Any) -> None:
    if isinstance(value, type(part)):
        part.copy_(value)
    else:
        part.fill_(value)


def attach(cls: Any) -> None:
    """Give `cls` the attributes real and imag, which can be written through."""
    cls.real = property(lambda self: real(self), lambda self, value: _write(real(self), value))
    cls.imag = property(lambda self: imag(self), lambda self, value: _write(imag(self), value))
