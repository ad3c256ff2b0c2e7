"""Losses of two tensors element by element, and how any loss is reduced: 0 not at all, 1 mean, 2 sum."""

from typing import Any

import numpy as np

from engine.choosing import where
from engine.dtypes import float32, from_numpy, promote_types
from engine.errors import BOOL_NEGATION
from engine.op import Grad, Op
from engine.ops import rounded
from engine.ops.arithmetic import ADD_SCALAR, DIV_SCALAR, MUL_SCALAR
from engine.ops.exponentials import EXP
from engine.ops.kinds import check_kind, only, torch_name
from engine.ops.layouts import laid_out_as_first
from engine.ops.masking import WHERE
from engine.ops.rounding import ABS
from engine.ops.stored import check_storable, stored

NONE, MEAN, SUM = 0, 1, 2


def reduce(values: np.ndarray, reduction: int) -> Any:
    """The mean, the sum or the values themselves. Raises RuntimeError for a mean of integers."""
    if reduction == MEAN:
        if values.dtype.kind not in "fcV":
            raise RuntimeError(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
                f"Got: {torch_name(values)}"
            )
        return values.mean(dtype=values.dtype) if values.size else values.dtype.type(np.nan)
    return values.sum(dtype=values.dtype) if reduction == SUM else values


def numel(x: Any) -> int:
    """Number of elements, of an array or a Tensor."""
    n = 1
    for d in x.shape:
        n *= d
    return n


def share(grad: Any, count: int, reduction: int) -> Any:
    """A gradient's share of one element, under the mean."""
    return DIV_SCALAR(grad, count) if reduction == MEAN else grad


def losses(rng: np.random.Generator, **more: Any) -> list[dict[str, Any]]:
    """Samples of input and target for each reduction."""
    return [
        {"self": rng.normal(size=(2, 3)), "target": rng.normal(size=(2, 3)), "reduction": r, **more} for r in (0, 1, 2)
    ]


def loss_gradients(rng: np.random.Generator, **more: Any) -> list[dict[str, Any]]:
    """Samples of a loss's backward operator: the upstream gradient has the shape of the reduced loss."""
    return [{"grad_output": rng.normal(size=(2, 3) if s["reduction"] == 0 else ()), **s} for s in losses(rng, **more)]


# ---- squared error -----------------------------------------------------------------------------------


def _mse_backward(grad_output, self, target, reduction):
    return grad_output * ((self - target) * (2 / max(self.size, 1) if reduction == MEAN else 2))


def _mse_double_backward(grad, grad_output, self_sym_numel, reduction):
    return share(MUL_SCALAR(grad * grad_output, 2), self_sym_numel, reduction)


MSE_LOSS = Op(
    "mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
    only("f", "mse_cpu", lambda self, target, reduction=MEAN: reduce((self - target) ** 2, reduction)),
    "MseLossBackward0",
    {
        "self": Grad(
            lambda grad, self, target, reduction: MSE_LOSS_BACKWARD(grad, self, target, reduction),
            r"[[grad]] \cdot \tfrac{2}{n} ([[self]] - [[target]])",
        ),
        "target": Grad(
            lambda grad, self, target, reduction: MSE_LOSS_BACKWARD(grad, target, self, reduction),
            r"[[grad]] \cdot \tfrac{2}{n} ([[target]] - [[self]])",
        ),
    },
    r"\tfrac1n \sum ([[self]] - [[target]])^2",
    promote="common",
    where=(),
    samples=losses,
)
MSE_LOSS_BACKWARD = Op(
    "mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
    _mse_backward,
    "MseLossBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, self, target, reduction: MSE_LOSS_BACKWARD(grad, self, target, reduction),
            r"\sum [[grad]] \cdot \tfrac{2}{n} ([[self]] - [[target]])",
        ),
        "self": Grad(_mse_double_backward, r"\tfrac{2}{n} [[grad]] \cdot [[grad_output]]"),
        "target": Grad(
            lambda grad, grad_output, self_sym_numel, reduction: (
                -_mse_double_backward(grad, grad_output, self_sym_numel, reduction)
            ),
            r"-\tfrac{2}{n} [[grad]] \cdot [[grad_output]]",
        ),
    },
    r"[[grad_output]] \cdot \tfrac{2}{n} ([[self]] - [[target]])",
    where=(),
    samples=loss_gradients,
)

