"""Equally likely numbers."""

import math
from typing import Any

from engine.distributions import constraints
from engine.distributions.distribution import Distribution, broadcast_all
from engine.nn.functional import VF


class Uniform(Distribution):
    """Equally likely numbers in [low, high)."""

    has_rsample = True

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None) -> None:
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.size(), validate_args=validate_args)

    @property
    def arg_constraints(self) -> dict[str, Any]:  # type: ignore[override]
        """low is below high."""
        return {
            "low": constraints.less_than(upper_bound=self.high),
            "high": constraints.greater_than(lower_bound=self.low),
        }

    @property
    def support(self) -> Any:  # type: ignore[override]
        """[low, high]"""
        return constraints.interval(lower_bound=self.low, upper_bound=self.high)

    @property
    def mean(self) -> Any:
        """The middle."""
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Any:
        """nan: all are equally likely."""
        return math.nan * self.high

    @property
    def stddev(self) -> Any:
        """The width over the square root of 12."""
        return (self.high - self.low) / 12**0.5

    @property
    def variance(self) -> Any:
        """The width squared over 12."""
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Numbers in [0, 1), scaled and shifted."""
        drawn = VF.rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        inside = self.low.le(value).type_as(self.low).mul(self.high.gt(value).type_as(self.low))
        return VF.log(inside) - VF.log(self.high - self.low)

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        self._validate_sample(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value: Any) -> Any:
        """The value that is not exceeded with a given probability."""
        return value * (self.high - self.low) + self.low

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return VF.log(self.high - self.low)


__all__ = ["Uniform"]
