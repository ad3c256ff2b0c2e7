"""Activations made of straight pieces: ReLU and its relatives.

A derivative that compares is an operator of its own, as in PyTorch (`threshold_backward`), so that it appears under its
own name in graphs of higher order.
"""

import numpy as np

from engine.choosing import fill_where, where, zero_where
from engine.op import Grad, Op
from engine.ops.fill import ZEROS_LIKE
from engine.ops.kinds import no_complex, only, refusing
from engine.ops.layouts import laid_out_as_first
from engine.ops.masking import WHERE
from engine.ops.samples import singles
from engine.ops.undifferentiable import NODE, REASON, no_derivative

FLAT = Grad(lambda grad: ZEROS_LIKE(grad), "0")
IN_PLACE = "changes its input; the operator of the same name is checked"


def upstream(rng, **more):
    """Samples of a backward operator: an upstream gradient beside the input."""
    return [{"grad_output": rng.normal(size=s), "self": rng.normal(size=s), **more} for s in ((2, 3), ())]


def _threshold_backward(grad_output, self, threshold):
    return zero_where(self <= threshold, grad_output)


def _relu(self):
    return np.maximum(self, 0)


def _hardtanh(self, min_val=-1, max_val=1):
    if self.dtype.kind == "u" and (min_val < 0 or max_val < 0):
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    out = np.clip(self, min_val, max_val)
    return out if self.dtype.kind == "f" else out.astype(self.dtype)


def _hardswish(self):
    return self * np.clip(self + 3, 0, 6) / 6


def _hardswish_backward(grad_output, self):
    return np.where(self <= -3, 0, np.where(self < 3, grad_output * (self / 3 + 0.5), grad_output))


def _hardswish_curvature(grad, grad_output, self):
    return WHERE((self > -3) & (self < 3), grad * grad_output / 3, 0)


def _threshold(self, threshold, value):
    return fill_where(self <= threshold, np.asarray(value).astype(self.dtype), self)


RELU = Op(
    "relu(Tensor self) -> Tensor",
    no_complex(
        "clamp", refusing("b", RuntimeError, "Boolean inputs not supported for relu", lambda self: np.maximum(self, 0))
    ),
    "ReluBackward0",
    {"self": Grad(lambda grad, result: THRESHOLD_BACKWARD(grad, result, 0), r"[[grad]] \cdot [\,[[result]] > 0\,]")},
    r"\max(0, [[self]])",
    inplace=True,
    samples=singles,
    pointwise=True,
)
THRESHOLD = Op(
    "threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
    only("fiu", "threshold_cpu", _threshold),
    "ThresholdBackward0",
    {
        "self": Grad(
            lambda grad, self, threshold: THRESHOLD_BACKWARD(grad, self, threshold),
            r"[[grad]] \cdot [\,[[self]] > [[threshold]]\,]",
        )
    },
    r"[[self]] > [[threshold]] \;?\; [[self]] : [[value]]",
    where=("function",),
    samples=lambda rng: [{**s, "threshold": 0.3, "value": -1.0} for s in singles(rng)],
    pointwise=True,
)
THRESHOLD_ = Op(
    "threshold_(Tensor self, Scalar threshold, Scalar value) -> Tensor",
    only("fiu", "threshold_cpu", _threshold),
    "ThresholdBackward1",
    {
        "self": Grad(
            lambda grad, self, threshold: THRESHOLD_BACKWARD(grad, self, threshold),
            r"[[grad]] \cdot [\,[[self]] > [[threshold]]\,]",
        )
    },
    r"[[self]] > [[threshold]] \;?\; [[self]] : [[value]]",
    where=("function", "nn"),
    unchecked=IN_PLACE,
    example="torch.threshold_(torch.tensor([-1.0, 2.0]), 0.5, 0.0)",
)
THRESHOLD_BACKWARD = Op(
    "threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
    _threshold_backward,
    "ThresholdBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, self, threshold: THRESHOLD_BACKWARD(grad, self, threshold),
            r"[[grad]] \cdot [\,[[self]] > [[threshold]]\,]",
        ),
        "self": FLAT,
    },
    r"[[grad_output]] \cdot [\,[[self]] > [[threshold]]\,]",
    where=(),
    samples=lambda rng: upstream(rng, threshold=0.2),
)
_LEAKY = r"[[self]] > 0 \;?\; [[self]] : [[negative_slope]] \cdot [[self]]"
_LEAKY_GRAD = r"[[self]] > 0 \;?\; [[grad]] : [[negative_slope]] \cdot [[grad]]"
LEAKY_RELU = Op(
    "leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
    only("f", "leaky_relu_cpu", lambda self, negative_slope=0.01: where(self > 0, self, self * negative_slope)),
    "LeakyReluBackward0",
    {
        "self": Grad(
            lambda grad, self, negative_slope: LEAKY_RELU_BACKWARD(grad, self, negative_slope, False), _LEAKY_GRAD
        )
    },
    _LEAKY,
    where=(),
    samples=lambda rng: [{**s, "negative_slope": 0.1} for s in singles(rng)],
    pointwise=True,
)
LEAKY_RELU_ = Op(
    "leaky_relu_(Tensor self, Scalar negative_slope=0.01) -> Tensor",
    only("f", "leaky_relu_cpu", lambda self, negative_slope=0.01: where(self > 0, self, self * negative_slope)),
    "LeakyReluBackward1",
    {
        "self": Grad(
            lambda grad, result, negative_slope: LEAKY_RELU_BACKWARD(grad, result, negative_slope, True),
            r"[[result]] > 0 \;?\; [[grad]] : [[negative_slope]] \cdot [[grad]]",
        )
    },
    _LEAKY,
    where=(),
    unchecked=IN_PLACE,
)


