"""Batch normalisation."""

from math import prod
from typing import Any

import numpy as np

from engine.narrow import with_wide_parameters
from engine.op import Grad, Op
from engine.ops.kinds import check_kind
from engine.ops.layouts import contiguous_results, keeps_channels
from engine.ops.mixed_dtypes import check_mixed
from engine.ops.standardise import double_backward, sums
from engine.ops.undifferentiable import not_implemented


def _layout(input: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes that are averaged over, and the shape in which one number per channel broadcasts."""
    ndim = input.ndim
    return (0, *range(2, ndim)), (1, -1, *(1,) * (ndim - 2))


def check_sizes(channels: int, weight: Any, bias: Any, running_mean: Any, running_var: Any) -> None:
    """One number per channel in each that is given. Raises RuntimeError."""
    for x, name in ((running_mean, "running_mean"), (running_var, "running_var"), (weight, "weight"), (bias, "bias")):
        if x is not None and prod(x.shape) != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {prod(x.shape)}")


def _check(input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool) -> None:
    if input.ndim < 2:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    check_sizes(input.shape[1], weight, bias, running_mean, running_var)
    for x, name in ((running_mean, "running_mean"), (running_var, "running_var")):
        if x is None and not training:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
    check_kind("batch_norm", input, "f")
    check_mixed(input, weight, bias, running_mean, running_var)


@with_wide_parameters
@contiguous_results
def _batch_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: float, eps: float
) -> tuple[Any, Any, Any]:
    """Output, mean and reciprocal standard deviation (both empty in evaluation).

    The one kernel that writes into inputs: training moves the running statistics, as PyTorch's does, and does not count
    as an in-place operation.
    """
    _check(input, weight, bias, running_mean, running_var, training)
    axis, shape = _layout(input)
    saved: tuple[Any, Any]
    if training:
        n = input.size // max(input.shape[1], 1)
        mean = sums(input, axis) / n
        off = input - mean.reshape(shape)
        var = sums(off * off, axis) / n
        rstd = 1 / np.sqrt(var + eps)
        if running_mean is not None:
            running_mean += momentum * (mean - running_mean)
        if running_var is not None:
            running_var += momentum * (var * (n / max(n - 1, 1) if n > 1 else np.nan) - running_var)
        saved = mean, rstd
    else:
        off, rstd = input - running_mean.reshape(shape), 1 / np.sqrt(running_var + eps)
        saved = np.empty(0, input.dtype), np.empty(0, input.dtype)
    scale = rstd if weight is None else rstd * weight
    out = off * scale.reshape(shape)
    if bias is not None:
        out += bias.reshape(shape)
    mean, rstd = saved
    return out, mean, rstd


def _statistics(running_mean: Any, running_var: Any, save_mean: Any, save_invstd: Any, train: bool, eps: float) -> Any:
    return (save_mean, save_invstd) if train else (running_mean, (running_var + eps) ** -0.5)


@with_wide_parameters
def _batch_norm_backward(
    grad_out: Any, input: Any, weight: Any, running_mean: Any, running_var: Any, save_mean: Any, save_invstd: Any,
    train: bool, eps: float, output_mask: Any,
) -> tuple[Any, Any, Any]:  # fmt: skip
    axis, shape = _layout(input)
    mean, rstd = _statistics(running_mean, running_var, save_mean, save_invstd, train, eps)
    normal = (input - mean.reshape(shape)) * rstd.reshape(shape)
    of_bias, of_weight = sums(grad_out, axis), sums(grad_out * normal, axis)
    of_input = None
    if output_mask[0]:
        scale = (rstd if weight is None else rstd * weight).reshape(shape)
        if train:
            n = input.size // max(input.shape[1], 1)
            of_input = scale * (grad_out - of_bias.reshape(shape) / n - normal * (of_weight.reshape(shape) / n))
        else:
            of_input = scale * grad_out
    return of_input, of_weight if output_mask[1] else None, of_bias if output_mask[2] else None


def _batch_norm_double(
    grads: Any, grad_out: Any, input: Any, weight: Any, running_mean: Any, running_var: Any, save_mean: Any,
    save_invstd: Any, train: bool, eps: float, mask: Any,
) -> tuple[Any, Any, Any]:  # fmt: skip
    axis, shape = _layout(input)
    mean, rstd = _statistics(running_mean, running_var, save_mean, save_invstd, train, eps)
    per_channel = [None if x is None else x.reshape(shape) for x in (weight, mean, rstd, grads[1], grads[2])]
    weight, mean, rstd, of_weight, of_bias = per_channel
    of_all = (grads[0], of_weight, of_bias)
    return double_backward(of_all, grad_out, input, weight, mean, rstd, mask, axis, axis, train)


BATCH_NORM_BACKWARD = Op(
    "native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean,"
    " Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask)"
    " -> (Tensor, Tensor, Tensor)",
    _batch_norm_backward,
    "NativeBatchNormBackwardBackward0",
    {
        "input, weight, grad_out": Grad(
            _batch_norm_double,
            {
                "input": r"\partial_{[[input]]} \langle [[grad]], \nabla \operatorname{batchnorm} \rangle",
                "weight": r"\partial_{[[weight]]} \langle [[grad]], \nabla \operatorname{batchnorm} \rangle",
                "grad_out": r"\nabla \operatorname{batchnorm} \cdot [[grad]]",
            },
        ),
        "save_mean": not_implemented("native_batch_norm_backward save_mean"),
        "save_invstd": not_implemented("native_batch_norm_backward save_invstd"),
    },
    r"\sigma^{-1} [[weight]] \left([[grad_out]] - \overline{g} - n\, \overline{g\, n}\right)",
    where=(),
    unchecked="its rule counts in that mean and deviation follow from the input; tests of second derivatives check it",
)


def _samples(rng: np.random.Generator) -> list[dict[str, Any]]:
    none = dict.fromkeys(("weight", "bias", "running_mean", "running_var"))
    rest = {"training": True, "momentum": 0.0, "eps": 1e-5}
    affine = {"weight": rng.normal(size=2), "bias": rng.normal(size=2)}
    running = {"running_mean": np.array([0.5, -0.5]), "running_var": np.array([1.0, 2.0])}
    return [
        {"input": rng.normal(size=(4, 2)), **none, **rest},
        {"input": rng.normal(size=(3, 2, 2)), **none, **affine, **rest},
        {"input": rng.normal(size=(2, 2, 2, 2)), **affine, **running, **rest},
        {"input": rng.normal(size=(3, 2)), **affine, **running, **rest, "training": False},
    ]


BATCH_NORM = Op(
    "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var,"
    " bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
    keeps_channels(_batch_norm),
    "NativeBatchNormBackward0",
    {
        "input, weight, bias": Grad(
            lambda grads, input, weight, running_mean, running_var, result1, result2, training, eps, mask: (
                BATCH_NORM_BACKWARD(
                    grads[0], input, weight, running_mean, running_var, result1, result2, training, eps, mask
                )
            ),
            {
                "input": (
                    r"\sigma^{-1} [[weight]] \left([[grad]] - \overline{[[grad]]} - n\, \overline{[[grad]]\, n}\right)"
                    r",\; n = ([[input]] - \mu) / \sigma"
                ),
                "weight": r"\textstyle\sum [[grad]] \odot n,\; n = ([[input]] - \mu) / \sigma",
                "bias": r"\textstyle\sum [[grad]]",
            },
        )
    },
    r"\frac{[[input]] - \mu}{\sqrt{\sigma^2 + [[eps]]}} \cdot [[weight]] + [[bias]]",
    where=("function",),
    nondiff=(1, 2),
    samples=_samples,
    writes=("running_mean", "running_var"),
    constants=("running_mean", "running_var"),
)
