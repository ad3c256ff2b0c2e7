"""Activations as torch.nn.functional has them: with an `inplace` flag, or made of simpler functions."""

from typing import Any

import numpy as np

from engine import random
from engine.composite import composite, python_function
from engine.composites.parsed import checked
from engine.op import Op
from engine.ops.activation import (
    HARDSHRINK,
    HARDSIGMOID,
    HARDSWISH,
    HARDTANH,
    LEAKY_RELU,
    LEAKY_RELU_,
    RELU,
    THRESHOLD,
    THRESHOLD_,
)
from engine.ops.activation_smooth import CELU, CELU_, ELU, ELU_, LOG_SIGMOID_FORWARD, MISH, SILU
from engine.ops.gated import GLU, PRELU_KERNEL, RRELU_WITH_NOISE
from engine.ops.kinds import check_kind
from engine.tensor import Tensor

SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


def _apply(op: Op, inplace_op: Op, inplace: bool, *values: Any, name: str = "") -> Any:
    """Run an op, or its in-place form, with its arguments checked; `name` is the function that errors speak of."""
    if inplace:
        return checked(inplace_op, name and name + "_", True)(*values)
    return checked(op, name)(*values)


@python_function("nn")
def relu(input: Any, inplace: bool = False) -> Any:
    """max(0, input)."""
    return _apply(RELU, RELU, inplace, input)


@python_function("nn")
def relu_(input: Any) -> Any:
    """max(0, input), in place."""
    return _apply(RELU, RELU, True, input)


