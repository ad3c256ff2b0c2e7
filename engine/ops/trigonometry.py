"""Trigonometric and hyperbolic functions, and their inverses."""

import math
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops import rounded
from engine.ops.arithmetic import ADD_SCALAR, MUL_SCALAR, SUB, SUB_SCALAR
from engine.ops.kinds import only, refusing
from engine.ops.masking import MASKED_FILL, WHERE
from engine.ops.powers import POW, RECIPROCAL, RSQRT
from engine.ops.samples import inside_unit, pairs, singles

SIN = Op(
    "sin(Tensor self) -> Tensor",
    rounded.sin,
    "SinBackward0",
    {"self": Grad(lambda grad, self: grad * COS(self), r"[[grad]] \cdot \cos [[self]]")},
    r"\sin [[self]]",
    promote="float",
    inplace=True,
    samples=singles,
)
COS = Op(
    "cos(Tensor self) -> Tensor",
    rounded.cos,
    "CosBackward0",
    {"self": Grad(lambda grad, self: grad * -SIN(self), r"-[[grad]] \cdot \sin [[self]]")},
    r"\cos [[self]]",
    promote="float",
    inplace=True,
    samples=singles,
)
TAN = Op(
    "tan(Tensor self) -> Tensor",
    np.tan,
    "TanBackward0",
    {"self": Grad(lambda grad, result: grad * ADD_SCALAR(POW(result, 2), 1), r"[[grad]] \cdot (1 + [[result]]^2)")},
    r"\tan [[self]]",
    promote="float",
    inplace=True,
    samples=inside_unit,
)
ASIN = Op(
    "asin(Tensor self) -> Tensor",
    np.arcsin,
    "AsinBackward0",
    {
        "self": Grad(
            lambda grad, self: grad * RSQRT(ADD_SCALAR(-self * self, 1)), r"\frac{[[grad]]}{\sqrt{1 - [[self]]^2}}"
        )
    },
    r"\arcsin [[self]]",
    promote="float",
    inplace=True,
    samples=inside_unit,
)
ACOS = Op(
    "acos(Tensor self) -> Tensor",
    np.arccos,
    "AcosBackward0",
    {
        "self": Grad(
            lambda grad, self: grad * -RSQRT(ADD_SCALAR(-self * self, 1)), r"-\frac{[[grad]]}{\sqrt{1 - [[self]]^2}}"
        )
    },
    r"\arccos [[self]]",
    promote="float",
    inplace=True,
    samples=inside_unit,
)
ATAN = Op(
    "atan(Tensor self) -> Tensor",
    np.arctan,
    "AtanBackward0",
    {"self": Grad(lambda grad, self: grad / ADD_SCALAR(self * self, 1), r"\frac{[[grad]]}{[[self]]^2 + 1}")},
    r"\arctan [[self]]",
    promote="float",
    inplace=True,
    samples=singles,
)
SINH = Op(
    "sinh(Tensor self) -> Tensor",
    np.sinh,
    "SinhBackward0",
    {"self": Grad(lambda grad, self: grad * COSH(self), r"[[grad]] \cdot \cosh [[self]]")},
    r"\sinh [[self]]",
    promote="float",
    inplace=True,
    samples=singles,
)
COSH = Op(
    "cosh(Tensor self) -> Tensor",
    np.cosh,
    "CoshBackward0",
    {"self": Grad(lambda grad, self: grad * SINH(self), r"[[grad]] \cdot \sinh [[self]]")},
    r"\cosh [[self]]",
    promote="float",
    inplace=True,
    samples=singles,
)
TANH = Op(
    "tanh(Tensor self) -> Tensor",
    rounded.tanh,
    "TanhBackward0",
    {"self": Grad(lambda grad, result: TANH_BACKWARD(grad, result), r"[[grad]] \cdot (1 - [[result]]^2)")},
    r"\tanh [[self]]",
    promote="float",
    inplace=True,
    samples=singles,
)
TANH_BACKWARD = Op(
    "tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
    lambda grad_output, output: grad_output * (1 - output * output),
    "TanhBackwardBackward0",
    {
        "grad_output": Grad(lambda grad, output: TANH_BACKWARD(grad, output), r"[[grad]] \cdot (1 - [[output]]^2)"),
        "output": Grad(
            lambda grad, grad_output, output: grad * (MUL_SCALAR(output, -2) * grad_output),
            r"-2 [[grad]] \cdot [[output]] \cdot [[grad_output]]",
        ),
    },
    r"[[grad_output]] \cdot (1 - [[output]]^2)",
    where=(),
    samples=lambda rng: [{"grad_output": rng.normal(size=s), "output": rng.normal(size=s)} for s in ((2, 3), ())],
)
ASINH = Op(
    "asinh(Tensor self) -> Tensor",
    np.arcsinh,
    "AsinhBackward0",
    {
        "self": Grad(
            lambda grad, self: grad * RSQRT(ADD_SCALAR(POW(self, 2), 1)), r"\frac{[[grad]]}{\sqrt{[[self]]^2 + 1}}"
        )
    },
    r"\operatorname{arsinh} [[self]]",
    promote="float",
    inplace=True,
    samples=singles,
)


