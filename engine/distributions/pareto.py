"""The Pareto distribution."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import broadcast_all
from engine.distributions.exponential import Exponential
from engine.distributions.transformed_distribution import TransformedDistribution
from engine.distributions.transforms.numbers import AffineTransform, ExpTransform


class Pareto(TransformedDistribution):
    """Sizes above `scale`, with a tail of power `alpha`."""

    arg_constraints: ClassVar[dict[str, Any]] = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale: Any, alpha: Any, validate_args: bool | None = None) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        steps = [ExpTransform(), AffineTransform(loc=0, scale=self.scale)]
        super().__init__(Exponential(self.alpha, validate_args=validate_args), steps, validate_args=validate_args)

    @property
    def mean(self) -> Any:
        """alpha scale / (alpha - 1), inf for an alpha of at most 1"""
        a = self.alpha.clamp(min=1)
        return a * self.scale / (a - 1)

    @property
    def mode(self) -> Any:
        """The likeliest value."""
        return self.scale

    @property
    def variance(self) -> Any:
        """inf for an alpha of at most 2"""
        a = self.alpha.clamp(min=2)
        return self.scale.pow(2) * a / ((a - 1).pow(2) * (a - 2))

    @property
    def support(self) -> Any:  # type: ignore[override]
        """From the scale on."""
        return constraints.greater_than_eq(lower_bound=self.scale)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


__all__ = ["Pareto"]
