"""Normalisation layers as functions."""

from typing import Any

from engine import dtypes
from engine.composite import composite
from engine.dtypes import finfo
from engine.ops.arithmetic import ADD_SCALAR
from engine.ops.batch_norm import BATCH_NORM, check_sizes
from engine.ops.checks import wrap_dim, wrap_real_dim
from engine.ops.copy import contiguous
from engine.ops.group_norm import GROUP_NORM
from engine.ops.layer_norm import LAYER_NORM
from engine.ops.layouts import by_channels
from engine.ops.powers import POW, RSQRT
from engine.ops.reduction import MEAN_DIM

_FUNCTION = ("function",)


@composite(
    "layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05,"
    " bool cudnn_enable=True) -> Tensor",
    where=_FUNCTION,
)
def layer_norm(
    input: Any,
    normalized_shape: Any,
    weight: Any = None,
    bias: Any = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Any:
    """Zero mean and unit variance over the last dimensions, then scaled and shifted."""
    return LAYER_NORM(input, normalized_shape, weight, bias, eps)[0]


@composite(
    "rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor",
    where=_FUNCTION,
)
def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: float | None = None) -> Any:
    """The input divided by its root mean square over the last dimensions."""
    shape = tuple(normalized_shape)
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []"
        )
    if weight is not None and tuple(weight.shape) != shape:
        raise RuntimeError(
            f"Expected weight to be of same shape as normalized_shape, but got weight of shape {list(weight.shape)} "
            f"and normalized_shape = {list(shape)}"
        )
    if tuple(input.shape[-len(shape) :]) != shape:
        wanted = ", ".join(map(str, shape))
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [*{wanted}], but got input of "
            f"size{list(input.shape)}"
        )
    dims = tuple(range(input.ndim - len(shape), input.ndim))
    if not (input.dtype.is_floating_point or input.dtype.is_complex):
        raise NotImplementedError(f"\"rms_norm\" not implemented for '{input.dtype.torch_name}'")
    floor = finfo(input.dtype).eps if eps is None else eps
    wide = input.to(dtypes.float32) if input.dtype.itemsize == 2 else input
    scaled = wide * RSQRT(ADD_SCALAR(MEAN_DIM(POW(wide, 2), dims, True), floor))
    return (scaled if weight is None else scaled * weight).to(input.dtype)


@composite(
    "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training,"
    " float momentum, float eps, bool cudnn_enabled) -> Tensor",
    where=_FUNCTION,
)
def batch_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: float,
    eps: float, cudnn_enabled: bool,
) -> Any:  # fmt: skip
    """Zero mean and unit variance of every channel over the batch, or with running statistics."""
    if not input.numel():
        out = input.clone()
        out = out if weight is None else out * weight[0]
        return out if bias is None else out + bias[0]
    check_sizes(input.shape[1] if input.ndim > 1 else 0, weight, bias, running_mean, running_var)
    return BATCH_NORM(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]


@composite(
    "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var,"
    " bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor",
    where=_FUNCTION,
)
def instance_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, use_input_stats: bool, momentum: float,
    eps: float, cudnn_enabled: bool,
) -> Any:  # fmt: skip
    """Batch normalisation of every sample on its own: samples and channels become one dimension."""
    if (running_mean is None) != (running_var is None):
        raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
    if not use_input_stats and running_mean is None:
        raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
    n, c = input.shape[0], input.shape[1]
    each: list[Any] = [None if x is None else x.repeat(n) for x in (weight, bias, running_mean, running_var)]
    each[2:] = [None if x is None else x.to(input.dtype) for x in each[2:]]
    flat = contiguous(input).view((1, n * c, *input.shape[2:]))
    out = BATCH_NORM(flat, *each, use_input_stats, momentum, eps)[0]
    for kept, moved in ((running_mean, each[2]), (running_var, each[3])):
        if kept is not None:
            kept.detach().copy_(moved.view((n, c)).mean(0))
    return out.view(tuple(input.shape))


@composite(
    "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05,"
    " bool cudnn_enabled=True) -> Tensor",
    where=_FUNCTION,
)
def group_norm(
    input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5, cudnn_enabled: bool = True
) -> Any:
    """Zero mean and unit variance of every group of channels of every sample."""
    if num_groups <= 0:
        raise RuntimeError("Expected num groups to be greater than 0, got " + str(num_groups))
    wrap_real_dim(0, input.ndim)
    wrap_dim(1, input.ndim)
    n, c = input.shape[0], input.shape[1]
    if c % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(input.shape)} and num_groups={num_groups}"
        )
    area = input.numel() // (n * c) if n * c else 0
    source = input if by_channels(input._a) else contiguous(input)
    return GROUP_NORM(source, weight, bias, n, c, area, num_groups, eps)[0]
