"""The normal distribution."""

import math
from typing import Any

from engine.distributions.distribution import standard_normal
from engine.distributions.exp_family import ExponentialFamily
from engine.distributions.location_scale import LocationScale
from engine.modes import no_grad
from engine.nn.functional import VF


class Normal(LocationScale, ExponentialFamily):
    """The normal distribution of a mean `loc` and a standard deviation `scale`."""

    @property
    def stddev(self) -> Any:
        """scale"""
        return self.scale

    @property
    def variance(self) -> Any:
        """scale squared"""
        return self.stddev.pow(2)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws, without a gradient."""
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return VF.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Standard normal draws, scaled and shifted."""
        shape = self._extended_shape(sample_shape)
        eps = standard_normal(shape, self.loc.dtype)
        return self.loc + eps * self.scale

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        var = self.scale**2
        return -((value - self.loc) ** 2) / (2 * var) - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        self._validate_sample(value)
        return 0.5 * (1 + VF.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value: Any) -> Any:
        """The value that is not exceeded with a given probability."""
        return self.loc + self.scale * VF.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return 0.5 + 0.5 * math.log(2 * math.pi) + VF.log(self.scale)


__all__ = ["Normal"]
