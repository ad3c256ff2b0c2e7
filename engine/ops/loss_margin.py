"""Margin losses of several classes."""

import numpy as np

from engine.op import Grad, Op
from engine.ops.kinds import torch_name, wide_only
from engine.ops.loss import MEAN, NONE, SUM, reduce
from engine.ops.undifferentiable import NODE, REASON, no_derivative


def _rows(x):
    return np.asarray(x).reshape(-1, x.shape[-1]) if x.ndim else np.asarray(x).reshape(1, 1)


def _check(self, target):
    flat = np.asarray(target).reshape(-1)
    if self.ndim > 2 or (self.ndim and self.shape[-1] == 0):
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(self.shape)}"
        )
    rows = _rows(self)
    if flat.size != len(rows) or target.ndim > 1:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch "
            f"size). Expected target size [{len(rows)}], but got {list(target.shape)}. Input has shape "
            f"{list(self.shape)}."
        )
    if target.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {torch_name(target)}")
    if ((flat < 0) | (flat >= rows.shape[1])).any():
        raise RuntimeError("target out of range")
    return rows, flat


def _multi_margin(self, target, p=1, margin=1, weight=None, reduction=MEAN):
    if p not in (1, 2):
        raise RuntimeError("only p == 1 and p == 2 supported")
    rows, flat = _check(self, target)
    if weight is not None and (weight.ndim > 1 or weight.size != rows.shape[1]):
        raise RuntimeError(f"inconsistent weight size, expected {rows.shape[1]} but got {list(weight.shape)}")
    if weight is not None and weight.dtype != self.dtype:
        raise RuntimeError(f"expected scalar type {torch_name(self)} but found {torch_name(weight)}")
    gap = np.maximum(_gaps(rows, flat, margin), 0) ** p
    if weight is not None:
        gap = gap * weight[flat][:, None]
    each = gap.sum(1, dtype=rows.dtype) / rows.shape[1]
    return reduce(each.astype(rows.dtype).reshape(target.shape), reduction)


def _gaps(rows, flat, margin):
    index = np.arange(len(rows))
    gap = (margin - rows[index, flat][:, None] + rows).astype(rows.dtype)
    gap[index, flat] = 0
    return gap


def _multi_margin_backward(grad_output, self, target, p, margin, weight=None, reduction=MEAN):
    rows, flat = _check(self, target)
    gap = _gaps(rows, flat, margin)
    slope = np.where(gap > 0, 1 if p == 1 else 2 * gap, 0) / rows.shape[1]
    if weight is not None:
        slope = slope * weight[flat][:, None]
    index = np.arange(len(rows))
    slope[index, flat] = -slope.sum(1)
    g = np.asarray(grad_output)
    g = g.reshape(-1, 1) if reduction == NONE else g / len(rows) if reduction == MEAN else g
    return (slope * g).astype(self.dtype).reshape(self.shape)


MULTI_MARGIN_LOSS = Op(
    "multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, "
    "int reduction=Mean) -> Tensor",
    wide_only("multi_margin_loss_cpu_kernel", _multi_margin, "f"),
    "MultiMarginLossBackward0",
    {
        "self": Grad(
            lambda grad, self, target, p, margin, weight, reduction: MULTI_MARGIN_LOSS_BACKWARD(
                grad, self, target, p, margin, weight, reduction
            ),
            r"\tfrac{[[grad]]}{C}\, \partial_x \max(0, m - x_t + x_i)^p,\; t = [[target]]",
        )
    },
    r"\tfrac1C \sum_{i \ne t} \max(0, [[margin]] - x_t + x_i)^{[[p]]},\; t = [[target]]",
    where=(),
    samples=lambda rng: [
        {"self": rng.normal(size=(3, 4)), "target": np.array([1, 3, 0]), "p": p, "weight": w, "reduction": r}
        for p in (1, 2)
        for w in (None, rng.uniform(0.5, 1, size=4))
        for r in (NONE, MEAN, SUM)
    ],
)
MULTI_MARGIN_LOSS_BACKWARD = Op(
    "multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, "
    "Tensor? weight=None, int reduction=Mean) -> Tensor",
    _multi_margin_backward,
    NODE,
    {"grad_output": no_derivative("multi_margin_loss_backward"), "self": no_derivative("multi_margin_loss_backward")},
    latex=r"\tfrac{[[grad_output]]}{C}\, \partial_x \max(0, m - x_t + x_i)^p",
    where=(),
    unchecked=REASON,
)


