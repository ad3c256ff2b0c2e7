"""Convolutions: https://docs.pytorch.org/docs/stable/nn.html#convolution-layers"""

import math
from typing import Any

from engine.nn import functional as F
from engine.nn import init
from engine.nn.modules.make import empty, repeated
from engine.nn.modules.module import Module
from engine.nn.parameter import Parameter


class _ConvNd(Module):
    """What all convolutions share. `spatial` is the number of dimensions besides batch and channels."""

    spatial = 0
    transposed = False
    weight: Any
    bias: Any

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        output_padding: Any,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        n = self.spatial
        kernel_size, stride, dilation = (repeated(v, n) for v in (kernel_size, stride, dilation))
        padding = padding if isinstance(padding, str) else repeated(padding, n)
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(s != 1 for s in stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        modes = {"zeros", "reflect", "replicate", "circular"}
        if padding_mode not in modes:
            raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode='{padding_mode}'")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size, self.stride, self.padding, self.dilation = kernel_size, stride, padding, dilation
        self.transposed = self.transposed  # as an attribute of its own, which `vars` shows
        self.output_padding = repeated(output_padding, n)
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = self._edges()
        channels = (in_channels, out_channels // groups) if self.transposed else (out_channels, in_channels // groups)
        self.weight = Parameter(empty((*channels, *kernel_size), device, dtype))
        if bias:
            self.bias = Parameter(empty(out_channels, device, dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def _edges(self) -> list[int]:
        """The padding as F.pad takes it: last dimension first, both sides of each."""
        if not isinstance(self.padding, str):
            return [p for p in reversed(self.padding) for _ in range(2)]
        edges = [0, 0] * self.spatial
        if self.padding == "same":
            for i, (d, k) in enumerate(zip(reversed(self.dilation), reversed(self.kernel_size), strict=True)):
                total = d * (k - 1)
                edges[2 * i], edges[2 * i + 1] = total // 2, total - total // 2
        return edges

    def reset_parameters(self) -> None:
        """Uniform values whose range falls with the number of inputs of a kernel."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * len(self.kernel_size):
            text += f", padding={self.padding}"
        if self.dilation != (1,) * len(self.kernel_size):
            text += f", dilation={self.dilation}"
        if self.output_padding != (0,) * len(self.kernel_size):
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


class _Conv(_ConvNd):
    function = ""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            0,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Any) -> Any:
        """The convolved input."""
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Any, weight: Any, bias: Any) -> Any:
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            padding = (0,) * self.spatial
        return getattr(F, self.function)(input, weight, bias, self.stride, padding, self.dilation, self.groups)


class Conv1d(_Conv):
    """Convolution of sequences."""

    spatial, function = 1, "conv1d"


class Conv2d(_Conv):
    """Convolution of images."""

    spatial, function = 2, "conv2d"


class Conv3d(_Conv):
    """Convolution of volumes."""

    spatial, function = 3, "conv3d"


class _ConvTransposeNd(_ConvNd):
    function = ""
    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, groups, bias,
            padding_mode, device, dtype,
        )  # fmt: skip

    def _output_padding(self, input: Any, output_size: Any) -> tuple[int, ...]:
        """The padding that gives an asked output size. Raises ValueError for a size that is out of reach."""
        if output_size is None:
            return self.output_padding
        n = self.spatial
        others = 2 if input.dim() == n + 2 else 1
        if len(output_size) == others + n:
            output_size = output_size[others:]
        if len(output_size) != n:
            raise ValueError(
                f"ConvTranspose{n}D: for {input.dim()}D input, output_size must have {n} or {others + n} elements (got "
                f"{len(output_size)})"
            )
        smallest, largest = [], []
        for d in range(n):
            size = (
                (input.size(d + input.dim() - n) - 1) * self.stride[d]
                - 2 * self.padding[d]
                + self.dilation[d] * (self.kernel_size[d] - 1)
                + 1
            )
            smallest.append(size)
            largest.append(size + self.stride[d] - 1)
        for size, low, high in zip(output_size, smallest, largest, strict=True):
            if not low <= size <= high:
                raise ValueError(
                    f"requested an output size of {output_size}, but valid sizes range from {smallest} to "
                    f"{largest} (for an "
                    f"input of {input.size()[2:]})"
                )
        return tuple(size - low for size, low in zip(output_size, smallest, strict=True))

    def forward(self, input: Any, output_size: Any = None) -> Any:
        """The input spread by the transposed convolution."""
        return getattr(F, self.function)(
            input, self.weight, self.bias, self.stride, self.padding, self._output_padding(input, output_size),
            self.groups, self.dilation,
        )  # fmt: skip


class ConvTranspose1d(_ConvTransposeNd):
    """Transposed convolution of sequences."""

    spatial, function = 1, "conv_transpose1d"


class ConvTranspose2d(_ConvTransposeNd):
    """Transposed convolution of images."""

    spatial, function = 2, "conv_transpose2d"


class ConvTranspose3d(_ConvTransposeNd):
    """Transposed convolution of volumes."""

    spatial, function = 3, "conv_transpose3d"


__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"]
