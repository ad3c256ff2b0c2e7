"""Exponentials and logarithms."""

import math
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops import rounded
from engine.ops.arithmetic import ADD_SCALAR, MUL_SCALAR, SUB
from engine.ops.kinds import only
from engine.ops.masking import MASKED_FILL, WHERE
from engine.ops.samples import pairs, positive, positive_pairs, singles

EXP = Op(
    "exp(Tensor self) -> Tensor",
    rounded.exp,
    "ExpBackward0",
    {"self": Grad(lambda grad, result: grad * result, r"[[grad]] \cdot [[result]]")},
    r"e^{[[self]]}",
    promote="float",
    inplace=True,
    samples=singles,
)
EXP2 = Op(
    "exp2(Tensor self) -> Tensor",
    np.exp2,
    "Exp2Backward0",
    {"self": Grad(lambda grad, result: MUL_SCALAR(grad * result, math.log(2)), r"[[grad]] \cdot [[result]] \ln 2")},
    r"2^{[[self]]}",
    promote="float",
    inplace=True,
    samples=singles,
)
EXPM1 = Op(
    "expm1(Tensor self) -> Tensor",
    rounded.expm1,
    "Expm1Backward0",
    {"self": Grad(lambda grad, result: grad * ADD_SCALAR(result, 1), r"[[grad]] \cdot ([[result]] + 1)")},
    r"e^{[[self]]} - 1",
    promote="float",
    inplace=True,
    samples=singles,
)
LOG = Op(
    "log(Tensor self) -> Tensor",
    rounded.log,
    "LogBackward0",
    {"self": Grad(lambda grad, self: grad / self, r"\frac{[[grad]]}{[[self]]}")},
    r"\ln [[self]]",
    promote="float",
    inplace=True,
    samples=positive,
)
LOG2 = Op(
    "log2(Tensor self) -> Tensor",
    np.log2,
    "Log2Backward0",
    {"self": Grad(lambda grad, self: grad / MUL_SCALAR(self, math.log(2)), r"\frac{[[grad]]}{[[self]] \ln 2}")},
    r"\log_2 [[self]]",
    promote="float",
    inplace=True,
    samples=positive,
)
LOG10 = Op(
    "log10(Tensor self) -> Tensor",
    rounded.log10,
    "Log10Backward0",
    {"self": Grad(lambda grad, self: grad / MUL_SCALAR(self, math.log(10)), r"\frac{[[grad]]}{[[self]] \ln 10}")},
    r"\log_{10} [[self]]",
    promote="float",
    inplace=True,
    samples=positive,
)
LOG1P = Op(
    "log1p(Tensor self) -> Tensor",
    rounded.log1p,
    "Log1PBackward0",
    {"self": Grad(lambda grad, self: grad / ADD_SCALAR(self, 1), r"\frac{[[grad]]}{[[self]] + 1}")},
    r"\ln(1 + [[self]])",
    promote="float",
    inplace=True,
    samples=positive,
)


def _logit(self, eps=None):
    if eps is not None:
        self = np.clip(self, eps, 1 - eps)
    return rounded.log(self / (1 - self))


def _logit_backward(grad, self, eps):
    slope = grad / (self * SUB(1, self))
    if eps is None:
        return WHERE((self >= 0) & (self <= 1), slope, math.nan)
    return WHERE((self >= eps) & (self <= 1 - eps), slope, 0)


def _xlogy(self, other):
    if not hasattr(other, "dtype"):
        other = self.dtype.type(other)
    elif not hasattr(self, "dtype"):
        self = other.dtype.type(self)
    return np.where(np.isnan(other), other, np.where(self == 0, np.zeros_like(other), self * np.log(other)))


SIGMOID = Op(
    "sigmoid(Tensor self) -> Tensor",
    lambda self: 1 / (1 + rounded.exp(-self)),
    "SigmoidBackward0",
    {
        "self": Grad(
            lambda grad, result: SIGMOID_BACKWARD(grad, result), r"[[grad]] \cdot [[result]] \cdot (1 - [[result]])"
        )
    },
    r"\sigma([[self]])",
    promote="float",
    inplace=True,
    samples=singles,
)
SIGMOID_BACKWARD = Op(
    "sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
    lambda grad_output, output: grad_output * ((1 - output) * output),
    "SigmoidBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, output: SIGMOID_BACKWARD(grad, output), r"[[grad]] \cdot [[output]] \cdot (1 - [[output]])"
        ),
        "output": Grad(
            lambda grad, grad_output, output: grad * grad_output * ADD_SCALAR(MUL_SCALAR(output, -2), 1),
            r"[[grad]] \cdot [[grad_output]] \cdot (1 - 2 [[output]])",
        ),
    },
    r"[[grad_output]] \cdot [[output]] \cdot (1 - [[output]])",
    where=(),
    samples=lambda rng: [{"grad_output": rng.normal(size=s), "output": rng.uniform(size=s)} for s in ((2, 3), ())],
)
LOGIT = Op(
    "logit(Tensor self, float? eps=None) -> Tensor",
    only("f", "logit_cpu", _logit),
    "LogitBackward0",
    {"self": Grad(_logit_backward, r"\frac{[[grad]]}{[[self]] (1 - [[self]])}")},
    r"\ln\frac{[[self]]}{1 - [[self]]}",
    promote="float",
    inplace=True,
    samples=lambda rng: [{"self": rng.uniform(0.1, 0.9, size=(2, 3)), "eps": e} for e in (None, 0.2)],
)


