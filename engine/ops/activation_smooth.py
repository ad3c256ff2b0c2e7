"""Activations with exponentials in them: ELU, GELU, SiLU, Mish, softplus and the log of the sigmoid."""

import math
from typing import Any

import numpy as np

from engine.choosing import where
from engine.op import Grad, Op
from engine.ops import rounded
from engine.ops.activation import IN_PLACE, upstream
from engine.ops.arithmetic import ADD_SCALAR, MUL_SCALAR, SUB
from engine.ops.error_kernels import erf
from engine.ops.exponentials import EXP, LOG1P, SIGMOID, SIGMOID_BACKWARD
from engine.ops.kinds import only
from engine.ops.layouts import by_rows
from engine.ops.masking import WHERE
from engine.ops.samples import singles
from engine.ops.trigonometry import TANH

# ---- ELU -------------------------------------------------------------------------------------------


def _elu(self, alpha: Any = 1, scale: Any = 1, input_scale: Any = 1):
    return where(self > 0, self * scale, rounded.expm1(self * input_scale) * (alpha * scale))


def _elu_backward(grad_output, alpha, scale, input_scale, is_result, self_or_result):
    if is_result:
        if alpha < 0:
            raise RuntimeError(
                "In-place elu backward calculation is triggered with a negative slope which is not supported. This is "
                "caused by calling in-place forward function with a negative slope, please call out-of-place version "
                "instead."
            )
        below = grad_output * input_scale * (self_or_result + alpha * scale)
    else:
        below = grad_output * (input_scale * alpha * scale) * rounded.exp(self_or_result * input_scale)
    return where(self_or_result <= 0, below, grad_output * scale)


def _elu_double_backward(grad, grad_output, alpha, scale, input_scale, is_result, self_or_result):
    product = MUL_SCALAR(grad * grad_output, input_scale)
    if not is_result:
        product = ELU_BACKWARD(product, alpha, scale, input_scale, is_result, self_or_result)
    return WHERE(self_or_result < 0, product, 0)


def _of_result(grad, alpha, scale, input_scale, result):
    return ELU_BACKWARD(grad, alpha, scale, input_scale, True, result)


_ELU = r"[[self]] > 0 \;?\; [[self]] : [[alpha]] (e^{[[self]]} - 1)"
_ELU_GRAD = r"[[self]] > 0 \;?\; [[grad]] : [[grad]] \cdot [[alpha]] e^{[[self]]}"
_ELU_GRAD_RESULT = r"[[result]] > 0 \;?\; [[grad]] : [[grad]] \cdot ([[result]] + [[alpha]])"
ELU = Op(
    "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
    only("f", "elu_cpu", _elu),
    "EluBackward0",
    {
        "self": Grad(
            lambda grad, self, alpha, scale, input_scale: ELU_BACKWARD(grad, alpha, scale, input_scale, False, self),
            _ELU_GRAD,
        )
    },
    _ELU,
    where=(),
    samples=lambda rng: [{**s, "alpha": 1.5, "scale": 1.1} for s in singles(rng)],
    pointwise=True,
)
ELU_ = Op(
    "elu_(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
    only("f", "elu_cpu", _elu),
    "EluBackward1",
    {"self": Grad(_of_result, _ELU_GRAD_RESULT)},
    _ELU,
    where=(),
    unchecked=IN_PLACE,
)


def _celu(self, alpha=1.0):
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return _elu(self, alpha, 1, 1 / alpha)


CELU = Op(
    "celu(Tensor self, Scalar alpha=1.0) -> Tensor",
    only("f", "elu_cpu", _celu),
    "CeluBackward0",
    {
        "self": Grad(
            lambda grad, self, alpha: ELU_BACKWARD(grad, alpha, 1, 1.0 / alpha, False, self),
            r"[[self]] > 0 \;?\; [[grad]] : [[grad]] \cdot e^{[[self]]/[[alpha]]}",
        )
    },
    r"[[self]] > 0 \;?\; [[self]] : [[alpha]] (e^{[[self]]/[[alpha]]} - 1)",
    where=("function",),
    samples=lambda rng: [{**s, "alpha": 1.5} for s in singles(rng)],
    pointwise=True,
)
CELU_ = Op(
    "celu_(Tensor self, Scalar alpha=1.0) -> Tensor",
    only("f", "elu_cpu", _celu),
    "CeluBackward1",
    {
        "self": Grad(
            lambda grad, alpha, result: ELU_BACKWARD(grad, alpha, 1, 1.0 / alpha, True, result),
            r"[[result]] > 0 \;?\; [[grad]] : [[grad]] \cdot ([[result]]/[[alpha]] + 1)",
        )
    },
    r"[[self]] > 0 \;?\; [[self]] : [[alpha]] (e^{[[self]]/[[alpha]]} - 1)",
    where=("function", "nn"),
    unchecked=IN_PLACE,
    example="torch.celu_(torch.tensor([-1.0, 2.0]))",
)
ELU_BACKWARD = Op(
    "elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, "
    "Tensor self_or_result) -> Tensor",
    _elu_backward,
    "EluBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, alpha, scale, input_scale, is_result, self_or_result: ELU_BACKWARD(
                grad, alpha, scale, input_scale, is_result, self_or_result
            ),
            r"[[grad]] \cdot \operatorname{elu}'([[self_or_result]])",
        ),
        "self_or_result": Grad(
            _elu_double_backward, r"[[grad]] \cdot [[grad_output]] \cdot \operatorname{elu}''([[self_or_result]])"
        ),
    },
    r"[[grad_output]] \cdot \operatorname{elu}'([[self_or_result]])",
    where=(),
    samples=lambda rng: [
        {
            "grad_output": rng.normal(size=4),
            "alpha": 1.5,
            "scale": 1.1,
            "input_scale": 0.7,
            "is_result": r,
            "self_or_result": rng.normal(size=4),
        }
        for r in (False, True)
    ],
)

