"""Binary cross entropy, of probabilities and of logits."""

import numpy as np

from engine.dtypes import float32, from_numpy
from engine.errors import BOOL_SUBTRACTION, BOTH_BOOL, broadcast
from engine.op import Grad, Op
from engine.ops import rounded
from engine.ops.activation_smooth import LOG_SIGMOID_FORWARD
from engine.ops.arithmetic import ADD_SCALAR, SUB
from engine.ops.exponentials import LOG, LOG1P, SIGMOID
from engine.ops.kinds import check_kind
from engine.ops.layouts import laid_out_as_first
from engine.ops.loss import MEAN, numel, reduce, share
from engine.ops.stored import check_storable, stored

_EPSILON = 1e-12


def _bce(self, target, weight=None, reduction=MEAN):
    if self.dtype != target.dtype:
        found = from_numpy(target.dtype).torch_name
        raise RuntimeError(f"Found dtype {found} but expected {from_numpy(self.dtype).torch_name}")
    check_kind("binary_cross_entropy", self, "f")
    if not np.all((self >= 0) & (self <= 1)):
        raise RuntimeError("all elements of input should be between 0 and 1")
    if not np.all((target >= 0) & (target <= 1)):
        raise RuntimeError("all elements of target should be between 0 and 1")
    out = (target - 1) * np.maximum(rounded.log1p(-self), -100) - target * np.maximum(rounded.log(self), -100)
    return reduce(out if weight is None else stored(_product(out, weight), out.shape, out.dtype), reduction)


def _bce_backward(grad_output, self, target, weight=None, reduction=MEAN):
    out = grad_output * ((self - target) / np.maximum((1 - self) * self, _EPSILON))
    out = out if weight is None else out * weight
    return out / self.size if reduction == MEAN else out


def _weighted(out, weight, reduction, like):
    return share(out if weight is None else out * weight, numel(like), reduction)


def _bce_target_backward(grad, self, target, weight, reduction):
    return _weighted(grad * (LOG1P(-self) - LOG(self)), weight, reduction, target)


def _bce_second_by_output(grad, self, target, weight, reduction):
    slope = (self - target) / (ADD_SCALAR(self, _EPSILON) * ADD_SCALAR(SUB(1, self), _EPSILON))
    return _weighted(grad * slope, weight, reduction, self)


def _bce_second_by_input(grad, grad_output, self, target, weight, reduction):
    product = ADD_SCALAR(self, _EPSILON) * ADD_SCALAR(SUB(1, self), _EPSILON)
    bend = (self * self - 2 * self * target + target) / (product * product)
    return _weighted(grad * grad_output * bend, weight, reduction, self)


def _bce_second_by_target(grad, grad_output, self, target, weight, reduction):
    product = ADD_SCALAR(self, _EPSILON) * ADD_SCALAR(SUB(1, self), _EPSILON)
    return _weighted(-grad * grad_output / product, weight, reduction, self)


def _probabilities(rng):
    return [
        {
            "self": rng.uniform(0.1, 0.9, size=(2, 3)),
            "target": rng.uniform(0.1, 0.9, size=(2, 3)),
            "weight": w,
            "reduction": r,
        }
        for w in (None, rng.uniform(0.5, 1, size=3))
        for r in (0, 1, 2)
    ]