# ---- smooth L1 and Huber -----------------------------------------------------------------------------


def _smooth_l1(self, target, reduction=MEAN, beta=1.0):
    if beta <= 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    z = np.abs(self - target)
    return reduce(where(z < beta, 0.5 * z * z / beta, z - 0.5 * beta), reduction)


def _smooth_l1_backward(grad_output, self, target, reduction, beta):
    norm = 1 / max(self.size, 1) if reduction == MEAN else 1.0
    return grad_output * (np.clip((self - target) / beta, -1, 1) * norm)


def _smooth_l1_double_backward(grad, grad_output, self, target, reduction, beta):
    inside = WHERE(ABS(self - target) < beta, DIV_SCALAR(grad * grad_output, beta), 0)
    return share(inside, numel(self), reduction)


SMOOTH_L1_LOSS = Op(
    "smooth_l1_loss(Tensor self, Tensor target, int reduction=Mean, float beta=1.0) -> Tensor",
    only("f", "smooth_l1_cpu", _smooth_l1),
    "SmoothL1LossBackward0",
    {
        "self": Grad(
            lambda grad, self, target, reduction, beta: SMOOTH_L1_LOSS_BACKWARD(grad, self, target, reduction, beta),
            r"\tfrac{[[grad]]}{n} \operatorname{clamp}(([[self]] - [[target]]) / [[beta]], -1, 1)",
        ),
        "target": Grad(
            lambda grad, self, target, reduction, beta: SMOOTH_L1_LOSS_BACKWARD(grad, target, self, reduction, beta),
            r"\tfrac{[[grad]]}{n} \operatorname{clamp}(([[target]] - [[self]]) / [[beta]], -1, 1)",
        ),
    },
    r"\tfrac1n \sum \ell([[self]] - [[target]])",
    promote="common",
    where=(),
    samples=lambda rng: losses(rng, beta=0.8),
)
SMOOTH_L1_LOSS_BACKWARD = Op(
    "smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) -> Tensor",
    _smooth_l1_backward,
    "SmoothL1LossBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, self, target, reduction, beta: SMOOTH_L1_LOSS_BACKWARD(grad, self, target, reduction, beta),
            r"\sum [[grad]] \cdot \ell' ([[self]] - [[target]])",
        ),
        "self": Grad(
            _smooth_l1_double_backward,
            r"[[grad]] \cdot [[grad_output]] \cdot \ell'' ([[self]] - [[target]])",
        ),
        "target": Grad(
            lambda grad, grad_output, self, target, reduction, beta: (
                -_smooth_l1_double_backward(grad, grad_output, self, target, reduction, beta)
            ),
            r"-[[grad]] \cdot [[grad_output]] \cdot \ell'' ([[self]] - [[target]])",
        ),
    },
    r"[[grad_output]] \cdot \ell' ([[self]] - [[target]])",
    where=(),
    samples=lambda rng: loss_gradients(rng, beta=0.8),
)


def _huber(self, target, reduction=MEAN, delta=1.0):
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    common = promote_types(from_numpy(self.dtype), from_numpy(target.dtype))
    check_storable(common, self.dtype)
    check_kind("huber_cpu", np.empty(0, common.numpy), "f")
    z = np.abs(self - target)
    out = where(z <= delta, 0.5 * z * z, delta * (z - 0.5 * delta))
    return reduce(stored(out, out.shape, self.dtype), reduction)


def _huber_backward(grad_output, self, target, reduction, delta):
    if self.dtype != target.dtype:  # the one loss whose gradient does not promote
        raise RuntimeError(f"Found dtype {torch_name(target)} but expected {torch_name(self)}")
    norm = 1 / max(self.size, 1) if reduction == MEAN else 1.0
    return grad_output * (np.clip(self - target, -delta, delta) * norm)


def _huber_double_backward(grad, grad_output, self, target, reduction, delta):
    inside = WHERE(ABS(self - target) < delta, grad * grad_output, 0)
    return share(inside, numel(self), reduction)


