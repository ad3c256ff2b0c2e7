"""Layer normalisation."""

from math import prod
from typing import Any

import numpy as np

from engine.narrow import with_wide_parameters
from engine.op import Grad, Op
from engine.ops.kinds import check_kind
from engine.ops.layouts import contiguous_results
from engine.ops.mixed_dtypes import check_mixed
from engine.ops.rounded import READABLE
from engine.ops.standardise import double_backward, sums
from engine.ops.undifferentiable import not_implemented


def _trailing(input: Any, normalized_shape: Any) -> tuple[int, ...]:
    return tuple(range(input.ndim - len(normalized_shape), input.ndim))


def _check(input: Any, normalized_shape: Any, weight: Any, bias: Any) -> None:
    shape = tuple(normalized_shape)
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []"
        )
    check_mixed(input, weight, bias)
    for x, name in ((weight, "weight"), (bias, "bias")):
        if x is not None and x.shape != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape {list(x.shape)} "
                f"and normalized_shape = {list(shape)}"
            )
    if input.shape[-len(shape) :] != shape:
        wanted = "".join(f", {n}" for n in shape)
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [*{wanted}], but got input of "
            f"size{list(input.shape)}"
        )
    check_kind("LayerNormKernelImpl", input, "f")


def _by_product(input: Any, normalized_shape: Any) -> bool:
    """Whether sums over the last dimension are faster as matrix products: many short rows."""
    return len(normalized_shape) == 1 and input.size > READABLE and input.flags.c_contiguous


@with_wide_parameters
@contiguous_results
def _layer_norm(input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float) -> tuple[Any, Any, Any]:
    """Output, mean and reciprocal standard deviation over the trailing dimensions."""
    _check(input, normalized_shape, weight, bias)
    axis = _trailing(input, normalized_shape)
    n = prod(normalized_shape)
    if _by_product(input, normalized_shape):
        mean = np.matmul(input, np.full(n, 1 / n, input.dtype))[..., None]
        off = input - mean
        rstd = 1 / np.sqrt(np.vecdot(off, off)[..., None] / n + eps)
    else:
        mean = sums(input, axis, True) / n
        off = input - mean
        rstd = 1 / np.sqrt(sums(off * off, axis, True) / n + eps)
    off *= rstd
    if weight is not None:
        off *= weight
    if bias is not None:
        off += bias
    return off, mean, rstd


@with_wide_parameters
def _layer_norm_backward(
    grad_out: Any, input: Any, normalized_shape: Any, mean: Any, rstd: Any, weight: Any, bias: Any, output_mask: Any
) -> tuple[Any, Any, Any]:
    axis = _trailing(input, normalized_shape)
    lead = tuple(range(input.ndim - len(normalized_shape)))
    normal = input - mean
    normal *= rstd
    of_input = of_weight = of_bias = None
    if output_mask[0] and _by_product(grad_out, normalized_shape):
        n = normalized_shape[0]
        share = np.full(n, 1 / n, input.dtype) if weight is None else weight / n
        of_input = grad_out if weight is None else grad_out * weight
        along = np.matmul(grad_out * normal, share)[..., None]
        of_input = of_input - np.matmul(grad_out, share)[..., None]
        of_input -= normal * along
        of_input *= rstd
    elif output_mask[0]:
        g = grad_out if weight is None else grad_out * weight
        n = prod(normalized_shape)
        of_input = rstd * (g - sums(g, axis, True) / n - normal * (sums(g * normal, axis, True) / n))
    if output_mask[1] and weight is not None:
        of_weight = sums(grad_out * normal, lead)
    if output_mask[2] and bias is not None:
        of_bias = sums(grad_out, lead)
    return of_input, of_weight, of_bias


def _layer_norm_double(
    grads: Any, grad_out: Any, input: Any, normalized_shape: Any, mean: Any, rstd: Any, weight: Any, mask: Any
) -> tuple[Any, Any, Any]:
    axis = _trailing(input, normalized_shape)
    lead = tuple(range(input.ndim - len(normalized_shape)))
    return double_backward(grads, grad_out, input, weight, mean, rstd, mask, axis, lead, True)


def _layer_samples(rng: np.random.Generator) -> list[dict[str, Any]]:
    plain = {"normalized_shape": (3,), "weight": None, "bias": None, "eps": 1e-5}
    return [
        {"input": rng.normal(size=(2, 3)), **plain},
        {"input": rng.normal(size=(2, 3)), **plain, "weight": rng.normal(size=3), "bias": rng.normal(size=3)},
        {
            "input": rng.normal(size=(4, 2, 3)),
            **plain,
            "normalized_shape": (2, 3),
            "weight": rng.normal(size=(2, 3)),
            "bias": rng.normal(size=(2, 3)),
        },
    ]


LAYER_NORM_BACKWARD = Op(
    "native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor rstd,"
    " Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
    _layer_norm_backward,
    "NativeLayerNormBackwardBackward0",
    {
        "input, weight, grad_out": Grad(
            lambda grads, grad_out, input, normalized_shape, mean, rstd, weight, mask: _layer_norm_double(
                grads, grad_out, input, normalized_shape, mean, rstd, weight, mask
            ),
            {
                "input": r"\partial_{[[input]]} \langle [[grad]], \nabla \operatorname{layernorm} \rangle",
                "weight": r"\partial_{[[weight]]} \langle [[grad]], \nabla \operatorname{layernorm} \rangle",
                "grad_out": r"\nabla \operatorname{layernorm} \cdot [[grad]]",
            },
        ),
        "mean": not_implemented("native_layer_norm_backward mean"),
        "rstd": not_implemented("native_layer_norm_backward rstd"),
        "bias": Grad(lambda grad: None, "0"),
    },
    r"\sigma^{-1}\left(g - \overline{g} - n\, \overline{g\, n}\right),\; g = [[grad_out]] \odot [[weight]]",
    where=(),
    unchecked="its rule counts in that mean and rstd follow from the input; tests of second derivatives check it",
)
LAYER_NORM = Op(
    "native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps)"
    " -> (Tensor, Tensor, Tensor)",
    _layer_norm,
    "NativeLayerNormBackward0",
    {
        "input, weight, bias": Grad(
            lambda grads, input, normalized_shape, result1, result2, weight, bias, mask: LAYER_NORM_BACKWARD(
                grads[0], input, normalized_shape, result1, result2, weight, bias, mask
            ),
            {
                "input": (
                    r"\sigma^{-1}\left(g - \overline{g} - n\, \overline{g\, n}\right),\; g = [[grad]] \odot [[weight]]"
                    r",\; n = ([[input]] - \mu) / \sigma"
                ),
                "weight": r"\textstyle\sum [[grad]] \odot n,\; n = ([[input]] - \mu) / \sigma",
                "bias": r"\textstyle\sum [[grad]]",
            },
        )
    },
    r"\frac{[[input]] - \mu}{\sqrt{\sigma^2 + [[eps]]}} \odot [[weight]] + [[bias]]",
    where=("function",),
    nondiff=(1, 2),
    samples=_layer_samples,
)
