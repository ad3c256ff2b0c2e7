"""Pooling whose windows begin at random steps."""

from typing import Any

from engine.nn import functional as F
from engine.nn.modules.make import repeated
from engine.nn.modules.module import Module


class _FractionalMaxPoolNd(Module):
    function, spatial = "", 0
    _random_samples: Any

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:
        super().__init__()
        n = self.spatial
        self.kernel_size = repeated(kernel_size, n)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = repeated(output_size, n) if output_size is not None else None
        self.output_ratio = repeated(output_ratio, n) if output_ratio is not None else None
        if output_size is None and output_ratio is None:
            raise ValueError(f"FractionalMaxPool{n}d requires specifying either an output size, or a pooling ratio")
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if self.output_ratio is not None and not all(0 < self.output_ratio[d] < 1 for d in range(n)):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def forward(self, input: Any) -> Any:
        """The largest value of each window."""
        return getattr(F, self.function)(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
            _random_samples=self._random_samples,
        )  # fmt: skip


class FractionalMaxPool2d(_FractionalMaxPoolNd):
    """The largest values of so many windows of an image, or of a share of its size."""

    function, spatial = "fractional_max_pool2d", 2


class FractionalMaxPool3d(_FractionalMaxPoolNd):
    """The largest values of so many windows of a volume, or of a share of its size."""

    function, spatial = "fractional_max_pool3d", 3

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:
        if any(k <= 0 for k in (kernel_size if isinstance(kernel_size, tuple | list) else (kernel_size,))):
            raise ValueError(f"kernel_size must be greater than 0, but got {kernel_size}")
        super().__init__(kernel_size, output_size, output_ratio, return_indices, _random_samples)


__all__ = ["FractionalMaxPool2d", "FractionalMaxPool3d"]