@python_function("nn")
def leaky_relu(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    """Small slope below zero."""
    return _apply(LEAKY_RELU, LEAKY_RELU_, inplace, input, negative_slope)


@python_function("nn")
def leaky_relu_(input: Any, negative_slope: float = 0.01) -> Any:
    """Small slope below zero, in place."""
    return _apply(LEAKY_RELU, LEAKY_RELU_, True, input, negative_slope)


@python_function("nn")
def threshold(input: Any, threshold: Any, value: Any, inplace: bool = False) -> Any:
    """input where it is above the threshold, else value."""
    return _apply(THRESHOLD, THRESHOLD_, inplace, input, threshold, value)


threshold.function.__qualname__ = "_threshold"  # the name PyTorch's messages have


@python_function("nn")
def elu(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    """Exponential below zero."""
    return _apply(ELU, ELU_, inplace, input, alpha)


@python_function("nn")
def elu_(input: Any, alpha: float = 1.0) -> Any:
    """Exponential below zero, in place."""
    return _apply(ELU, ELU_, True, input, alpha)


@composite("selu(Tensor self) -> Tensor", where=("function",))
def selu_function(self: Any) -> Any:
    """The self-normalising ELU, of fixed scales."""
    return _apply(ELU, ELU_, False, self, SELU_ALPHA, SELU_SCALE)


@composite("selu_(Tensor self) -> Tensor", where=("function", "nn"))
def selu_(self: Any) -> Any:
    """The self-normalising ELU, in place."""
    return _apply(ELU, ELU_, True, self, SELU_ALPHA, SELU_SCALE)


@python_function("nn")
def selu(input: Any, inplace: bool = False) -> Any:
    """The self-normalising ELU, of fixed scales."""
    return _apply(ELU, ELU_, inplace, input, SELU_ALPHA, SELU_SCALE, name="selu")


@python_function("nn")
def celu(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    """The continuously differentiable ELU."""
    return _apply(CELU, CELU_, inplace, input, alpha)


@python_function("nn")
def silu(input: Any, inplace: bool = False) -> Any:
    """input times its sigmoid."""
    return _apply(SILU, SILU, inplace, input)


@python_function("nn")
def mish(input: Any, inplace: bool = False) -> Any:
    """input times tanh(softplus(input))."""
    return _apply(MISH, MISH, inplace, input)


@python_function("nn")
def hardtanh(input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    """input clamped. Raises ValueError when the bounds are in the wrong order."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _apply(HARDTANH, HARDTANH, inplace, input, min_val, max_val)


@python_function("nn")
def hardtanh_(input: Any, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    """input clamped, in place."""
    return _apply(HARDTANH, HARDTANH, True, input, min_val, max_val)


@python_function("nn")
def relu6(input: Any, inplace: bool = False) -> Any:
    """min(max(0, input), 6)."""
    return _apply(HARDTANH, HARDTANH, inplace, input, 0, 6, name="relu6")


@python_function("nn")
def hardsigmoid(input: Any, inplace: bool = False) -> Any:
    """A sigmoid of three straight pieces."""
    return _apply(HARDSIGMOID, HARDSIGMOID, inplace, input)


@python_function("nn")
def hardswish(input: Any, inplace: bool = False) -> Any:
    """input times its hard sigmoid."""
    return _apply(HARDSWISH, HARDSWISH, inplace, input)


@composite("hardshrink.nn(Tensor self, Scalar lambd=0.5) -> Tensor", where=("nn",))
def hardshrink(self: Any, lambd: Any) -> Any:
    """Zero near zero."""
    return HARDSHRINK(self, lambd)


@python_function("nn")
def softsign(input: Any) -> Any:
    """input / (1 + |input|)."""
    return input / (input.abs() + 1)


@python_function("nn")
def tanhshrink(input: Any) -> Any:
    """input - tanh(input)."""
    return input - input.tanh()


@python_function("nn")
def tanh(input: Any) -> Any:
    """The hyperbolic tangent."""
    return input.tanh()


@python_function("nn")
def sigmoid(input: Any) -> Any:
    """The logistic function."""
    return input.sigmoid()


@composite("log_sigmoid(Tensor self) -> Tensor", where=())
def _log_sigmoid(self: Any) -> Any:
    """The logarithm of the sigmoid."""
    return LOG_SIGMOID_FORWARD(self)[0]


@python_function("nn")
def logsigmoid(*args: Any, **kwargs: Any) -> Any:
    """The logarithm of the sigmoid."""
    return checked(_log_sigmoid)(*args, **kwargs)


@python_function("nn")
def glu(input: Any, dim: int = -1) -> Any:
    """One half of the input, gated by the sigmoid of the other."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return checked(GLU)(input, dim)


@composite("prelu(Tensor self, Tensor weight) -> Tensor", where=("function", "method", "nn"))
def prelu(self: Any, weight: Any) -> Any:
    """ReLU with a learned slope below zero: one, or one per channel (dimension 1)."""
    if self.dtype is not weight.dtype:
        raise RuntimeError(
            f"prelu: Type promoting not supported. Got {self.dtype.torch_name} and {weight.dtype.torch_name}"
        )
    count = weight.numel()
    if count != 1:
        if self.ndim == 0:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = self.shape[1] if self.ndim > 1 else 1
        if channels != count:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{count} and channel size = {channels}."
            )
    if weight.ndim > 1:
        raise RuntimeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.ndim}")
    wanted = [1] * self.ndim
    if self.ndim > 1:
        wanted[1] = count
    if list(weight.shape) != wanted:
        weight = weight.reshape(wanted)
    return PRELU_KERNEL(self, weight)


def _rrelu(input: Any, lower: float, upper: float, training: bool, generator: Any, inplace: bool) -> Any:
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    slope = np.zeros(input.shape, input._a.dtype)
    if training:  # one number in double precision per element below zero, whatever the dtype
        check_kind("rrelu_with_noise_out_cpu", input._a, "V", "fd")
        below = np.asarray(input._a <= 0)
        slope = np.ones(input.shape, input._a.dtype)
        drawn = random.uniform(generator, (int(below.sum()),), np.float64)
        slope[below] = drawn * (upper - lower) + lower
    values = (input, Tensor._wrap(slope), lower, upper, training)
    return _apply(RRELU_WITH_NOISE, RRELU_WITH_NOISE, inplace, *values)


@composite(
    "rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, "
    "Generator? generator=None) -> Tensor",
    where=("function",),
)
def rrelu_function(self: Any, lower: float, upper: float, training: bool, generator: Any) -> Any:
    """ReLU with a random slope below zero while training, the mean slope otherwise."""
    return _rrelu(self, lower, upper, training, generator, False)


@composite(
    "rrelu_(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, "
    "Generator? generator=None) -> Tensor",
    where=("function", "nn"),
)
def rrelu_(self: Any, lower: float, upper: float, training: bool, generator: Any) -> Any:
    """ReLU with a random slope below zero, in place."""
    return _rrelu(self, lower, upper, training, generator, True)


@python_function("nn")
def rrelu(
    input: Any, lower: float = 0.125, upper: float = 0.3333333333333333, training: bool = False, inplace: bool = False
) -> Any:
    """ReLU with a random slope below zero while training, the mean slope otherwise."""
    if inplace:
        return _rrelu(input, lower, upper, training, None, inplace)
    return checked(rrelu_function)(input, lower, upper, training)
