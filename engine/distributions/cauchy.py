"""The Cauchy distribution."""

import math
from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import Distribution, broadcast_all
from engine.nn.functional import VF


class Cauchy(Distribution):
    """Tails so heavy that there is no mean."""

    arg_constraints: ClassVar[dict[str, Any]] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        """nan"""
        return VF.full(self._extended_shape(), math.nan, dtype=self.loc.dtype)

    @property
    def mode(self) -> Any:
        """loc"""
        return self.loc

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