# ---- GELU ------------------------------------------------------------------------------------------

_ROOT_HALF = math.sqrt(0.5)
_DENSITY = 1 / math.sqrt(2 * math.pi)
_BETA = math.sqrt(2 / math.pi)
_KAPPA = 0.044715


def _check_approximate(approximate):
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")


def _gelu(self, approximate="none"):
    _check_approximate(approximate)
    if approximate == "tanh":
        return 0.5 * self * (1 + rounded.tanh(_BETA * (self + _KAPPA * self * self * self)))
    out = erf(self * _ROOT_HALF) + 1
    out *= 0.5 * self
    return out


def _gelu_backward(grad_output, self, approximate="none"):
    if approximate == "tanh":
        square = self * self
        t = rounded.tanh(_BETA * self * (1 + _KAPPA * square))
        return grad_output * (0.5 * (1 + t) + 0.5 * self * (1 - t * t) * (_BETA * (1 + 3 * _KAPPA * square)))
    bell = -0.5 * self
    bell *= self
    bell = rounded.exp(bell)
    bell *= _DENSITY
    bell *= self
    slope = erf(self * _ROOT_HALF) + 1
    slope *= 0.5
    slope += bell
    return grad_output * slope


def _gelu_double_backward(grad, grad_output, self, approximate):
    product = grad * grad_output
    square = self * self
    if approximate == "none":
        return product * MUL_SCALAR(EXP(MUL_SCALAR(square, -0.5)), _DENSITY) * SUB(2, square)
    inner = MUL_SCALAR(self * ADD_SCALAR(MUL_SCALAR(square, _KAPPA), 1), _BETA)
    t = TANH(inner)
    slope = MUL_SCALAR(ADD_SCALAR(MUL_SCALAR(square, 3 * _KAPPA), 1), _BETA)
    bend = MUL_SCALAR(self, 6 * _KAPPA * _BETA)
    return product * SUB(1, t * t) * (slope + MUL_SCALAR(self, 0.5) * bend - self * t * slope * slope)


_GELU_GRAD = r"[[grad]] \cdot (\Phi(x) + x \varphi(x)),\; x = [[self]]"
GELU = Op(
    "gelu(Tensor self, *, str approximate='none') -> Tensor",
    only("f", "GeluKernelImpl", _gelu),
    "GeluBackward0",
    {"self": Grad(lambda grad, self, approximate: GELU_BACKWARD(grad, self, approximate=approximate), _GELU_GRAD)},
    r"[[self]] \cdot \Phi([[self]])",
    pointwise=True,
    where=("nn",),
    samples=lambda rng: [{**s, "approximate": a} for s in singles(rng) for a in ("none", "tanh")],
)
GELU_BACKWARD = Op(
    "gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') -> Tensor",
    _gelu_backward,
    "GeluBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, self, approximate: GELU_BACKWARD(grad, self, approximate=approximate), _GELU_GRAD
        ),
        "self": Grad(
            _gelu_double_backward, r"[[grad]] \cdot [[grad_output]] \cdot \varphi(x) (2 - x^2),\; x = [[self]]"
        ),
    },
    r"[[grad_output]] \cdot (\Phi([[self]]) + [[self]] \varphi([[self]]))",
    where=(),
    samples=lambda rng: [s for a in ("none", "tanh") for s in upstream(rng, approximate=a)],
)

# ---- SiLU, Mish, softplus, log-sigmoid ---------------------------------------------------------------


def _silu_backward(grad, self):
    s = SIGMOID(self)
    return grad * s * ADD_SCALAR(self * SUB(1, s), 1)


def _mish(self):
    return self * rounded.tanh(rounded.log1p(rounded.exp(self)))


