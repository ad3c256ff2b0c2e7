"""Normalisation across channels as PyTorch took it over from Torch 7, window by window as it stands there."""

from typing import Any

import numpy as np

from engine.autograd.function import Function
from engine.tensor import Tensor


class CrossMapLRN2d(Function):
    """y = x / (k + alpha / size * (sum of x^2 over neighbouring channels))^beta"""

    @staticmethod
    def forward(ctx: Any, input: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> Any:
        """The normalised images (batch, channels, height, width). Raises ValueError for another shape."""
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        ctx.size, ctx.alpha, ctx.beta, ctx.k = size, alpha, beta, k
        ctx.scale = _over_channels(input**2, _summed(input.size(1), size)) * (alpha / size) + k
        output = ctx.scale.pow(-beta) * input
        ctx.save_for_backward(input, output)
        return output

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:  # type: ignore[override]
        """The gradient by the images."""
        input, output = ctx.saved_tensors
        shares = _over_channels(grad_output * output / ctx.scale, _shared(input.size(1), ctx.size))
        grad = ctx.scale.pow(-ctx.beta) * grad_output - input * shares * (2 * ctx.alpha * ctx.beta / ctx.size)
        return grad, None, None, None, None


def _over_channels(images: Any, weights: np.ndarray) -> Any:
    return (Tensor._wrap(weights.astype(images._a.dtype)) @ images.flatten(2)).view(images.shape)


def _summed(channels: int, size: int) -> np.ndarray:
    """Which channels each sum takes: the neighbours, and the first channel always, which PyTorch never takes out."""
    before = int((size - 1) / 2 + 1)
    at, of = np.indices((channels, channels))
    return (of < at + before) & ((of > at - before) | (of == 0))


def _shared(channels: int, size: int) -> np.ndarray:
    """Which channels each gradient takes: `size` of them, shifted as they are in PyTorch."""
    before = int(size - (size - 1) / 2)
    if before >= size:
        raise RuntimeError(f"start ({before}) + length ({channels}) exceeds dimension size ({channels + size - 1}).")
    at, of = np.indices((channels, channels))
    return (of >= at - before) & (of < at - before + size)
