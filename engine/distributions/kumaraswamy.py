"""The Kumaraswamy distribution."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import EULER, broadcast_all
from engine.distributions.transformed_distribution import TransformedDistribution
from engine.distributions.transforms.numbers import AffineTransform, PowerTransform
from engine.distributions.uniform import Uniform
from engine.nn.functional import VF


def _moment(a: Any, b: Any, n: int) -> Any:
    """The expected n-th power."""
    shift = 1 + n / a
    return VF.exp(b.log() + VF.lgamma(shift) + VF.lgamma(b) - VF.lgamma(shift + b))


class Kumaraswamy(TransformedDistribution):
    """Numbers between 0 and 1, much like those of a Beta distribution, whose draws have a closed form."""

    arg_constraints: ClassVar[dict[str, Any]] = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support = constraints.unit_interval  # type: ignore[assignment]

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None) -> None:
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        base = Uniform(
            VF.full_like(self.concentration0, 0), VF.full_like(self.concentration0, 1), validate_args=validate_args
        )
        steps = [
            PowerTransform(exponent=self.concentration0.reciprocal()),
            AffineTransform(loc=1.0, scale=-1.0),
            PowerTransform(exponent=self.concentration1.reciprocal()),
        ]
        super().__init__(base, steps, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape."""
        new = super().expand(batch_shape)
        new.concentration1 = self.concentration1.expand(batch_shape)
        new.concentration0 = self.concentration0.expand(batch_shape)
        return new

    @property
    def mean(self) -> Any:
        """The expected value."""
        return _moment(self.concentration1, self.concentration0, 1)

    @property
    def mode(self) -> Any:
        """The likeliest value; nan where the density has no peak inside."""
        a, b = self.concentration1, self.concentration0
        log_mode = a.reciprocal() * VF.log1p(-b) - VF.log1p(-a * b)
        log_mode[(a < 1) | (b < 1)] = float("nan")
        return log_mode.exp()

    @property
    def variance(self) -> Any:
        """The expected squared distance from the mean."""
        return _moment(self.concentration1, self.concentration0, 2) - self.mean.pow(2)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        a, b = self.concentration1.reciprocal(), self.concentration0.reciprocal()
        harmonic = VF.digamma(self.concentration0 + 1) + EULER
        return (1 - b) + (1 - a) * harmonic + VF.log(a) + VF.log(b)


__all__ = ["Kumaraswamy"]