def _mish_backward(grad, self):
    s = SIGMOID(self)
    t = TANH(LOG1P(EXP(self)))
    return grad * (t + self * s * SUB(1, t * t))


SILU = Op(
    "silu(Tensor self) -> Tensor",
    only("fc", "silu_cpu", lambda self: self / (1 + rounded.exp(-self))),
    "SiluBackward0",
    {"self": Grad(_silu_backward, r"[[grad]] \cdot \sigma(x) (1 + x (1 - \sigma(x))),\; x = [[self]]")},
    r"[[self]] \cdot \sigma([[self]])",
    where=(),
    samples=singles,
    pointwise=True,
)
MISH = Op(
    "mish(Tensor self) -> Tensor",
    only("f", "mish_cpu", _mish),
    "MishBackward0",
    {
        "self": Grad(
            _mish_backward, r"[[grad]] \cdot (t + x \sigma(x) (1 - t^2)),\; x = [[self]],\; t = \tanh\ln(1 + e^x)"
        )
    },
    r"[[self]] \cdot \tanh(\ln(1 + e^{[[self]]}))",
    where=(),
    samples=singles,
    pointwise=True,
)


def _softplus(self, beta=1, threshold=20):
    scaled = self * beta
    return where(scaled > threshold, self, rounded.log1p(rounded.exp(np.minimum(scaled, threshold))) / beta)


def _softplus_backward(grad_output, self, beta, threshold):
    scaled = self * beta
    z = rounded.exp(np.minimum(scaled, threshold))
    return where(scaled > threshold, grad_output, grad_output * z / (z + 1))


def _softplus_double_backward(grad, grad_output, self, beta, threshold):
    scaled = MUL_SCALAR(self, beta)
    slope = MUL_SCALAR(SIGMOID_BACKWARD(grad * grad_output, SIGMOID(scaled)), beta)
    return WHERE(scaled < threshold, slope, 0)


_SOFTPLUS_GRAD = Grad(
    lambda grad, self, beta, threshold: SOFTPLUS_BACKWARD(grad, self, beta, threshold),
    r"[[grad]] \cdot \sigma([[beta]] [[self]])",
)
SOFTPLUS = Op(
    "softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
    only("f", "softplus_cpu", _softplus),
    "SoftplusBackward0",
    {"self": _SOFTPLUS_GRAD},
    r"\tfrac{1}{[[beta]]} \ln(1 + e^{[[beta]] [[self]]})",
    where=("nn",),
    samples=lambda rng: [{**s, "beta": b, "threshold": 2} for s in singles(rng) for b in (1, 1.5)],
    pointwise=True,
)
SOFTPLUS_BACKWARD = Op(
    "softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor",
    _softplus_backward,
    "SoftplusBackwardBackward0",
    {
        "grad_output": _SOFTPLUS_GRAD,
        "self": Grad(
            _softplus_double_backward,
            r"[[grad]] \cdot [[grad_output]] \cdot [[beta]] \sigma' ([[beta]] [[self]])",
        ),
    },
    r"[[grad_output]] \cdot \sigma([[beta]] [[self]])",
    where=(),
    samples=lambda rng: upstream(rng, beta=1.5, threshold=20),
)


def _log_sigmoid(self):
    self = by_rows(self)
    buffer = rounded.exp(-np.abs(self))
    return np.minimum(self, 0) - rounded.log1p(buffer), buffer


def _log_sigmoid_backward(grad_output, self, buffer):
    z = buffer / (1 + buffer)
    return grad_output * np.where(self < 0, 1 - z, z)


def _log_sigmoid_double_backward(grad, grad_output, self):
    z = SIGMOID(self)
    return grad * grad_output * (z - 1) * z


LOG_SIGMOID_FORWARD = Op(
    "log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)",
    only("f", "log_sigmoid_cpu", _log_sigmoid),
    "LogSigmoidBackward0",
    {
        "self": Grad(
            lambda grad, self, buffer: LOG_SIGMOID_BACKWARD(grad, self, buffer), r"[[grad]] \cdot \sigma(-[[self]])"
        )
    },
    r"\ln \sigma([[self]])",
    where=(),
    outputs=("output", "buffer"),
    nondiff=(1,),
    samples=singles,
)
LOG_SIGMOID_BACKWARD = Op(
    "log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor",
    _log_sigmoid_backward,
    "LogSigmoidBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, self, buffer: LOG_SIGMOID_BACKWARD(grad, self, buffer), r"[[grad]] \cdot \sigma(-[[self]])"
        ),
        "self": Grad(_log_sigmoid_double_backward, r"-[[grad]] \cdot [[grad_output]] \cdot \sigma' ([[self]])"),
    },
    r"[[grad_output]] \cdot \sigma(-[[self]])",
    where=(),
    unchecked="its third argument is computed from the second; log_sigmoid_forward is checked",
)
