"""Comparisons, and questions about single elements. Their results are bool and never need a gradient.

The in-place forms write zeros and ones over their input, whose gradient is zero from then on.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.fill import ZEROS_LIKE
from engine.ops.kinds import only, refusing

_OF_SELF = Grad(lambda grad: ZEROS_LIKE(grad), "0")
_OF_OTHER = Grad(lambda other: ZEROS_LIKE(other), "0")
_WRITES = "changes its input; its gradient is zero"


def _of_integers(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel, for which a number becomes one of the tensor's dtype: -1 is 255 to uint8, as in PyTorch."""

    def compared(self: Any, other: Any) -> Any:
        if type(other) is int and self.dtype.kind in "iu" and self.dtype.itemsize < 8:
            other = np.asarray(other).astype(self.dtype)[()]
        return kernel(self, other)

    return compared


def _compare(name: str, kernel: Callable[..., Any], sign: str) -> tuple[Op, Op, Op, Op]:
    """A comparison's four overloads: with a number and a tensor, then the same two in place."""
    kernel = _of_integers(kernel)
    if sign not in ("=", r"\ne"):
        kernel = only("fiub", f"{name}_cpu", kernel)
    node = name.capitalize() + "Backward"
    example = f"torch.{name}(torch.tensor([1.0, 2.0, 3.0]), {{}})"
    written = f"torch.tensor([1.0, 2.0, 3.0]).{name}_({{}})"
    three = "torch.tensor([3.0, 2.0, 1.0])"
    latex = rf"[\,[[self]] {sign} [[other]]\,]"
    return (
        Op(
            f"{name}.Scalar(Tensor self, Scalar other) -> Tensor",
            kernel,
            latex=latex,
            promote="common",
            example=example.format(2.0),
        ),
        Op(
            f"{name}.Tensor(Tensor self, Tensor other) -> Tensor",
            kernel,
            latex=latex,
            promote="common",
            example=example.format(three),
        ),
        Op(
            f"{name}_.Scalar(Tensor self, Scalar other) -> Tensor",
            kernel,
            node + "0",
            {"self": _OF_SELF},
            latex,
            promote="common",
            where=("method",),
            unchecked=_WRITES,
            example=written.format(2.0),
        ),
        Op(
            f"{name}_.Tensor(Tensor self, Tensor other) -> Tensor",
            kernel,
            node + "1",
            {"self": _OF_SELF, "other": _OF_OTHER},
            latex,
            promote="common",
            where=("method",),
            unchecked=_WRITES,
            example=written.format(three),
        ),
    )


def _isclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    if self.dtype != other.dtype:
        raise RuntimeError(f"{_torch_name(self)} did not match {_torch_name(other)}")
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if tolerance < 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {tolerance:g}")
    close = self == other
    if self.dtype.kind in "fc":
        near = np.abs(self - other) <= atol + np.abs(rtol * other)
        close = close | (near & np.isfinite(self) & np.isfinite(other))
        if equal_nan:
            close = close | (np.isnan(self) & np.isnan(other))
        return close
    if self.dtype.kind == "b":
        return close | (self ^ other <= atol + np.abs(rtol * other))
    return close | (np.abs(self - other) <= atol + np.abs(rtol * other))


def _torch_name(array):
    return from_numpy(array.dtype).torch_name


EQ_SCALAR, EQ, EQ_SCALAR_, EQ_ = _compare("eq", np.equal, "=")
NE_SCALAR, NE, NE_SCALAR_, NE_ = _compare("ne", np.not_equal, r"\ne")
LT_SCALAR, LT, LT_SCALAR_, LT_ = _compare("lt", np.less, "<")
LE_SCALAR, LE, LE_SCALAR_, LE_ = _compare("le", np.less_equal, r"\le")
GT_SCALAR, GT, GT_SCALAR_, GT_ = _compare("gt", np.greater, ">")
GE_SCALAR, GE, GE_SCALAR_, GE_ = _compare("ge", np.greater_equal, r"\ge")

ISNAN = Op(
    "isnan(Tensor self) -> Tensor",
    np.isnan,
    latex=r"[\,[[self]] = \mathrm{nan}\,]",
    example='torch.isnan(torch.tensor([1.0, float("nan")]))',
    pointwise=True,
)
ISINF = Op(
    "isinf(Tensor self) -> Tensor",
    np.isinf,
    latex=r"[\,\lvert [[self]] \rvert = \infty\,]",
    example='torch.isinf(torch.tensor([1.0, float("-inf")]))',
)
ISPOSINF = Op(
    "isposinf(Tensor self) -> Tensor",
    refusing("c", RuntimeError, "isposinf does not support complex inputs.", lambda self: np.isinf(self) & (self > 0)),
    latex=r"[\,[[self]] = \infty\,]",
    example='torch.isposinf(torch.tensor([1.0, float("inf")]))',
)
ISNEGINF = Op(
    "isneginf(Tensor self) -> Tensor",
    refusing("c", RuntimeError, "isneginf does not support complex inputs.", lambda self: np.isinf(self) & (self < 0)),
    latex=r"[\,[[self]] = -\infty\,]",
    example='torch.isneginf(torch.tensor([1.0, float("-inf")]))',
)
ISREAL = Op(
    "isreal(Tensor self) -> Tensor",
    np.isreal,
    latex=r"[\,\Im [[self]] = 0\,]",
    example="torch.isreal(torch.tensor([1 + 0j, 2j]))",
)
ISCLOSE = Op(
    "isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor",
    _isclose,
    pointwise=True,
    where=(),
    latex=r"[\,\lvert [[self]] - [[other]] \rvert \le [[atol]] + [[rtol]] \lvert [[other]] \rvert\,]",
)