def _acosh_backward(grad: Any, self: Any) -> Any:
    """Of complex numbers in two factors, which keep to the branch."""
    if getattr(self, "_a", self).dtype.kind == "c":
        return grad * (RSQRT(ADD_SCALAR(self, 1)) * RSQRT(SUB_SCALAR(self, 1)))
    return grad * RSQRT(SUB_SCALAR(self * self, 1))


ACOSH = Op(
    "acosh(Tensor self) -> Tensor",
    np.arccosh,
    "AcoshBackward0",
    {"self": Grad(_acosh_backward, r"\frac{[[grad]]}{\sqrt{[[self]]^2 - 1}}")},
    r"\operatorname{arcosh} [[self]]",
    promote="float",
    inplace=True,
    samples=lambda rng: [{"self": rng.uniform(1.2, 3, size=s)} for s in ((2, 3), ())],
)
ATANH = Op(
    "atanh(Tensor self) -> Tensor",
    np.arctanh,
    "AtanhBackward0",
    {"self": Grad(lambda grad, self: grad / SUB(1, POW(self, 2)), r"\frac{[[grad]]}{1 - [[self]]^2}")},
    r"\operatorname{artanh} [[self]]",
    promote="float",
    inplace=True,
    samples=inside_unit,
)


def _atan2_backward(grad, self, other, mask):
    square = self * self + other * other
    # at the origin there is no angle: PyTorch passes no gradient there
    inverse = MASKED_FILL(RECIPROCAL(square), square == 0, 0)
    return (
        grad * other * inverse if mask[0] else None,
        grad * -self * inverse if mask[1] else None,
    )


ATAN2 = Op(
    "atan2(Tensor self, Tensor other) -> Tensor",
    only("f", "atan2_cpu", np.arctan2),
    "Atan2Backward0",
    {
        "self, other": Grad(
            _atan2_backward,
            {
                "self": r"[[grad]] \frac{[[other]]}{[[self]]^2 + [[other]]^2}",
                "other": r"-[[grad]] \frac{[[self]]}{[[self]]^2 + [[other]]^2}",
            },
        )
    },
    r"\operatorname{atan2}([[self]], [[other]])",
    promote="float",
    inplace=True,
    samples=pairs,
)


def _sinc_backward(grad, self):
    scaled = MUL_SCALAR(self, math.pi)
    square = MUL_SCALAR(self * self, math.pi)
    return WHERE(square == 0, 0, grad * ((scaled * COS(scaled) - SIN(scaled)) / square))


SINC = Op(
    "sinc(Tensor self) -> Tensor",
    lambda self: np.sinc(self).astype(self.dtype),
    "SincBackward0",
    {
        "self": Grad(
            _sinc_backward,
            r"[[grad]] \frac{\cos(\pi [[self]]) \pi [[self]] - \sin(\pi [[self]])}{\pi [[self]]^2}",
        )
    },
    r"\frac{\sin(\pi [[self]])}{\pi [[self]]}",
    promote="float",
    inplace=True,
    samples=singles,
)
DEG2RAD = Op(
    "deg2rad(Tensor self) -> Tensor",
    refusing("c", RuntimeError, "deg2rad is not supported for complex tensors.", lambda self: self * (math.pi / 180)),
    "Deg2RadBackward0",
    {"self": Grad(lambda grad: MUL_SCALAR(grad, math.pi / 180), r"[[grad]] \cdot \frac{\pi}{180}")},
    r"\frac{\pi}{180} [[self]]",
    promote="float",
    inplace=True,
    samples=singles,
)
RAD2DEG = Op(
    "rad2deg(Tensor self) -> Tensor",
    refusing("c", RuntimeError, "rad2deg is not supported for complex tensors.", lambda self: self * (180 / math.pi)),
    "Rad2DegBackward0",
    {"self": Grad(lambda grad: MUL_SCALAR(grad, 180 / math.pi), r"[[grad]] \cdot \frac{180}{\pi}")},
    r"\frac{180}{\pi} [[self]]",
    promote="float",
    inplace=True,
    samples=singles,
)
