"""The Gumbel distribution."""

import math
from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import EULER, broadcast_all
from engine.distributions.transformed_distribution import TransformedDistribution
from engine.distributions.transforms.numbers import AffineTransform, ExpTransform
from engine.distributions.uniform import Uniform
from engine.dtypes import finfo
from engine.nn.functional import VF


class Gumbel(TransformedDistribution):
    """The largest of many exponential numbers."""

    arg_constraints: ClassVar[dict[str, Any]] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real  # type: ignore[assignment]

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        info = finfo(self.loc.dtype)
        low, high = VF.full_like(self.loc, info.tiny), VF.full_like(self.loc, 1 - info.eps)
        steps = [
            ExpTransform().inv,
            AffineTransform(loc=0, scale=-VF.ones_like(self.scale)),
            ExpTransform().inv,
            AffineTransform(loc=loc, scale=-self.scale),
        ]
        super().__init__(Uniform(low, high, validate_args=validate_args), steps, validate_args=validate_args)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        y = (self.loc - value) / self.scale
        return y - y.exp() - self.scale.log()

    @property
    def mean(self) -> Any:
        """loc + scale times Euler's constant"""
        return self.loc + self.scale * EULER

    @property
    def mode(self) -> Any:
        """The likeliest value."""
        return self.loc

    @property
    def stddev(self) -> Any:
        """pi scale / sqrt(6)"""
        return math.pi / math.sqrt(6) * self.scale

    @property
    def variance(self) -> Any:
        """The square of the standard deviation."""
        return self.stddev.pow(2)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return self.scale.log() + (1 + EULER)


__all__ = ["Gumbel"]
