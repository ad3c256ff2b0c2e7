"""The gamma distribution."""

from typing import Any, ClassVar

from engine.creation import as_tensor
from engine.distributions import constraints
from engine.distributions.distribution import broadcast_all
from engine.distributions.exp_family import ExponentialFamily
from engine.dtypes import finfo
from engine.nn.functional import VF


class Gamma(ExponentialFamily):
    """The time until `concentration` events, at a rate; the number of events need not be whole."""

    arg_constraints: ClassVar[dict[str, Any]] = {
        "concentration": constraints.positive, "rate": constraints.positive,
    }  # fmt: skip
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0  # type: ignore[assignment]

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape."""
        new = self._with_shape(batch_shape)
        new.concentration = self.concentration.expand(batch_shape)
        new.rate = self.rate.expand(batch_shape)
        return new

    @property
    def mean(self) -> Any:
        """concentration / rate"""
        return self.concentration / self.rate

    @property
    def mode(self) -> Any:
        """(concentration - 1) / rate, at least 0"""
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Any:
        """concentration / rate^2"""
        return self.concentration / self.rate.pow(2)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws of rate 1 over the rate; the shape receives its gradient implicitly."""
        shape = self._extended_shape(sample_shape)
        value = VF._standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        value.detach().clamp_(min=finfo(value.dtype).tiny)
        return value

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        value = as_tensor(value, dtype=self.rate.dtype)
        self._validate_sample(value)
        shape, rate = self.concentration, self.rate
        return VF.xlogy(shape, rate) + VF.xlogy(shape - 1, value) - rate * value - VF.lgamma(shape)

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        self._validate_sample(value)
        return VF.igamma(self.concentration, self.rate * value)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        shape = self.concentration
        return shape - VF.log(self.rate) + VF.lgamma(shape) + (1.0 - shape) * VF.digamma(shape)

    @property
    def _natural_params(self) -> Any:
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, x: Any, y: Any) -> Any:  # type: ignore[override]
        return VF.lgamma(x + 1) + (x + 1) * VF.log(-y.reciprocal())


__all__ = ["Gamma"]