HUBER_LOSS = Op(
    "huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) -> Tensor",
    laid_out_as_first(_huber),
    "HuberLossBackward0",
    {
        "self": Grad(
            lambda grad, self, target, reduction, delta: HUBER_LOSS_BACKWARD(grad, self, target, reduction, delta),
            r"\tfrac{[[grad]]}{n} \operatorname{clamp}([[self]] - [[target]], -[[delta]], [[delta]])",
        ),
        "target": Grad(
            lambda grad, self, target, reduction, delta: HUBER_LOSS_BACKWARD(grad, target, self, reduction, delta),
            r"\tfrac{[[grad]]}{n} \operatorname{clamp}([[target]] - [[self]], -[[delta]], [[delta]])",
        ),
    },
    r"\tfrac1n \sum \ell([[self]] - [[target]])",
    where=(),
    samples=lambda rng: losses(rng, delta=0.8),
)
HUBER_LOSS_BACKWARD = Op(
    "huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor",
    _huber_backward,
    "HuberLossBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, self, target, reduction, delta: HUBER_LOSS_BACKWARD(grad, self, target, reduction, delta),
            r"\sum [[grad]] \cdot \ell' ([[self]] - [[target]])",
        ),
        "self": Grad(_huber_double_backward, r"[[grad]] \cdot [[grad_output]] \cdot \ell'' ([[self]] - [[target]])"),
        "target": Grad(
            lambda grad, grad_output, self, target, reduction, delta: (
                -_huber_double_backward(grad, grad_output, self, target, reduction, delta)
            ),
            r"-[[grad]] \cdot [[grad_output]] \cdot \ell'' ([[self]] - [[target]])",
        ),
    },
    r"[[grad_output]] \cdot \ell' ([[self]] - [[target]])",
    where=(),
    samples=lambda rng: loss_gradients(rng, delta=0.8),
)

# ---- soft margin -------------------------------------------------------------------------------------


def _soft_margin(self, target, reduction=MEAN):
    if self.dtype.kind == "b":
        raise RuntimeError(BOOL_NEGATION)
    check_storable(float32, self.dtype)
    if target.dtype.kind == "b":
        target = target.astype(self.dtype)
    out = rounded.log1p(rounded.exp(-target * self))
    return reduce(stored(out, out.shape, self.dtype), reduction)


def _soft_margin_backward(grad_output, self, target, reduction):
    z = rounded.exp(-target * self)
    norm = 1 / max(self.size, 1) if reduction == MEAN else 1.0
    return grad_output * (-target * z / (1 + z) * norm)


def _soft_margin_double_backward(grad, grad_output, self, target, reduction):
    z = EXP(self * -target)
    one_more = ADD_SCALAR(z, 1)
    return share(grad * grad_output * (target * target) * z / (one_more * one_more), numel(self), reduction)


SOFT_MARGIN_LOSS = Op(
    "soft_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
    _soft_margin,
    "SoftMarginLossBackward0",
    {
        "self": Grad(
            lambda grad, self, target, reduction: SOFT_MARGIN_LOSS_BACKWARD(grad, self, target, reduction),
            r"-\tfrac{[[grad]]}{n} [[target]] \cdot \sigma(-[[target]] [[self]])",
        )
    },
    r"\tfrac1n \sum \ln(1 + e^{-[[target]] [[self]]})",
    where=(),
    constants=("target",),
    samples=losses,
    pointwise=True,
)
SOFT_MARGIN_LOSS_BACKWARD = Op(
    "soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
    _soft_margin_backward,
    "SoftMarginLossBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, self, target, reduction: SOFT_MARGIN_LOSS_BACKWARD(grad, self, target, reduction),
            r"-\sum \tfrac{[[grad]]}{n} [[target]] \cdot \sigma(-[[target]] [[self]])",
        ),
        "self": Grad(
            _soft_margin_double_backward, r"[[grad]] \cdot [[grad_output]] \cdot \ell'' ([[self]] [[target]])"
        ),
    },
    r"-\tfrac{[[grad_output]]}{n} [[target]] \cdot \sigma(-[[target]] [[self]])",
    where=(),
    samples=loss_gradients,
)
