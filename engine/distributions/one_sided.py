"""What the sizes of symmetric numbers share."""

import math
from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.transformed_distribution import TransformedDistribution
from engine.distributions.transforms.numbers import AbsTransform
from engine.nn.functional import VF


class OneSided(TransformedDistribution):
    """The size of a number that is symmetric about 0."""

    arg_constraints: ClassVar[dict[str, Any]] = {"scale": constraints.positive}
    support = constraints.nonnegative  # type: ignore[assignment]
    base: type[Any]

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(self.base(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args)

    @property
    def scale(self) -> Any:
        """That of the base."""
        return self.base_dist.scale

    @property
    def mode(self) -> Any:
        """0"""
        return VF.zeros_like(self.scale)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        return VF.where(value >= 0, self.base_dist.log_prob(value) + math.log(2), -math.inf)

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob: Any) -> Any:  # type: ignore[override]  # PyTorch's name for it
        """The value that is not exceeded with a given probability."""
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return self.base_dist.entropy() - math.log(2)