def _targets(self, target):
    """Per row: the classes listed before the first -1, and a mask of them."""
    if self.ndim > 2 or (not self.size and (self.ndim < 2 or not self.shape[1])):
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(self.shape)}"
        )
    if self.shape != target.shape:
        raise RuntimeError(f"inconsistent target size: {list(target.shape)} for input of size: {list(self.shape)}")
    wanted = _rows(target)
    listed = np.cumprod(wanted >= 0, axis=1).astype(bool)
    mask = np.zeros(wanted.shape, bool)
    row, column = np.nonzero(listed)
    mask[row, wanted[row, column]] = True
    return wanted, listed, mask


def _multilabel_gaps(rows, wanted, listed, mask):
    """1 - x[wanted] + x[others]: (rows, listed, classes), zero where it does not count."""
    chosen = np.take_along_axis(rows, np.where(listed, wanted, 0), axis=1)
    gap = 1 - chosen[:, :, None] + rows[:, None, :]
    return np.where(listed[:, :, None] & ~mask[:, None, :], np.maximum(gap, 0), 0).astype(rows.dtype)


def _multilabel_margin(self, target, reduction):
    wanted, listed, mask = _targets(self, target)
    rows = _rows(self)
    each = _multilabel_gaps(rows, wanted, listed, mask).sum((1, 2), dtype=rows.dtype) / rows.shape[1]
    each = each.astype(rows.dtype).reshape(self.shape[:-1])
    return reduce(each, reduction), mask.astype(rows.dtype).reshape(self.shape)


def _multilabel_margin_backward(grad_output, self, target, reduction, is_target):
    wanted, listed, mask = _targets(self, target)
    rows = _rows(self)
    open_ = (_multilabel_gaps(rows, wanted, listed, mask) > 0) / rows.shape[1]
    slope = open_.sum(1)
    row, column = np.nonzero(listed)
    np.subtract.at(slope, (row, wanted[row, column]), open_.sum(2)[row, column])
    g = np.asarray(grad_output)
    g = g.reshape(-1, 1) if reduction == NONE else g / len(rows) if reduction == MEAN else g
    return (slope * g).astype(self.dtype).reshape(self.shape)


_MULTILABEL = "multilabel_margin_loss_forward_out_frame"
MULTILABEL_MARGIN_LOSS_FORWARD = Op(
    "multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target)",
    wide_only(_MULTILABEL, _multilabel_margin, "f"),
    "MultilabelMarginLossBackward0",
    {
        "self": Grad(
            lambda grad, self, target, reduction, is_target: MULTILABEL_MARGIN_LOSS_BACKWARD(
                grad, self, target, reduction, is_target
            ),
            r"\tfrac{[[grad]]}{C}\, \partial_x \max(0, 1 - (x_t - x_i))",
        )
    },
    r"\tfrac1C \sum_{t, i} \max(0, 1 - (x_t - x_i))",
    where=(),
    outputs=("output", "is_target"),
    nondiff=(1,),
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 4)), "target": np.array([[3, 0, -1, 1], [1, -1, 0, 2]]), "reduction": r}
        for r in (NONE, MEAN, SUM)
    ],
)
MULTILABEL_MARGIN_LOSS_BACKWARD = Op(
    "multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, "
    "Tensor is_target) -> Tensor",
    _multilabel_margin_backward,
    NODE,
    {
        "grad_output": no_derivative("multilabel_margin_loss_backward"),
        "self": no_derivative("multilabel_margin_loss_backward"),
    },
    latex=r"\tfrac{[[grad_output]]}{C}\, \partial_x \max(0, 1 - (x_t - x_i))",
    where=(),
    unchecked=REASON,
)
