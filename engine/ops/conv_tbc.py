"""Convolution in one dimension over data laid out as time, batch, channel."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.join import FLIP
from engine.ops.reduction import SUM_DIM
from engine.ops.sums_with_products import one_dtype
from engine.ops.views import TRANSPOSE


def _check(self: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> None:
    if self.ndim != 3:
        raise RuntimeError("Input must have 3 dims: time, batch, in_channel")
    if weight.ndim != 3:
        raise RuntimeError("Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.")
    if bias.ndim != 1:
        raise RuntimeError("Bias must be 1-D")
    if self.shape[2] != weight.shape[1]:
        raise RuntimeError("Input dim 2 (input channels) is not == dim 1 in the weight tensor")
    if weight.shape[2] != bias.shape[0]:
        raise RuntimeError("Bias size must equal dim 2 in the weight tensor (output channels).")


def _conv_tbc(self: np.ndarray, weight: np.ndarray, bias: np.ndarray, pad: int = 0) -> np.ndarray:
    _check(self, weight, bias)
    width, steps = weight.shape[0], self.shape[0]
    length = steps + 2 * pad - width + 1
    shape = (length, self.shape[1], weight.shape[2])
    if length < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {length}: {list(shape)}")
    one_dtype(self, self, weight)
    out = np.broadcast_to(bias, shape).astype(self.dtype)
    for k in range(width):
        first, last = max(0, pad - k), min(length, steps + pad - k)  # the outputs for which there is an input
        if first < last:
            out[first:last] += self[first + k - pad : last + k - pad] @ weight[k]
    return out


def _by_input(grad: Any, weight: Any, bias: Any, pad: int) -> Any:
    """The convolution with the kernel turned round; of a wide padding it takes less than all."""
    turned = TRANSPOSE(FLIP(weight, (0,)), 1, 2)
    return CONV_TBC(grad, turned, SUM_DIM(turned * 0, (0, 1)), weight.shape[0] - 1 - pad)


def _by_weight(grad: Any, self: Any, bias: Any, pad: int) -> Any:
    """The convolution of the input with the gradient, batches in the place of channels."""
    return CONV_TBC(TRANSPOSE(self, 1, 2), grad, SUM_DIM(grad * 0, (0, 1)), pad)


CONV_TBC = Op(
    "conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor",
    _conv_tbc,
    "ConvTbcBackward0",
    {
        "self": Grad(_by_input, r"[[grad]] \star [[weight]]"),
        "weight": Grad(_by_weight, r"[[self]] \ast [[grad]]"),
        "bias": Grad(lambda grad: SUM_DIM(grad, (0, 1)), r"\sum [[grad]]"),
    },
    r"[[self]] \ast [[weight]] + [[bias]]",
    where=("function", "nn"),
    samples=lambda rng: [
        {
            "self": rng.normal(size=(5, 2, 3)),
            "weight": rng.normal(size=(width, 3, 2)),
            "bias": rng.normal(size=2),
            "pad": pad,
        }
        for width, pad in ((2, 0), (3, 1), (1, 2))
    ],
)
