"""The log-normal distribution."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.normal import Normal
from engine.distributions.transformed_distribution import TransformedDistribution
from engine.distributions.transforms.numbers import ExpTransform


class LogNormal(TransformedDistribution):
    """exp of a normal number."""

    arg_constraints: ClassVar[dict[str, Any]] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive  # type: ignore[assignment]

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Normal(loc, scale, validate_args=validate_args), ExpTransform(), validate_args=validate_args)

    @property
    def loc(self) -> Any:
        """That of the base."""
        return self.base_dist.loc

    @property
    def scale(self) -> Any:
        """That of the base."""
        return self.base_dist.scale

    @property
    def mean(self) -> Any:
        """exp(loc + scale^2 / 2)"""
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self) -> Any:
        """exp(loc - scale^2)"""
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self) -> Any:
        """The expected squared distance from the mean."""
        square = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return self.base_dist.entropy() + self.loc


__all__ = ["LogNormal"]
