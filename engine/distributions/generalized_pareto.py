"""The generalized Pareto distribution: what lies beyond a threshold."""

import math
from typing import Any, ClassVar

from engine.creation import tensor
from engine.distributions import constraints
from engine.distributions.distribution import Distribution, broadcast_all
from engine.nn.functional import VF


class GeneralizedPareto(Distribution):
    """Numbers above `loc`, with a tail that is heavy for a positive `concentration` and ends for a negative one."""

    arg_constraints: ClassVar[dict[str, Any]] = {
        "loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real,
    }  # fmt: skip
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.size(), validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws through which the parameters receive gradients."""
        return self.icdf(VF.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype))

    def _distance(self, value: Any) -> Any:
        return (value - self.loc) / self.scale

    def _shape(self, zero: Any) -> tuple[Any, Any]:
        """Where the tail is exponential, and the concentration with 1 in those places."""
        flat = VF.isclose(self.concentration, zero)
        return flat, VF.where(flat, VF.ones_like(self.concentration), self.concentration)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        z = self._distance(value)
        flat, shape = self._shape(tensor(0.0))
        power = 1 / shape + VF.ones_like(z)
        curved = VF.where(power == 0, power, power * VF.log1p(shape * z))
        return -self.scale.log() - VF.where(flat, z, curved)

    def log_survival_function(self, value: Any) -> Any:
        """The logarithm of the probability of more than `value`."""
        self._validate_sample(value)
        z = self._distance(value)
        flat, shape = self._shape(tensor(0.0))
        return VF.where(flat, -z, -VF.log1p(shape * z) / shape)

    def log_cdf(self, value: Any) -> Any:
        """The logarithm of the probability of at most `value`."""
        return VF.log1p(-VF.exp(self.log_survival_function(value)))

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        return VF.exp(self.log_cdf(value))

    def icdf(self, value: Any) -> Any:
        """The value that is not exceeded with a given probability."""
        flat, shape = self._shape(VF.zeros_like(self.concentration))
        log_rest = VF.log1p(-value)
        curved = self.loc + self.scale / shape * VF.expm1(-shape * log_rest)
        return VF.where(flat, self.loc - self.scale * log_rest, curved)

    @property
    def mean(self) -> Any:
        """The expected value; nan where there is none."""
        exists = self.concentration < 1
        shape = VF.where(exists, self.concentration, 0.5)
        return VF.where(exists, self.loc + self.scale / (1 - shape), math.nan)

    @property
    def variance(self) -> Any:
        """The expected squared distance from the mean; nan where there is none."""
        exists = self.concentration < 0.5
        shape = VF.where(exists, self.concentration, 0.25)
        return VF.where(exists, self.scale**2 / ((1 - shape) ** 2 * (1 - 2 * shape)), math.nan)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return VF.broadcast_to(VF.log(self.scale) + self.concentration + 1, self._batch_shape)

    @property
    def mode(self) -> Any:
        """The likeliest value: the threshold."""
        return self.loc

    @property
    def support(self) -> Any:  # type: ignore[override]
        """From the threshold to where the tail ends."""
        end = VF.where(self.concentration < 0, self.loc - self.scale / self.concentration, math.inf)
        return constraints.interval(self.loc, end)


__all__ = ["GeneralizedPareto"]
