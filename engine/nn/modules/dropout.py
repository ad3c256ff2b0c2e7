"""Dropout and its kin."""

from typing import Any

from engine.nn import functional as F
from engine.nn.modules.module import Module


class _DropoutNd(Module):
    """Zeroes at random with probability p while training."""

    function = ""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """The input, thinned out while training."""
        return getattr(F, self.function)(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """Zeroes elements, and scales the rest by 1 / (1 - p)."""

    function = "dropout"


class Dropout1d(_DropoutNd):
    """Zeroes whole channels of sequences."""

    function = "dropout1d"


class Dropout2d(_DropoutNd):
    """Zeroes whole channels of images."""

    function = "dropout2d"


class Dropout3d(_DropoutNd):
    """Zeroes whole channels of volumes."""

    function = "dropout3d"


class AlphaDropout(_DropoutNd):
    """Dropout that keeps mean and variance, for SELU networks."""

    function = "alpha_dropout"

    def forward(self, input: Any) -> Any:
        """The input, thinned out while training."""
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """Alpha dropout of whole channels."""

    function = "feature_alpha_dropout"

    def forward(self, input: Any) -> Any:
        """The input, thinned out while training."""
        return F.feature_alpha_dropout(input, self.p, self.training)


__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]
