"""Probabilities made of normal numbers."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.normal import Normal
from engine.distributions.transformed_distribution import TransformedDistribution
from engine.distributions.transforms.vectors import StickBreakingTransform


class LogisticNormal(TransformedDistribution):
    """Probabilities made of normal numbers by breaking a stick."""

    arg_constraints: ClassVar[dict[str, Any]] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex  # type: ignore[assignment]

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)

    @property
    def loc(self) -> Any:
        """That of the base."""
        return self.base_dist.base_dist.loc

    @property
    def scale(self) -> Any:
        """That of the base."""
        return self.base_dist.base_dist.scale


__all__ = ["LogisticNormal"]
