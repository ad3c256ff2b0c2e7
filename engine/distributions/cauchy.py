"""The Cauchy distribution."""

import math
from typing import Any

from engine.distributions.location_scale import LocationScale
from engine.nn.functional import VF


class Cauchy(LocationScale):
    """Tails so heavy that there is no mean."""

    @property
    def mean(self) -> Any:
        """nan"""
        return VF.full(self._extended_shape(), math.nan, dtype=self.loc.dtype)

    @property
    def variance(self) -> Any:
        """inf"""
        return VF.full(self._extended_shape(), math.inf, dtype=self.loc.dtype)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Standard draws, scaled and shifted."""
        eps = VF.empty(self._extended_shape(sample_shape), dtype=self.loc.dtype).cauchy_()
        return self.loc + eps * self.scale

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        return -math.log(math.pi) - self.scale.log() - (((value - self.loc) / self.scale) ** 2).log1p()

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        self._validate_sample(value)
        return VF.atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value: Any) -> Any:
        """The value that is not exceeded with a given probability."""
        return VF.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return math.log(4 * math.pi) + self.scale.log()


__all__ = ["Cauchy"]
