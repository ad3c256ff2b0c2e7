"""Blocks of an image as columns and back, and the rearrangements between channels and pixels."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.checks import wrap_real_dim
from engine.ops.kinds import check_kind, only
from engine.ops.layouts import keeps_channels
from engine.ops.undifferentiable import NODE, REASON, no_derivative
from engine.ops.windows import columns, fold, output_lengths

Ints = Sequence[int]


def _im2col(self: np.ndarray, kernel_size: Ints, dilation: Ints, padding: Ints, stride: Ints) -> np.ndarray:
    for d in (1, 2):
        wrap_real_dim(d, self.ndim)
    if self.ndim not in (3, 4) or 0 in self.shape[-3:]:
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
            f"but got: {list(self.shape)}"
        )
    check_kind("im2col_out_cpu", self, "fcbV")
    x = self if self.ndim == 4 else self[None]
    count = output_lengths(x.shape[2:], kernel_size, stride, padding, dilation)
    if min(count) < 1:
        raise RuntimeError(
            f"Given input with spatial size {_pair(x.shape[2:])}, kernel_size={_pair(kernel_size)}, "
            f"dilation={_pair(dilation)}, padding={_pair(padding)}, calculated shape of the array of sliding blocks as "
            f"{_pair(count)}, but its components must be at least one."
        )
    view = columns(x, kernel_size, stride, padding, dilation, count)  # channel, kernel (2), batch, window (2)
    out = view.transpose(3, 0, 1, 2, 4, 5).reshape(x.shape[0], prod(view.shape[:3]), count[0] * count[1])
    out = np.ascontiguousarray(out)
    return out if self.ndim == 4 else out[0]


def _pair(sizes: Ints) -> str:
    return "(" + ", ".join(str(n) for n in sizes) + ")"


def _col2im(
    self: np.ndarray, output_size: Ints, kernel_size: Ints, dilation: Ints, padding: Ints, stride: Ints
) -> np.ndarray:
    if self.ndim not in (2, 3) or 0 in self.shape[-2:]:
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for "
            f"input, but got: {list(self.shape)}"
        )
    cols = self if self.ndim == 3 else self[None]
    area = kernel_size[0] * kernel_size[1]
    if cols.shape[1] % area:
        raise RuntimeError(
            f"Expected size of input's dimension 1 to be divisible by the product of kernel_size, but "
            f"got input.size(1)={cols.shape[1]} and kernel_size={_pair(kernel_size)}."
        )
    count = output_lengths(output_size, kernel_size, stride, padding, dilation)
    if cols.shape[2] != count[0] * count[1]:
        raise RuntimeError(
            f"Given output_size={_pair(output_size)}, kernel_size={_pair(kernel_size)}, dilation={_pair(dilation)}, "
            f"padding={_pair(padding)}, stride={_pair(stride)}, expected size of input's dimension {self.ndim - 1} to "
            f"match the calculated number of sliding blocks {count[0]} * {count[1]} = {count[0] * count[1]}, but got "
            f"input.size({self.ndim - 1})={cols.shape[2]}."
        )
    blocks = cols.reshape(cols.shape[0], cols.shape[1] // area, *kernel_size, *count).transpose(1, 2, 3, 0, 4, 5)
    out = fold(blocks, output_size, kernel_size, stride, padding, dilation, count)
    out = np.ascontiguousarray(out.swapaxes(0, 1))
    return out if self.ndim == 3 else out[0]


def _pixel_shuffle(self: np.ndarray, upscale_factor: int) -> np.ndarray:
    r = upscale_factor
    if self.ndim < 3:
        raise RuntimeError(
            f"pixel_shuffle expects input to have at least 3 dimensions, but got input with {self.ndim} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"pixel_shuffle expects a positive upscale_factor, but got {r}")
    *lead, c, h, w = self.shape
    if c % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            f"but input.size(-3)={c} is not divisible by {r * r}"
        )
    n = len(lead)
    split = self.reshape(*lead, c // (r * r), r, r, h, w)
    order = (*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return np.ascontiguousarray(split.transpose(order)).reshape(*lead, c // (r * r), h * r, w * r)


def _pixel_unshuffle(self: np.ndarray, downscale_factor: int) -> np.ndarray:
    r = downscale_factor
    if self.ndim < 3:
        raise RuntimeError(
            f"pixel_unshuffle expects input to have at least 3 dimensions, but got input with {self.ndim} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"pixel_unshuffle expects a positive downscale_factor, but got {r}")
    *lead, c, h, w = self.shape
    for name, size, d in (("height", h, -2), ("width", w, -1)):
        if size % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({d})={size} is "
                f"not divisible by {r}"
            )
    if not self.size:
        return self.copy()
    n = len(lead)
    split = self.reshape(*lead, c, h // r, r, w // r, r)
    order = (*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return np.ascontiguousarray(split.transpose(order)).reshape(*lead, c * r * r, h // r, w // r)


def _channel_shuffle(self: np.ndarray, groups: int) -> np.ndarray:
    if self.ndim < 3:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(self.shape)}")
    if groups <= 0:
        raise RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    b, c, *space = self.shape
    if c % groups:
        raise RuntimeError(f"Number of channels must be divisible by groups. Got {c} channels and {groups} groups.")
    return self.reshape(b, groups, c // groups, *space).swapaxes(1, 2).reshape(self.shape)


_BLOCKS: dict[str, Any] = {"kernel_size": (2, 3), "dilation": (1, 2), "padding": (1, 0), "stride": (2, 1)}

IM2COL = Op(
    "im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor",
    _im2col,
    "Im2ColBackward0",
    {
        "self": Grad(
            lambda grad, self_sym_argsize_minus_2, self_sym_argsize_minus_1, kernel_size, dilation, padding, stride: (
                COL2IM(
                    grad,
                    (self_sym_argsize_minus_2, self_sym_argsize_minus_1),
                    kernel_size,
                    dilation,
                    padding,
                    stride,
                )
            ),
            r"\operatorname{fold}([[grad]])",
        )
    },
    r"\operatorname{unfold}([[self]])",
    where=(),
    samples=lambda rng: [{"self": rng.normal(size=s), **_BLOCKS} for s in ((2, 2, 5, 6), (1, 4, 5))],
)
COL2IM = Op(
    "col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) "
    "-> Tensor",
    only("fcbV", "col2im_out_cpu", _col2im),
    "Col2ImBackward0",
    {
        "self": Grad(
            lambda grad, kernel_size, dilation, padding, stride: IM2COL(grad, kernel_size, dilation, padding, stride),
            r"\operatorname{unfold}([[grad]])",
        )
    },
    r"\operatorname{fold}([[self]])",
    where=(),
    samples=lambda rng: [{"self": rng.normal(size=(2, 12, 6)), "output_size": (5, 6), **_BLOCKS}],
)
PIXEL_SHUFFLE = Op(
    "pixel_shuffle(Tensor self, int upscale_factor) -> Tensor",
    keeps_channels(_pixel_shuffle),
    "PixelShuffleBackward0",
    {
        "self": Grad(
            lambda grad, upscale_factor: PIXEL_UNSHUFFLE(grad, upscale_factor),
            r"\operatorname{unshuffle}([[grad]], [[upscale_factor]])",
        )
    },
    r"\operatorname{shuffle}([[self]], [[upscale_factor]])",
    where=("function", "nn"),
    samples=lambda rng: [{"self": rng.normal(size=(2, 8, 2, 3)), "upscale_factor": 2}],
)
PIXEL_UNSHUFFLE = Op(
    "pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor",
    keeps_channels(_pixel_unshuffle),
    "PixelUnshuffleBackward0",
    {
        "self": Grad(
            lambda grad, downscale_factor: PIXEL_SHUFFLE(grad, downscale_factor),
            r"\operatorname{shuffle}([[grad]], [[downscale_factor]])",
        )
    },
    r"\operatorname{unshuffle}([[self]], [[downscale_factor]])",
    where=("function", "nn"),
    samples=lambda rng: [{"self": rng.normal(size=(2, 4, 6)), "downscale_factor": 2}],
)
CHANNEL_SHUFFLE = Op(
    "channel_shuffle(Tensor self, SymInt groups) -> Tensor",
    keeps_channels(_channel_shuffle),
    "ChannelShuffleBackward0",
    {
        "self": Grad(
            lambda grad, self_sym_argsize_1, groups: CHANNEL_SHUFFLE(grad, self_sym_argsize_1 // groups),
            r"\operatorname{shuffle}([[grad]])",
        )
    },
    r"\operatorname{shuffle}([[self]], [[groups]])",
    where=("function", "nn"),
    samples=lambda rng: [{"self": rng.normal(size=(2, 6, 2)), "groups": 3}],
)
NATIVE_CHANNEL_SHUFFLE = Op(
    "native_channel_shuffle(Tensor self, SymInt groups) -> Tensor",
    _channel_shuffle,
    NODE,
    {"self": no_derivative("native_channel_shuffle")},
    r"\operatorname{shuffle}([[self]])",
    where=("function", "nn"),
    unchecked=REASON,
    example="torch.native_channel_shuffle(torch.arange(4.0).reshape(1, 4, 1), 2)",
)
