"""Powers, roots and reciprocals."""

import math

import numpy as np

from engine.op import Grad, Op
from engine.ops.arithmetic import MUL_SCALAR, SUB_SCALAR
from engine.ops.exponentials import LOG
from engine.ops.fill import ZEROS_LIKE
from engine.ops.kinds import check_kind, only
from engine.ops.layouts import by_rows
from engine.ops.masking import WHERE
from engine.ops.samples import pairs, positive, positive_pairs


def _power_of_tensor(self, exponent):
    if self.dtype.kind == "b":  # by True, as other numbers have made it something else
        return self if exponent else np.ones_like(self)
    if self.dtype.kind in "iu":
        if isinstance(exponent, int) and exponent < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
    elif exponent == 3:  # as torch rounds it, and many times faster than the general power
        return self * self * self
    return self**exponent


def _power(self, exponent):
    if exponent.dtype.kind == "b":
        check_kind("pow", exponent, "fciuV")
    if type(self) is int and exponent.dtype.kind in "iu":
        self = np.asarray(self).astype(exponent.dtype)
    if np.asarray(self).dtype.kind in "iu" and np.asarray(exponent).dtype.kind in "iu" and np.any(np.less(exponent, 0)):
        base, exponent = np.broadcast_arrays(self, exponent)
        flipped = np.where((base == -1) & (exponent % 2 == 1), -1, (np.abs(base) == 1).astype(base.dtype))
        return np.where(exponent < 0, flipped, np.power(base, np.maximum(exponent, 0))).astype(exponent.dtype)
    return np.power(self, exponent)


def _grows(exponent):
    """Whether a power of zero stays zero: where the exponent, or its real part, is not negative."""
    return (exponent.real if getattr(exponent, "_a", exponent).dtype.kind == "c" else exponent) >= 0


def _power_backward(grad, self, exponent):
    if exponent == 0:
        return ZEROS_LIKE(grad)
    if isinstance(exponent, int):  # PyTorch's formula computes with a double
        exponent = float(exponent)
    return grad * MUL_SCALAR(POW(self, exponent - 1), exponent)


def _log_of_base(base):
    if isinstance(base, complex) or base == 0:
        return -math.inf if base == 0 else np.log(base)
    return math.log(base) if base > 0 else math.nan


def _exponent_backward_of_number(grad, self, exponent, result):
    scaled = MUL_SCALAR(result, _log_of_base(self))
    return grad * (scaled if self else WHERE(_grows(exponent), 0, scaled))


_BY_BASE = r"[[grad]] \cdot [[exponent]] \cdot [[self]]^{[[exponent]]-1}"
_BY_EXPONENT = r"[[grad]] \cdot [[result]] \cdot \ln [[self]]"

POW_TENSOR = Op(
    "pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
    _power,
    "PowBackward1",
    {
        "self": Grad(
            lambda grad, self, exponent: WHERE(
                exponent == 0, 0, grad * (exponent * POW_TENSOR(self, SUB_SCALAR(exponent, 1)))
            ),
            _BY_BASE,
        ),
        "exponent": Grad(
            lambda grad, self, exponent, result: grad * WHERE((self == 0) & _grows(exponent), 0, result * LOG(self)),
            _BY_EXPONENT,
        ),
    },
    r"[[self]]^{[[exponent]]}",
    promote="common",
    inplace=True,
    samples=lambda rng: [{"self": s["self"], "exponent": s["other"] - 1.2} for s in positive_pairs(rng)],
)
POW_SCALAR = Op(
    "pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
    lambda self, exponent: by_rows(_power(self, exponent)),
    "PowBackward2",
    {"exponent": Grad(_exponent_backward_of_number, _BY_EXPONENT)},
    r"[[self]]^{[[exponent]]}",
    promote="common",
    pointwise=False,
    where=("function",),
    samples=lambda rng: [{"self": b, "exponent": rng.normal(size=s)} for b in (2, 0.5) for s in ((2, 3), ())],
)
POW = Op(
    "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
    _power_of_tensor,
    "PowBackward0",
    {"self": Grad(_power_backward, _BY_BASE)},
    r"[[self]]^{[[exponent]]}",
    promote="common",
    inplace=True,
    samples=lambda rng: (
        [{"self": rng.normal(size=(2, 3)), "exponent": e} for e in (2, 3, 0, 1, -1)]
        + [{"self": rng.uniform(0.3, 2.0, size=s), "exponent": e} for s in ((), (0,), (2, 3)) for e in (0.5, -1.5)]
    ),
)
SQRT = Op(
    "sqrt(Tensor self) -> Tensor",
    np.sqrt,
    "SqrtBackward0",
    {"self": Grad(lambda grad, result: grad / MUL_SCALAR(result, 2), r"\frac{[[grad]]}{2 [[result]]}")},
    r"\sqrt{[[self]]}",
    promote="float",
    inplace=True,
    samples=positive,
)
RSQRT = Op(
    "rsqrt(Tensor self) -> Tensor",
    lambda self: 1 / np.sqrt(self),
    "RsqrtBackward0",
    {"self": Grad(lambda grad, result: MUL_SCALAR(grad, -0.5) * POW(result, 3), r"-\tfrac12 [[grad]] [[result]]^3")},
    r"\frac{1}{\sqrt{[[self]]}}",
    promote="float",
    inplace=True,
    samples=positive,
)
RECIPROCAL = Op(
    "reciprocal(Tensor self) -> Tensor",
    lambda self: 1 / self,
    "ReciprocalBackward0",
    {"self": Grad(lambda grad, result: -grad * (result * result), r"-[[grad]] \cdot [[result]]^2")},
    r"\frac{1}{[[self]]}",
    promote="float",
    inplace=True,
    samples=positive,
)
HYPOT = Op(
    "hypot(Tensor self, Tensor other) -> Tensor",
    only("f", "hypot_cpu", np.hypot),
    "HypotBackward0",
    {
        "self": Grad(lambda grad, self, result: grad * self / result, r"[[grad]] \frac{[[self]]}{[[result]]}"),
        "other": Grad(lambda grad, other, result: grad * other / result, r"[[grad]] \frac{[[other]]}{[[result]]}"),
    },
    r"\sqrt{[[self]]^2 + [[other]]^2}",
    promote="common",
    inplace=True,
    samples=positive_pairs,
)
LDEXP = Op(
    "ldexp.Tensor(Tensor self, Tensor other) -> Tensor",
    lambda self, other: self * np.exp2(other),
    "LdexpBackward0",
    {
        # a power of an int: one of integers has 0 for 2^-1
        "self": Grad(lambda grad, other: grad * POW_SCALAR(2, other), r"[[grad]] \cdot 2^{[[other]]}"),
        "other": Grad(lambda grad, result: MUL_SCALAR(grad * result, math.log(2)), r"[[grad]] \cdot [[result]] \ln 2"),
    },
    r"[[self]] \cdot 2^{[[other]]}",
    promote="float",
    inplace=True,
    samples=pairs,
)
