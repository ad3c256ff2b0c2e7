"""Continuous distributions: normal, uniform, exponential, Laplace, log-normal."""

import math
from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import Distribution, broadcast_all
from engine.dtypes import finfo
from engine.modes import no_grad
from engine.nn.functional import VF


class Normal(Distribution):
    """The normal distribution of a mean `loc` and a standard deviation `scale`."""

    arg_constraints: ClassVar[dict[str, Any]] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        """loc"""
        return self.loc

    @property
    def mode(self) -> Any:
        """loc"""
        return self.loc

    @property
    def stddev(self) -> Any:
        """scale"""
        return self.scale

    @property
    def variance(self) -> Any:
        """scale squared"""
        return self.stddev.pow(2)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws, without a gradient."""
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return VF.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Standard normal draws, scaled and shifted."""
        shape = self._extended_shape(sample_shape)
        eps = VF.normal(VF.zeros(shape, dtype=self.loc.dtype), VF.ones(shape, dtype=self.loc.dtype))
        return self.loc + eps * self.scale

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        var = self.scale**2
        return -((value - self.loc) ** 2) / (2 * var) - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        self._validate_sample(value)
        return 0.5 * (1 + VF.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value: Any) -> Any:
        """The value that is not exceeded with a given probability."""
        return self.loc + self.scale * VF.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return 0.5 + 0.5 * math.log(2 * math.pi) + VF.log(self.scale)


class LogNormal(Normal):
    """exp of a normal number."""

    support = constraints.positive

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws, without a gradient."""
        with no_grad():
            return super().rsample(sample_shape).exp()

    def rsample(self, sample_shape: Any = ()) -> Any:
        """exp of normal draws."""
        return super().rsample(sample_shape).exp()

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        log = value.log()
        return Normal(self.loc, self.scale, False).log_prob(log) - log

    @property
    def mean(self) -> Any:
        """exp(loc + scale^2 / 2)"""
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def variance(self) -> Any:
        """The expected squared distance from the mean."""
        square = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()

    @property
    def stddev(self) -> Any:
        """The square root of the variance."""
        return self.variance.sqrt()

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return super().entropy() + self.loc


class Uniform(Distribution):
    """Equally likely numbers in [low, high)."""

    has_rsample = True

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None) -> None:
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.size(), validate_args=validate_args)

    @property
    def arg_constraints(self) -> dict[str, Any]:  # type: ignore[override]
        """low is below high."""
        return {
            "low": constraints.less_than(upper_bound=self.high),
            "high": constraints.greater_than(lower_bound=self.low),
        }

    @property
    def support(self) -> Any:  # type: ignore[override]
        """[low, high]"""
        return constraints.interval(lower_bound=self.low, upper_bound=self.high)

    @property
    def mean(self) -> Any:
        """The middle."""
        return (self.high + self.low) / 2

    @property
    def stddev(self) -> Any:
        """The width over the square root of 12."""
        return (self.high - self.low) / 12**0.5

    @property
    def variance(self) -> Any:
        """The width squared over 12."""
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Numbers in [0, 1), scaled and shifted."""
        drawn = VF.rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        inside = self.low.le(value).type_as(self.low).mul(self.high.gt(value).type_as(self.low))
        return VF.log(inside) - VF.log(self.high - self.low)

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        self._validate_sample(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return VF.log(self.high - self.low)


class Exponential(Distribution):
    """Waiting times at a rate."""

    arg_constraints: ClassVar[dict[str, Any]] = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        """1 / rate"""
        return self.rate.reciprocal()

    @property
    def variance(self) -> Any:
        """1 / rate^2"""
        return self.rate.pow(-2)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Standard waiting times over the rate."""
        return VF.empty(self._extended_shape(sample_shape), dtype=self.rate.dtype).exponential_() / self.rate

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        return 1 - VF.exp(-self.rate * value)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return 1.0 - VF.log(self.rate)


class Laplace(Distribution):
    """Two exponential tails around `loc`."""

    arg_constraints: ClassVar[dict[str, Any]] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        """loc"""
        return self.loc

    @property
    def variance(self) -> Any:
        """2 scale^2"""
        return 2 * self.scale.pow(2)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws through which the parameters receive gradients."""
        shape = self._extended_shape(sample_shape)
        smallest = finfo(self.loc.dtype).eps - 1
        u = VF.empty(shape, dtype=self.loc.dtype).uniform_(smallest, 1)
        return self.loc - self.scale * u.sign() * VF.log1p(-u.abs())

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        return -VF.log(2 * self.scale) - VF.abs(value - self.loc) / self.scale

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return 1 + VF.log(2 * self.scale)


__all__ = ["Exponential", "Laplace", "LogNormal", "Normal", "Uniform"]
