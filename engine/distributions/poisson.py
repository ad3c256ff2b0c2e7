"""Counts."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import broadcast_all
from engine.distributions.exp_family import ExponentialFamily
from engine.modes import no_grad
from engine.nn.functional import VF


class Poisson(ExponentialFamily):
    """Counts with a mean rate."""

    arg_constraints: ClassVar[dict[str, Any]] = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        """rate"""
        return self.rate

    @property
    def mode(self) -> Any:
        """The rate, rounded down."""
        return self.rate.floor()

    @property
    def variance(self) -> Any:
        """rate"""
        return self.rate

    def sample(self, sample_shape: Any = ()) -> Any:
        """Counts."""
        with no_grad():
            return VF.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the probability."""
        self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()


__all__ = ["Poisson"]
