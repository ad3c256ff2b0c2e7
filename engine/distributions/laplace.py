"""The Laplace distribution."""

from typing import Any

from engine.distributions.location_scale import LocationScale
from engine.dtypes import finfo
from engine.nn.functional import VF


class Laplace(LocationScale):
    """Two exponential tails around `loc`."""

    @property
    def stddev(self) -> Any:
        """sqrt(2) scale"""
        return 2**0.5 * self.scale

    @property
    def variance(self) -> Any:
        """2 scale^2"""
        return 2 * self.scale.pow(2)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws through which the parameters receive gradients."""
        shape = self._extended_shape(sample_shape)
        smallest = finfo(self.loc.dtype).eps - 1
        u = VF.empty(shape, dtype=self.loc.dtype).uniform_(smallest, 1)
        return self.loc - self.scale * u.sign() * VF.log1p(-u.abs())

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        return -VF.log(2 * self.scale) - VF.abs(value - self.loc) / self.scale

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        self._validate_sample(value)
        apart = value - self.loc
        return 0.5 - 0.5 * apart.sign() * VF.expm1(-apart.abs() / self.scale)

    def icdf(self, value: Any) -> Any:
        """The value that is not exceeded with a given probability."""
        term = value - 0.5
        return self.loc - self.scale * term.sign() * VF.log1p(-2 * term.abs())

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return 1 + VF.log(2 * self.scale)


__all__ = ["Laplace"]