def _leaky_relu_backward(grad_output, self, negative_slope, self_is_result):
    if self_is_result and negative_slope < 0:
        raise RuntimeError(
            "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. This "
            "is caused by calling in-place forward function with a negative slope, please call out-of-place version "
            "instead. File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place "
            "leakRelu backward calculation with negative slope"
        )
    return where(self > 0, grad_output, grad_output * negative_slope)


LEAKY_RELU_BACKWARD = Op(
    "leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor",
    _leaky_relu_backward,
    "LeakyReluBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, self, negative_slope: LEAKY_RELU_BACKWARD(grad, self, negative_slope, False), _LEAKY_GRAD
        ),
        "self": FLAT,
    },
    r"[[self]] > 0 \;?\; [[grad_output]] : [[negative_slope]] \cdot [[grad_output]]",
    where=(),
    samples=lambda rng: upstream(rng, negative_slope=0.1, self_is_result=False),
)
_BETWEEN = r"[[grad]] \cdot [\,[[min_val]] < [[self]] < [[max_val]]\,]"
HARDTANH = Op(
    "hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
    no_complex(
        "clamp", refusing("b", RuntimeError, "Bool inputs not supported for hardtanh", laid_out_as_first(_hardtanh))
    ),
    "HardtanhBackward0",
    {"self": Grad(lambda grad, self, min_val, max_val: HARDTANH_BACKWARD(grad, self, min_val, max_val), _BETWEEN)},
    r"\min(\max([[self]], [[min_val]]), [[max_val]])",
    where=(),
    samples=singles,
)
HARDTANH_BACKWARD = Op(
    "hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor",
    lambda grad_output, self, min_val, max_val: zero_where((self <= min_val) | (self >= max_val), grad_output),
    "HardtanhBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, self, min_val, max_val: HARDTANH_BACKWARD(grad, self, min_val, max_val), _BETWEEN
        ),
        "self": FLAT,
    },
    r"[[grad_output]] \cdot [\,[[min_val]] < [[self]] < [[max_val]]\,]",
    where=(),
    samples=lambda rng: upstream(rng, min_val=-0.5, max_val=0.5),
)
HARDSIGMOID = Op(
    "hardsigmoid(Tensor self) -> Tensor",
    only("f", "hardsigmoid_cpu", lambda self: np.clip(self + 3, 0, 6) / 6),
    "HardsigmoidBackward0",
    {"self": Grad(lambda grad, self: HARDSIGMOID_BACKWARD(grad, self), r"[[grad]] / 6 \cdot [\,|[[self]]| < 3\,]")},
    r"\min(\max([[self]] + 3, 0), 6) / 6",
    where=(),
    samples=singles,
    pointwise=True,
)
HARDSIGMOID_BACKWARD = Op(
    "hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor",
    lambda grad_output, self: np.where((self > -3) & (self < 3), grad_output / 6, 0),
    NODE,
    {"grad_output": no_derivative("hardsigmoid_backward"), "self": no_derivative("hardsigmoid_backward")},
    latex=r"[[grad_output]] / 6 \cdot [\,|[[self]]| < 3\,]",
    where=(),
    unchecked=REASON,
)
HARDSWISH = Op(
    "hardswish(Tensor self) -> Tensor",
    only("f", "hardswish_cpu", _hardswish),
    "HardswishBackward0",
    {"self": Grad(lambda grad, self: HARDSWISH_BACKWARD(grad, self), r"[[grad]] \cdot h'([[self]])")},
    r"[[self]] \cdot \min(\max([[self]] + 3, 0), 6) / 6",
    where=(),
    samples=lambda rng: [{"self": s["self"] * 3} for s in singles(rng)],
    pointwise=True,
)
HARDSWISH_BACKWARD = Op(
    "hardswish_backward(Tensor grad_output, Tensor self) -> Tensor",
    _hardswish_backward,
    "HardswishBackwardBackward0",
    {
        "grad_output": Grad(lambda grad, self: HARDSWISH_BACKWARD(grad, self), r"[[grad]] \cdot h'([[self]])"),
        "self": Grad(_hardswish_curvature, r"[[grad]] \cdot [[grad_output]] / 3 \cdot [\,|[[self]]| < 3\,]"),
    },
    r"[[grad_output]] \cdot h'([[self]])",
    where=(),
    samples=upstream,
)
_OUTSIDE = r"[[grad]] \cdot [\,|[[self]]| > [[lambd]]\,]"
HARDSHRINK = Op(
    "hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
    only("f", "hardshrink_cpu", lambda self, lambd=0.5: zero_where((self >= -lambd) & (self <= lambd), self)),
    "HardshrinkBackward0",
    {"self": Grad(lambda grad, self, lambd: HARDSHRINK_BACKWARD(grad, self, lambd), _OUTSIDE)},
    r"[[self]] \cdot [\,|[[self]]| > [[lambd]]\,]",
    samples=singles,
    pointwise=True,
)
HARDSHRINK_BACKWARD = Op(
    "hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor",
    lambda grad_out, self, lambd: zero_where((self >= -lambd) & (self <= lambd), grad_out),
    "HardshrinkBackwardBackward0",
    {"grad_out": Grad(lambda grad, self, lambd: HARDSHRINK_BACKWARD(grad, self, lambd), _OUTSIDE), "self": FLAT},
    r"[[grad_out]] \cdot [\,|[[self]]| > [[lambd]]\,]",
    where=(),
    samples=lambda rng: [{"grad_out": rng.normal(size=3), "self": rng.normal(size=3), "lambd": 0.5}],
)


