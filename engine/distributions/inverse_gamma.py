"""The inverse gamma distribution."""

import math
from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.gamma import Gamma
from engine.distributions.transformed_distribution import TransformedDistribution
from engine.distributions.transforms.numbers import PowerTransform
from engine.nn.functional import VF


class InverseGamma(TransformedDistribution):
    """1 over a gamma number."""

    arg_constraints: ClassVar[dict[str, Any]] = {
        "concentration": constraints.positive, "rate": constraints.positive,
    }  # fmt: skip
    support = constraints.positive  # type: ignore[assignment]
    has_rsample = True  # type: ignore[assignment]

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args=validate_args)

    @property
    def concentration(self) -> Any:
        """The gamma number's."""
        return self.base_dist.concentration

    @property
    def rate(self) -> Any:
        """The gamma number's."""
        return self.base_dist.rate

    @property
    def mean(self) -> Any:
        """rate / (concentration - 1); inf for a concentration of at most 1"""
        return VF.where(self.concentration > 1, self.rate / (self.concentration - 1), math.inf)

    @property
    def mode(self) -> Any:
        """rate / (concentration + 1)"""
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Any:
        """inf for a concentration of at most 2"""
        shape = self.concentration
        return VF.where(shape > 2, self.rate.square() / ((shape - 1).square() * (shape - 2)), math.inf)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        shape = self.concentration
        return shape + self.rate.log() + shape.lgamma() - (1 + shape) * shape.digamma()


__all__ = ["InverseGamma"]