def add_logarithms(self: Any, other: Any) -> Any:
    """ln(e^x + e^y) without overflow. Of complex numbers the one with the larger real part stays outside."""
    if np.result_type(self, other).kind != "c":
        return np.logaddexp(self, other)
    with np.errstate(all="ignore"):
        swapped = np.real(self) < np.real(other)
        top, low = np.where(swapped, other, self), np.where(swapped, self, other)
        sums = np.log1p(np.exp(low - top)) + top
        ends = np.where(low.real < 0, low, np.log(np.exp(low) + np.exp(top)))  # both infinite, to the same side
        out = np.where(~np.isfinite(low.real) & (low.real == top.real), ends, sums)
        return np.where(np.isnan(top) | np.isnan(low), complex(math.nan, math.nan), out).astype(top.dtype)[()]


LOGADDEXP = Op(
    "logaddexp(Tensor self, Tensor other) -> Tensor",
    only("fc", "logaddexp_cpu", add_logarithms),
    "LogaddexpBackward0",
    {
        "self": Grad(
            lambda grad, self, other: grad / ADD_SCALAR(EXP(other - self), 1),
            r"\frac{[[grad]]}{1 + e^{[[other]] - [[self]]}}",
        ),
        "other": Grad(
            lambda grad, self, other: grad / ADD_SCALAR(EXP(self - other), 1),
            r"\frac{[[grad]]}{1 + e^{[[self]] - [[other]]}}",
        ),
    },
    r"\ln(e^{[[self]]} + e^{[[other]]})",
    promote="common",
    samples=pairs,
)
LOGADDEXP2 = Op(
    "logaddexp2(Tensor self, Tensor other) -> Tensor",
    only("f", "logaddexp2_cpu", np.logaddexp2),
    "Logaddexp2Backward0",
    {
        "self": Grad(
            lambda grad, self, other: grad / ADD_SCALAR(EXP2(other - self), 1),
            r"\frac{[[grad]]}{1 + 2^{[[other]] - [[self]]}}",
        ),
        "other": Grad(
            lambda grad, self, other: grad / ADD_SCALAR(EXP2(self - other), 1),
            r"\frac{[[grad]]}{1 + 2^{[[self]] - [[other]]}}",
        ),
    },
    r"\log_2(2^{[[self]]} + 2^{[[other]]})",
    promote="common",
    samples=pairs,
)
_XLOGY = r"[[self]] \cdot \ln [[other]]"
_BY_OTHER = Grad(lambda grad, self, other: grad * self / other, r"[[grad]] \frac{[[self]]}{[[other]]}")
XLOGY = Op(
    "xlogy.Tensor(Tensor self, Tensor other) -> Tensor",
    only("f", "xlogy_cpu", _xlogy),
    "XlogyBackward0",
    {
        "self": Grad(
            lambda grad, self, other: MASKED_FILL(XLOGY(grad, other), (self == 0) & (other <= 0), 0),
            r"[[grad]] \cdot \ln [[other]]",
        ),
        "other": _BY_OTHER,
    },
    _XLOGY,
    promote="float",
    inplace=True,
    samples=positive_pairs,
)
XLOGY_OF_SCALAR = Op(
    "xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor",
    _xlogy,
    "XlogyBackward1",
    {"other": _BY_OTHER},
    _XLOGY,
    promote="float",
    where=("function",),
    samples=lambda rng: [{"self": 2.5, "other": rng.uniform(0.3, 2, size=(2, 3))}],
)
XLOGY_BY_SCALAR = Op(
    "xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor",
    _xlogy,
    "XlogyBackward2",
    {
        "self": Grad(
            lambda grad, self, other: (
                XLOGY_BY_SCALAR(grad, other) if other > 0 else MASKED_FILL(XLOGY_BY_SCALAR(grad, other), self == 0, 0)
            ),
            r"[[grad]] \cdot \ln [[other]]",
        )
    },
    _XLOGY,
    promote="float",
    inplace=True,
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "other": 2.5}],
)
