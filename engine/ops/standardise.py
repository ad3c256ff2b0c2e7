"""What layer and batch normalisation share: the derivative of their backward operators."""

from collections.abc import Callable
from math import prod
from typing import Any

from engine.ops.arithmetic import DIV_SCALAR, MUL_SCALAR
from engine.ops.reducers import add_up
from engine.ops.reduction import SUM_DIM
from engine.ops.views import EXPAND


def sums(x: Any, axis: Any, keepdim: bool = False) -> Any:
    """Plain numpy sums in the dtype of `x`."""
    return add_up(x, axis, None, None, keepdim)


def _plus(a: Any, b: Any) -> Any:
    return b if a is None else a + b


def _jacobian(normal: Any, rstd: Any, average: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    """How a small change of the input changes the normalised input. The matrix is symmetric, so gradients go alike."""
    if average is None:  # fixed statistics
        return lambda x: rstd * x
    return lambda x: rstd * (x - average(x) - normal * average(x * normal))


def double_backward(
    grads: Any, g: Any, input: Any, weight: Any, mean: Any, rstd: Any, mask: Any, axis: Any, lead: Any, training: bool
) -> tuple[Any, Any, Any]:
    """Derivatives of a normalisation's backward with respect to its input, its weight and its incoming gradient `g`.

    That backward is, with h = g * weight, n the normalised input and J its Jacobian: J h, sum(g n) over `lead`, sum(g)
    over `lead`; `grads` are the gradients of these three, the last two and `weight` in a shape that broadcasts against
    `input`. Statistics are over `axis`; unless `training` they are constants.
    """
    of_input, of_weight, of_bias = grads

    def average(x: Any) -> Any:
        return DIV_SCALAR(SUM_DIM(x, axis, True), prod(input.shape[a] for a in axis))

    normal = (input - mean) * rstd
    through = _jacobian(normal, rstd, average if training else None)
    back_input = back_weight = back_g = None
    if of_input is not None:
        h = g if weight is None else g * weight
        to_h = through(of_input)
        if mask[2]:
            back_g = to_h if weight is None else to_h * weight
        if mask[1]:
            back_weight = SUM_DIM(to_h * g, lead) if lead else to_h * g
        if mask[0] and training:
            # J depends on the input by way of rstd and, twice, of n.
            a, b = average(of_input * normal), average(h * normal)
            spread = average(of_input * h) - average(of_input) * average(h) - MUL_SCALAR(a * b, 3)
            back_input = -(rstd * rstd) * (normal * spread + (of_input - average(of_input)) * b + (h - average(h)) * a)
    if of_weight is not None:
        if mask[2]:
            back_g = _plus(back_g, of_weight * normal)
        if mask[0]:
            back_input = _plus(back_input, through(of_weight * g))
    if of_bias is not None and mask[2]:
        back_g = _plus(back_g, EXPAND(of_bias, g.shape))
    return back_input, back_weight, back_g