BINARY_CROSS_ENTROPY = Op(
    "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean) -> Tensor",
    laid_out_as_first(_bce),
    "BinaryCrossEntropyBackward0",
    {
        "self": Grad(
            lambda grad, self, target, weight, reduction: BINARY_CROSS_ENTROPY_BACKWARD(
                grad, self, target, weight, reduction
            ),
            r"\tfrac{[[grad]]}{n} \frac{[[self]] - [[target]]}{[[self]] (1 - [[self]])}",
        ),
        "target": Grad(_bce_target_backward, r"\tfrac{[[grad]]}{n} \ln\frac{1 - [[self]]}{[[self]]}"),
    },
    r"-\tfrac1n \sum [[target]] \ln [[self]] + (1 - [[target]]) \ln(1 - [[self]])",
    where=(),
    samples=_probabilities,
)
BINARY_CROSS_ENTROPY_BACKWARD = Op(
    "binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, "
    "int reduction=Mean) -> Tensor",
    _bce_backward,
    "BinaryCrossEntropyBackwardBackward0",
    {
        "grad_output": Grad(
            _bce_second_by_output, r"\sum \tfrac{[[grad]]}{n} \frac{[[self]] - [[target]]}{[[self]] (1 - [[self]])}"
        ),
        "self": Grad(_bce_second_by_input, r"\tfrac1n [[grad]] \cdot [[grad_output]] \cdot \ell'' ([[self]])"),
        "target": Grad(
            _bce_second_by_target, r"-\tfrac1n \frac{[[grad]] \cdot [[grad_output]]}{[[self]] (1 - [[self]])}"
        ),
    },
    r"\tfrac{[[grad_output]]}{n} \frac{[[self]] - [[target]]}{[[self]] (1 - [[self]])}",
    where=(),
    samples=lambda rng: [
        {"grad_output": rng.normal(size=(2, 3) if s["reduction"] == 0 else ()), **s} for s in _probabilities(rng)
    ],
)

# ---- of logits -----------------------------------------------------------------------------------------


def _bce_with_logits(self, target, weight=None, pos_weight=None, reduction=MEAN):
    check_kind("log_sigmoid_cpu", self, "fV")
    if target.dtype.kind == "b":
        raise RuntimeError(BOTH_BOOL)
    check_storable(float32, target.dtype)
    log_sigmoid = np.minimum(self, 0) - rounded.log1p(rounded.exp(-np.abs(self)))
    if pos_weight is not None:
        if pos_weight.dtype.kind == "b":
            raise RuntimeError(BOOL_SUBTRACTION)
        scale = _product(pos_weight - 1, target) + 1
        log_sigmoid = stored(_product(log_sigmoid, scale), log_sigmoid.shape, self.dtype)
    out = stored(_product(1 - target, self), target.shape, target.dtype)
    out = stored(out - log_sigmoid, out.shape, out.dtype)
    return reduce(out if weight is None else stored(_product(out, weight), out.shape, out.dtype), reduction)


def _product(a, b):
    try:
        return a * b
    except ValueError:
        raise broadcast(a.shape, b.shape) from None


def _with_logits_backward(grad, self, target, weight, pos_weight, reduction):
    if pos_weight is None:
        out = (SIGMOID(self) - target) * grad
    else:
        t = pos_weight * target
        out = ((ADD_SCALAR(t, 1) - target) * SIGMOID(self) - t) * grad
    return _weighted(out, weight, reduction, self)


def _with_logits_target_backward(grad, self, target, weight, pos_weight, reduction):
    if pos_weight is None:
        out = -self * grad
    else:
        out = (LOG_SIGMOID_FORWARD(-self)[0] - pos_weight * LOG_SIGMOID_FORWARD(self)[0]) * grad
    return _weighted(out, weight, reduction, target)


def _logits(rng):
    return [
        {
            "self": rng.normal(size=(2, 3)),
            "target": rng.uniform(size=(2, 3)),
            "weight": w,
            "pos_weight": p,
            "reduction": r,
        }
        for w in (None, rng.uniform(0.5, 1, size=3))
        for p in (None, rng.uniform(0.5, 2, size=3))
        for r in (0, 1, 2)
    ]


BINARY_CROSS_ENTROPY_WITH_LOGITS = Op(
    "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, "
    "int reduction=Mean) -> Tensor",
    laid_out_as_first(_bce_with_logits),
    "BinaryCrossEntropyWithLogitsBackward0",
    {
        "self": Grad(_with_logits_backward, r"\tfrac{[[grad]]}{n} (\sigma([[self]]) - [[target]])"),
        "target": Grad(_with_logits_target_backward, r"-\tfrac{[[grad]]}{n} [[self]]"),
    },
    r"-\tfrac1n \sum [[target]] \ln\sigma([[self]]) + (1 - [[target]]) \ln\sigma(-[[self]])",
    where=("function",),
    constants=("weight", "pos_weight"),
    samples=_logits,
)
