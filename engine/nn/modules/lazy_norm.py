"""Batch and instance normalisation that take their channels from their first input."""

from typing import Any

from engine.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d, _BatchNorm, _NormBase
from engine.nn.modules.instancenorm import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, _InstanceNorm
from engine.nn.modules.lazy import LazyModuleMixin, uninitialized
from engine.nn.parameter import UninitializedBuffer


class _LazyNormBase(LazyModuleMixin, _NormBase):
    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        if affine:
            self.weight = uninitialized(dtype)
            if bias:
                self.bias = uninitialized(dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(dtype=dtype)
            self.running_var = UninitializedBuffer(dtype=dtype)

    def reset_parameters(self) -> None:
        """Once the number of channels is known."""
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Any) -> None:
        """Take the number of channels from an input."""
        if not self.has_uninitialized_params() and self.num_features:
            return
        self.num_features = input.shape[1]
        if self.affine:
            self.weight.materialize((self.num_features,))
            if self.bias is not None:
                self.bias.materialize((self.num_features,))
        if self.track_running_stats:
            self.running_mean.materialize((self.num_features,))
            self.running_var.materialize((self.num_features,))
        self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    """A BatchNorm1d that takes its channels from its first input."""

    cls_to_become = BatchNorm1d
    dimensions = BatchNorm1d.dimensions


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    """A BatchNorm2d that takes its channels from its first input."""

    cls_to_become = BatchNorm2d
    dimensions = BatchNorm2d.dimensions


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    """A BatchNorm3d that takes its channels from its first input."""

    cls_to_become = BatchNorm3d
    dimensions = BatchNorm3d.dimensions


class _LazyInstanceNorm(_LazyNormBase, _InstanceNorm):
    def __init__(
        self, eps: float = 1e-5, momentum: float = 0.1, affine: bool = True, track_running_stats: bool = True,
        device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(eps, momentum, affine, track_running_stats, device, dtype, bias=bias)


class LazyInstanceNorm1d(_LazyInstanceNorm):
    """An InstanceNorm1d that takes its channels from its first input."""

    cls_to_become = InstanceNorm1d
    dimensions = InstanceNorm1d.dimensions


class LazyInstanceNorm2d(_LazyInstanceNorm):
    """An InstanceNorm2d that takes its channels from its first input."""

    cls_to_become = InstanceNorm2d
    dimensions = InstanceNorm2d.dimensions


class LazyInstanceNorm3d(_LazyInstanceNorm):
    """An InstanceNorm3d that takes its channels from its first input."""

    cls_to_become = InstanceNorm3d
    dimensions = InstanceNorm3d.dimensions


__all__ = [
    "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d",
    "LazyInstanceNorm3d",
]  # fmt: skip
