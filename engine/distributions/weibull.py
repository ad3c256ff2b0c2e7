"""The Weibull distribution."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import EULER, broadcast_all
from engine.distributions.exponential import Exponential
from engine.distributions.transformed_distribution import TransformedDistribution
from engine.distributions.transforms.numbers import AffineTransform, PowerTransform
from engine.nn.functional import VF


class Weibull(TransformedDistribution):
    """Lifetimes whose hazard grows with power `concentration` - 1."""

    arg_constraints: ClassVar[dict[str, Any]] = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive  # type: ignore[assignment]

    def __init__(self, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        steps = [
            PowerTransform(exponent=self.concentration_reciprocal),
            AffineTransform(loc=0, scale=self.scale),
        ]
        base = Exponential(VF.ones_like(self.scale), validate_args=validate_args)
        super().__init__(base, steps, validate_args=validate_args)

    @property
    def mean(self) -> Any:
        """scale Gamma(1 + 1 / concentration)"""
        return self.scale * VF.exp(VF.lgamma(1 + self.concentration_reciprocal))

    @property
    def mode(self) -> Any:
        """The likeliest value."""
        return self.scale * ((self.concentration - 1) / self.concentration) ** self.concentration.reciprocal()

    @property
    def variance(self) -> Any:
        """The expected squared distance from the mean."""
        first = VF.lgamma(1 + self.concentration_reciprocal)
        return self.scale.pow(2) * (VF.exp(VF.lgamma(1 + 2 * self.concentration_reciprocal)) - VF.exp(2 * first))

    def entropy(self) -> Any:
        """The entropy, in nats."""
        shape = self.concentration_reciprocal
        return EULER * (1 - shape) + VF.log(self.scale * shape) + 1


__all__ = ["Weibull"]
