"""Waiting times."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import broadcast_all
from engine.distributions.exp_family import ExponentialFamily
from engine.nn.functional import VF


class Exponential(ExponentialFamily):
    """Waiting times at a rate."""

    arg_constraints: ClassVar[dict[str, Any]] = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        """1 / rate"""
        return self.rate.reciprocal()

    @property
    def mode(self) -> Any:
        """0"""
        return VF.zeros_like(self.rate)

    @property
    def stddev(self) -> Any:
        """1 / rate"""
        return self.rate.reciprocal()

    @property
    def variance(self) -> Any:
        """1 / rate^2"""
        return self.rate.pow(-2)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Standard waiting times over the rate."""
        return VF.empty(self._extended_shape(sample_shape), dtype=self.rate.dtype).exponential_() / self.rate

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        return 1 - VF.exp(-self.rate * value)

    def icdf(self, value: Any) -> Any:
        """The value that is not exceeded with a given probability."""
        return -VF.log1p(-value) / self.rate

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return 1.0 - VF.log(self.rate)


__all__ = ["Exponential"]
