"""Losses of class scores: cross entropy in all its forms, negative log-likelihood, margins between classes."""

from typing import Any

from engine.composite import composite, python_function
from engine.composites.parsed import checked
from engine.composites.reduction_words import legacy, number_of, reduced
from engine.errors import sizes
from engine.ops.activation_smooth import LOG_SIGMOID_FORWARD
from engine.ops.arithmetic import DIV_SCALAR, MUL_SCALAR
from engine.ops.loss import MEAN, NONE, SUM
from engine.ops.loss_margin import MULTI_MARGIN_LOSS, MULTILABEL_MARGIN_LOSS_FORWARD
from engine.ops.loss_nll import NLL_LOSS2D_FORWARD, NLL_LOSS_FORWARD
from engine.ops.softmax import LOG_SOFTMAX


@composite(
    "nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor",
    where=(),
)
def nll_nd(self: Any, target: Any, weight: Any, reduction: int, ignore_index: int) -> Any:
    """Negative log-likelihood of scores (C), (N, C) or (N, C, d1, …). Raises ValueError when shapes do not fit."""
    if self.ndim < 1:
        raise ValueError(f"Expected 1 or more dimensions (got {self.ndim})")
    if self.ndim != 1 and (target.ndim == 0 or self.shape[0] != target.shape[0]):
        given = target.shape[0] if target.ndim else 0
        raise ValueError(f"Expected input batch_size ({self.shape[0]}) to match target batch_size ({given}).")
    if self.ndim <= 2:
        return NLL_LOSS_FORWARD(self, target, weight, reduction, ignore_index)[0]
    if self.ndim == 4:
        return NLL_LOSS2D_FORWARD(self, target, weight, reduction, ignore_index)[0]
    n, c, *rest = self.shape
    if list(target.shape)[1:] != rest:
        raise RuntimeError(f"Expected target size {sizes((n, *rest))}, got {sizes(target.shape)}")
    images = self.contiguous().view((n, c, 1, -1) if self.numel() else (n, c, 0, 0))
    labels = target.contiguous().view((n, 1, -1) if target.numel() else (n, 0, 0))
    out = NLL_LOSS2D_FORWARD(images, labels, weight, reduction, ignore_index)[0]
    return out.view((n, *rest)) if reduction == NONE else out


def _log_softmax(x: Any) -> tuple[Any, int]:
    """Log-probabilities along the class dimension, and which that is."""
    dim = 0 if x.ndim == 1 else 1
    return LOG_SOFTMAX(x, dim, False), dim


def _along(weight: Any, dim: int, ndim: int) -> Any:
    """Class weights shaped to broadcast against scores."""
    shape = [1] * ndim
    shape[dim] = weight.shape[0]
    return weight.view(shape)


def _of_probabilities(self: Any, target: Any, weight: Any, reduction: int, smoothing: float) -> Any:
    log_p, dim = _log_softmax(self)
    classes = log_p.shape[dim]
    _check_class_weight(weight, classes)
    if smoothing > 0:
        target = target * (1 - smoothing) + smoothing / classes
    terms = log_p * target if weight is None else log_p * target * _along(weight, dim, log_p.ndim)
    if reduction == MEAN:
        return DIV_SCALAR(-terms.sum(), log_p.numel() // classes if classes else 0)
    return -(terms.sum() if reduction == SUM else terms.sum(dim))


def _smoothed(self: Any, target: Any, weight: Any, reduction: int, ignore_index: int, smoothing: float) -> Any:
    log_p, dim = _log_softmax(self)
    classes = log_p.shape[dim]
    hard = nll_nd(log_p, target, weight, reduction, ignore_index)
    soft = -(log_p if weight is None else log_p * _along(weight, dim, log_p.ndim)).sum(dim)
    ignored = target == ignore_index
    soft.masked_fill_(ignored, 0.0)
    if reduction == MEAN:
        if weight is None:
            soft = soft.sum() / (~ignored).sum()
        else:
            soft = soft.sum() / weight.gather(0, target.masked_select(~ignored).flatten()).sum()
    elif reduction == SUM:
        soft = soft.sum()
    return MUL_SCALAR(hard, 1 - smoothing) + MUL_SCALAR(soft, smoothing / classes)


def _check_class_weight(weight: Any, classes: int) -> None:
    if weight is not None and not (weight.ndim == 1 and weight.numel() == classes):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {classes} classes or no classes but got "
            f"weight tensor of shape: {sizes(weight.shape)}"
        )


@composite(
    "cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100,"
    " float label_smoothing=0.0) -> Tensor",
    where=(),
)
def cross_entropy_loss(
    self: Any, target: Any, weight: Any, reduction: int, ignore_index: int, label_smoothing: float
) -> Any:
    """ATen's cross entropy: targets of the scores' shape are probabilities, others are class indices."""
    if tuple(self.shape) == tuple(target.shape):
        if not target.dtype.is_floating_point:
            raise RuntimeError(
                f"Expected floating point type for target with class probabilities, got {target.dtype.torch_name}"
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return _of_probabilities(self, target, weight, reduction, label_smoothing)
    if label_smoothing > 0.0:
        if label_smoothing > 1.0:
            raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
        return _smoothed(self, target, weight, reduction, ignore_index, label_smoothing)
    dim = 0 if self.ndim == 1 else 1
    return nll_nd(LOG_SOFTMAX(self, dim, False), target, weight, reduction, ignore_index)


@python_function("nn")
def cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """Cross entropy of unnormalised class scores."""
    number = number_of(legacy(size_average, reduce, reduction))
    return checked(cross_entropy_loss)(input, target, weight, number, ignore_index, label_smoothing)


@python_function("nn")
def nll_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Negative log-likelihood of log-probabilities."""
    number = number_of(legacy(size_average, reduce, reduction))
    return checked(nll_nd)(input, target, weight, number, ignore_index)


@python_function("nn")
def multi_margin_loss(
    input: Any,
    target: Any,
    p: int = 1,
    margin: float = 1.0,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Hinge between the target class and every other."""
    number = number_of(legacy(size_average, reduce, reduction))
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    return checked(MULTI_MARGIN_LOSS)(input, target, p, margin, weight, number)


@python_function("nn")
def multilabel_margin_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """Hinge between every target class and every other."""
    number = number_of(legacy(size_average, reduce, reduction))
    return checked(MULTILABEL_MARGIN_LOSS_FORWARD, "multilabel_margin_loss")(input, target, number)[0]


@python_function("nn")
def multilabel_soft_margin_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Binary cross entropy of logits, averaged over classes."""
    reduction = legacy(size_average, reduce, reduction)
    loss = -(target * _logsigmoid(input) + (1 - target) * _logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    dim = input.dim() - 1
    loss = loss.sum(dim=dim) / input.size(dim)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    return reduced(loss, number_of(reduction))


def _logsigmoid(x: Any) -> Any:
    return LOG_SIGMOID_FORWARD(x)[0]