def _softshrink(self, lambd=0.5):
    if lambd < 0:
        raise RuntimeError(f"lambda must be greater or equal to 0, but found to be {lambd:g}.")
    return where(self > lambd, self - lambd, where(self < -lambd, self + lambd, self * 0))


SOFTSHRINK = Op(
    "softshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
    only("f", "softshrink_check", _softshrink),
    "SoftshrinkBackward0",
    {"self": Grad(lambda grad, self, lambd: SOFTSHRINK_BACKWARD(grad, self, lambd), _OUTSIDE)},
    r"\operatorname{sgn}([[self]]) \cdot \max(|[[self]]| - [[lambd]], 0)",
    where=("nn",),
    samples=singles,
    pointwise=True,
)
SOFTSHRINK_BACKWARD = Op(
    "softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor",
    lambda grad_output, self, lambd: zero_where((self >= -lambd) & (self <= lambd), grad_output),
    "SoftshrinkBackwardBackward0",
    {"grad_output": Grad(lambda grad, self, lambd: SOFTSHRINK_BACKWARD(grad, self, lambd), _OUTSIDE), "self": FLAT},
    r"[[grad_output]] \cdot [\,|[[self]]| > [[lambd]]\,]",
    where=(),
    samples=lambda rng: upstream(rng, lambd=0.5),
)
