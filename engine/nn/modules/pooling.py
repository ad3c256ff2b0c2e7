"""Pooling."""

from typing import Any

from engine.nn import functional as F
from engine.nn.modules.make import repeated
from engine.nn.modules.module import Module


class _MaxPoolNd(Module):
    function = ""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input: Any) -> Any:
        """The largest value of each window."""
        return getattr(F, self.function)(
            input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )  # fmt: skip

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPoolNd):
    """The largest values of windows of a sequence."""

    function = "max_pool1d"


class MaxPool2d(_MaxPoolNd):
    """The largest values of windows of an image."""

    function = "max_pool2d"


class MaxPool3d(_MaxPoolNd):
    """The largest values of windows of a volume."""

    function = "max_pool3d"


class _MaxUnpoolNd(Module):
    function, spatial = "", 0

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        n = self.spatial
        self.kernel_size = repeated(kernel_size, n)
        self.stride = repeated(stride if stride is not None else kernel_size, n)
        self.padding = repeated(padding, n)

    def forward(self, input: Any, indices: Any, output_size: Any = None) -> Any:
        """The values back where the indices say, zeros elsewhere."""
        return getattr(F, self.function)(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpoolNd):
    """Undoes MaxPool1d, but for what was lost."""

    function, spatial = "max_unpool1d", 1


class MaxUnpool2d(_MaxUnpoolNd):
    """Undoes MaxPool2d, but for what was lost."""

    function, spatial = "max_unpool2d", 2


class MaxUnpool3d(_MaxUnpoolNd):
    """Undoes MaxPool3d, but for what was lost."""

    function, spatial = "max_unpool3d", 3


class _AvgPoolNd(Module):
    kernel_size: Any
    stride: Any
    padding: Any

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(_AvgPoolNd):
    """Means of windows of a sequence."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = repeated(kernel_size, 1)
        self.stride = repeated(stride if stride is not None else kernel_size, 1)
        self.padding = repeated(padding, 1)
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input: Any) -> Any:
        """The mean of each window."""
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


class _AvgPoolOver(_AvgPoolNd):
    function = ""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding, self.ceil_mode, self.count_include_pad = padding, ceil_mode, count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Any) -> Any:
        """The mean of each window."""
        return getattr(F, self.function)(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool2d(_AvgPoolOver):
    """Means of windows of an image."""

    function = "avg_pool2d"


class AvgPool3d(_AvgPoolOver):
    """Means of windows of a volume."""

    function = "avg_pool3d"


class _LPPoolNd(Module):
    function = ""

    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> None:
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, ceil_mode

    def forward(self, input: Any) -> Any:
        """The norm of each window."""
        return getattr(F, self.function)(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"ceil_mode={self.ceil_mode}"
        )


class LPPool1d(_LPPoolNd):
    """Norms of windows of a sequence."""

    function = "lp_pool1d"


class LPPool2d(_LPPoolNd):
    """Norms of windows of an image."""

    function = "lp_pool2d"


class LPPool3d(_LPPoolNd):
    """Norms of windows of a volume."""

    function = "lp_pool3d"


class _AdaptivePool(Module):
    function = ""

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class _AdaptiveAvgPoolNd(_AdaptivePool):
    def forward(self, input: Any) -> Any:
        """Windows such that the output has its size."""
        return getattr(F, self.function)(input, self.output_size)


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """Means, to a given length."""

    function = "adaptive_avg_pool1d"


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """Means, to a given height and width."""

    function = "adaptive_avg_pool2d"


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """Means, to a given depth, height and width."""

    function = "adaptive_avg_pool3d"


class _AdaptiveMaxPoolNd(_AdaptivePool):
    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Any) -> Any:
        """Windows such that the output has its size."""
        return getattr(F, self.function)(input, self.output_size, self.return_indices)


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """Largest values, to a given length."""

    function = "adaptive_max_pool1d"


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """Largest values, to a given height and width."""

    function = "adaptive_max_pool2d"


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """Largest values, to a given depth, height and width."""

    function = "adaptive_max_pool3d"


__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "LPPool1d", "LPPool2d", "LPPool3d", "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d",
]  # fmt: skip
