"""A batch normalisation that no longer learns, folded into the layer before it."""

import copy
from typing import Any

from engine.nn.functional import VF
from engine.nn.modules.module import Module
from engine.nn.parameter import Parameter


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """A copy of a convolution that gives what `bn` made of its output; `transpose` for a transposed one.

    Raises AssertionError unless both are in eval mode and `bn` has running statistics.
    """
    _check_evaluating(conv, bn)
    fused = copy.deepcopy(conv)
    mean, variance = _statistics(bn)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, mean, variance, bn.eps, bn.weight, bn.bias, transpose
    )
    return fused


def fuse_conv_bn_weights(
    conv_w: Any, conv_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any, transpose: bool = False
) -> tuple[Parameter, Parameter]:
    """The weight and bias of that convolution, of running mean and variance and of what scales and shifts."""
    weight_dtype, bias_dtype = conv_w.dtype, (conv_w if conv_b is None else conv_b).dtype
    conv_b = VF.zeros_like(bn_rm) if conv_b is None else conv_b
    bn_w = VF.ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = VF.zeros_like(bn_rm) if bn_b is None else bn_b
    inverse = VF.rsqrt(bn_rv + bn_eps)
    of_channels = ([1, -1] if transpose else [-1, 1]) + [1] * (len(conv_w.shape) - 2)
    weight = (conv_w * (bn_w * inverse).reshape(of_channels)).to(dtype=weight_dtype)
    bias = ((conv_b - bn_rm) * inverse * bn_w + bn_b).to(dtype=bias_dtype)
    return Parameter(weight, conv_w._needs_grad), Parameter(bias, conv_b._needs_grad)


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """A copy of a linear layer that gives what `bn` made of its output.

    Raises AssertionError unless both are in eval mode, as wide as each other, and `bn` has running statistics.
    """
    _check_evaluating(linear, bn)
    fused = copy.deepcopy(linear)
    if bn.num_features not in (linear.out_features, 1):
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    mean, variance = _statistics(bn)
    fused.weight, fused.bias = fuse_linear_bn_weights(
        fused.weight, fused.bias, mean, variance, bn.eps, bn.weight, bn.bias
    )
    return fused


def fuse_linear_bn_weights(
    linear_w: Any, linear_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any
) -> tuple[Parameter, Parameter]:
    """The weight and bias of that linear layer."""
    weight_dtype, bias_dtype = linear_w.dtype, (linear_w if linear_b is None else linear_b).dtype
    linear_b = VF.zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * VF.rsqrt(bn_rv + bn_eps)
    weight = linear_w * scale.unsqueeze(-1).to(dtype=weight_dtype)
    bias = ((linear_b - bn_rm) * scale + bn_b).to(dtype=bias_dtype)
    return Parameter(weight, linear_w._needs_grad), Parameter(bias, linear_b._needs_grad)


def _check_evaluating(layer: Module, bn: Module) -> None:
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")


def _statistics(bn: Any) -> tuple[Any, Any]:
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    return bn.running_mean, bn.running_var


__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]
