"""Losses of predictions and real-valued targets, as torch.nn.functional has them."""

import math
from typing import Any

from engine.composite import composite, python_function
from engine.composites.parsed import checked
from engine.composites.reduction_words import legacy, number_of, reduced
from engine.composites.shapes import common_shape, expanded
from engine.modes import no_grad
from engine.ops.copy import CLONE
from engine.ops.exponentials import XLOGY
from engine.ops.loss import HUBER_LOSS, MSE_LOSS, SMOOTH_L1_LOSS, SOFT_MARGIN_LOSS
from engine.ops.loss_entropy import BINARY_CROSS_ENTROPY, BINARY_CROSS_ENTROPY_WITH_LOGITS
from engine.ops.views import EXPAND
from engine.warning import warn_caller


def _same_shapes(input: Any, target: Any) -> tuple[Any, ...]:
    """Input and target expanded to one shape, with a warning when they had different ones."""
    if target.size() != input.size():
        warn_caller(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will "
            "likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
        )
    return expanded((input, target))


def _weighted_mean(losses: Any, weight: Any, reduction: str) -> Any:
    if reduction == "none":
        return losses
    if reduction == "sum":
        return losses.sum()
    if reduction == "mean":
        return losses.sum() / weight.sum()
    raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")


def _check_weight(input: Any, weight: Any) -> None:
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")


@python_function("nn")
def mse_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", weight: Any = None
) -> Any:
    """The squared error."""
    reduction = legacy(size_average, reduce, reduction)
    first, second = _same_shapes(input, target)
    if weight is not None:
        _check_weight(input, weight)
        return _weighted_mean(weight * MSE_LOSS(first, second, 0), weight, reduction)
    return checked(MSE_LOSS)(first, second, number_of(reduction))


@python_function("nn")
def l1_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", weight: Any = None
) -> Any:
    """The absolute error."""
    reduction = legacy(size_average, reduce, reduction)
    first, second = _same_shapes(input, target)
    if weight is not None:
        _check_weight(input, weight)
        return _weighted_mean(weight * (first - second).abs(), weight, reduction)
    return L1_LOSS(first, second, number_of(reduction))


@composite("l1_loss(Tensor self, Tensor target, int reduction) -> Tensor", where=())
def L1_LOSS(self: Any, target: Any, reduction: int) -> Any:
    """ATen's absolute error."""
    return reduced((self - target).abs(), reduction)


@python_function("nn")
def smooth_l1_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", beta: float = 1.0
) -> Any:
    """Squared error below beta, absolute error above."""
    reduction = legacy(size_average, reduce, reduction)
    first, second = _same_shapes(input, target)
    if beta == 0.0:
        return L1_LOSS(first, second, number_of(reduction))
    if isinstance(beta, int | float) and beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return checked(SMOOTH_L1_LOSS)(first, second, number_of(reduction), beta)


@python_function("nn")
def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0, weight: Any = None) -> Any:
    """Squared error up to delta, absolute error beyond, without a step."""
    first, second = _same_shapes(input, target)
    if weight is not None:
        _check_weight(input, weight)
        return _weighted_mean(weight * HUBER_LOSS(first, second, 0, float(delta)), weight, reduction)
    return checked(HUBER_LOSS)(first, second, number_of(reduction), delta)


@python_function("nn")
def binary_cross_entropy(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """Cross entropy of probabilities. Raises ValueError when the sizes differ."""
    number = number_of(legacy(size_average, reduce, reduction))
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is "
            "deprecated. Please ensure they have the same size."
        )
    if weight is not None:
        weight = EXPAND(weight, common_shape([tuple(target.shape), tuple(weight.shape)]))
    return checked(BINARY_CROSS_ENTROPY)(input, target, weight, number)


@python_function("nn")
def binary_cross_entropy_with_logits(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
) -> Any:
    """Cross entropy of logits. Raises ValueError when the sizes differ."""
    number = number_of(legacy(size_average, reduce, reduction))
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    return checked(BINARY_CROSS_ENTROPY_WITH_LOGITS)(input, target, weight, pos_weight, number)


@composite(
    "kl_div(Tensor self, Tensor target, int reduction=0, *, bool log_target=False) -> Tensor", where=("function",)
)
def KL_DIV(self: Any, target: Any, reduction: int, log_target: bool) -> Any:
    """ATen's divergence of log-probabilities from a distribution."""
    if self.dtype.is_complex or target.dtype.is_complex:
        raise RuntimeError("kl_div: Complex inputs not supported.")
    if not (self.dtype.is_floating_point and target.dtype.is_floating_point):
        raise RuntimeError("kl_div: Integral inputs not supported.")
    losses = target.exp() * (target - self) if log_target else XLOGY(target, target) - target * self
    return reduced(losses, reduction)


@python_function("nn")
def kl_div(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Any:
    """The Kullback-Leibler divergence of log-probabilities from a target distribution."""
    asked, reduction = reduction, legacy(size_average, reduce, reduction)
    if asked == "mean" and size_average is None and reduce is None:
        warn_caller(
            "reduction: 'mean' divides the total loss by both the batch size and the support size."
            "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
            "'mean' will be changed to behave the same as 'batchmean' in the next major release.",
        )
    number = number_of("sum" if reduction == "batchmean" else reduction)
    out = checked(KL_DIV)(input, target, number, log_target=log_target)
    return out / input.size()[0] if asked == "batchmean" and input.dim() != 0 else out


@python_function("nn")
def soft_margin_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """The logistic loss of targets 1 and -1."""
    return checked(SOFT_MARGIN_LOSS)(input, target, number_of(legacy(size_average, reduce, reduction)))


@composite(
    "poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor",
    where=("function",),
)
def POISSON_NLL_LOSS(input: Any, target: Any, log_input: bool, full: bool, eps: float, reduction: int) -> Any:
    """ATen's negative log-likelihood of a Poisson distribution."""
    seen = target * (input if log_input else (input + eps).log())  # before the exponential, as nodes are numbered
    loss = (input.exp() if log_input else input) - seen
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        loss = loss + stirling.masked_fill(target <= 1, 0)
    return reduced(loss, reduction)


@python_function("nn")
def poisson_nll_loss(
    input: Any,
    target: Any,
    log_input: bool = True,
    full: bool = False,
    size_average: Any = None,
    eps: float = 1e-08,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """The negative log-likelihood of a Poisson distribution."""
    reduction = legacy(size_average, reduce, reduction)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not a valid value for reduction")
    return checked(POISSON_NLL_LOSS)(input, target, log_input, full, eps, number_of(reduction))


@python_function("nn")
def gaussian_nll_loss(
    input: Any, target: Any, var: Any, full: bool = False, eps: float = 1e-06, reduction: str = "mean"
) -> Any:
    """The negative log-likelihood of a normal distribution with the given variance."""
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * input.new_ones(input.size())
    elif bool((var < 0).any()):
        raise ValueError("var has negative entry/entries")
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif not (input.size()[:-1] == var.size()[:-1] and var.size(-1) == 1):
            raise ValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    var = CLONE(var)
    with no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return reduced(loss, number_of(reduction))
