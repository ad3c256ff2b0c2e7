"""Instance normalisation: every channel of every sample by itself."""

from typing import Any

from engine.nn import functional as F
from engine.nn.modules.batchnorm import _NormBase
from engine.warning import warn


class _InstanceNorm(_NormBase):
    dimensions: tuple[int, int] = (0, 0)  # without and with the batch

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _apply_norm(self, input: Any) -> Any:
        return F.instance_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            self.momentum if self.momentum is not None else 0.0,
            self.eps,
        )

    def forward(self, input: Any) -> Any:
        """The normalised input. Raises ValueError for another number of dimensions or, when affine, of channels."""
        without, batched = self.dimensions
        if input.dim() not in self.dimensions:
            raise ValueError(f"expected {without}D or {batched}D input (got {input.dim()}D input)")
        channel = input.dim() - batched + 1
        if input.size(channel) != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={channel} to match num_features ({self.num_features}), but got: "
                    f"{input.size(channel)}."
                )
            warn(
                f"input's size at dim={channel} does not match num_features. You can silence this warning by not "
                "passing in "
                "num_features, which is not used because affine=False"
            )
        if input.dim() == without:
            return self._apply_norm(input.unsqueeze(0)).squeeze(0)
        return self._apply_norm(input)


class InstanceNorm1d(_InstanceNorm):
    """Instance normalisation of (N, C, L) or (C, L)."""

    dimensions = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """Instance normalisation of (N, C, H, W) or (C, H, W)."""

    dimensions = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """Instance normalisation of (N, C, D, H, W) or (C, D, H, W)."""

    dimensions = (4, 5)


__all__ = ["InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"]
