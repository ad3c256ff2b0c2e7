"""The continuous Bernoulli distribution: brightness between 0 and 1, with a Bernoulli's likelihood made a density."""

import math
from typing import Any

from engine.distributions import constraints
from engine.distributions.by_probabilities import OfTwo, clamp_probs
from engine.distributions.distribution import broadcast_all
from engine.distributions.exp_family import ExponentialFamily
from engine.modes import no_grad
from engine.nn import functional as F
from engine.nn.functional import VF


class ContinuousBernoulli(OfTwo, ExponentialFamily):
    """Numbers from 0 to 1. Where `probs` is within `lims`, formulas that would divide by 0 at 1/2 are expanded."""

    support = constraints.unit_interval
    _mean_carrier_measure = 0  # type: ignore[assignment]
    has_rsample = True

    def __init__(
        self,
        probs: Any = None,
        logits: Any = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        (self._param,) = broadcast_all(self._take(probs, logits))
        if probs is None:
            self.logits = self._param
        else:
            if validate_args is not None and not bool(constraints.unit_interval.check(self._param).all()):
                raise ValueError("The parameter probs has invalid values")
            self.probs = self._param = clamp_probs(self._param)
        self._lims = lims
        super(OfTwo, self).__init__(self._param.size(), validate_args=validate_args)

    def _probs_of(self, logits: Any) -> Any:
        return clamp_probs(VF.sigmoid(logits))

    def _steady(self) -> Any:
        """Where the closed formulas hold."""
        return VF.max(VF.le(self.probs, self._lims[0]), VF.gt(self.probs, self._lims[1]))

    def _steady_probs(self) -> Any:
        """The probabilities, those near 1/2 replaced by one that the closed formulas take."""
        return VF.where(self._steady(), self.probs, self._lims[0] * VF.ones_like(self.probs))

    def _log_norm(self) -> Any:
        """The logarithm of what the likelihood is multiplied by to be a density."""
        cut = self._steady_probs()
        below = VF.where(VF.le(cut, 0.5), cut, VF.zeros_like(cut))
        above = VF.where(VF.ge(cut, 0.5), cut, VF.ones_like(cut))
        log_norm = VF.log(VF.abs(VF.log1p(-cut) - VF.log(cut))) - VF.where(
            VF.le(cut, 0.5), VF.log1p(-2.0 * below), VF.log(2.0 * above - 1.0)
        )
        x = VF.pow(self.probs - 0.5, 2)
        expanded = math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x
        return VF.where(self._steady(), log_norm, expanded)

    @property
    def mean(self) -> Any:
        """The expected value, which is not `probs`."""
        cut = self._steady_probs()
        means = cut / (2.0 * cut - 1.0) + 1.0 / (VF.log1p(-cut) - VF.log(cut))
        x = self.probs - 0.5
        expanded = 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * VF.pow(x, 2)) * x
        return VF.where(self._steady(), means, expanded)

    @property
    def variance(self) -> Any:
        """The expected squared distance from the mean."""
        cut = self._steady_probs()
        squares = cut * (cut - 1.0) / VF.pow(1.0 - 2.0 * cut, 2)
        variances = squares + 1.0 / VF.pow(VF.log1p(-cut) - VF.log(cut), 2)
        x = VF.pow(self.probs - 0.5, 2)
        expanded = 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x
        return VF.where(self._steady(), variances, expanded)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws, without a gradient."""
        drawn = self._uniform(sample_shape)
        with no_grad():
            return self.icdf(drawn)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws through which the parameter receives gradients."""
        return self.icdf(self._uniform(sample_shape))

    def _uniform(self, sample_shape: Any) -> Any:
        return VF.rand(self._extended_shape(sample_shape), dtype=self.probs.dtype)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction="none") + self._log_norm()

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        self._validate_sample(value)
        cut = self._steady_probs()
        steep = VF.pow(cut, value) * VF.pow(1.0 - cut, 1.0 - value)
        within = VF.where(self._steady(), (steep + cut - 1.0) / (2.0 * cut - 1.0), value)
        below_one = VF.where(VF.ge(value, 1.0), VF.ones_like(value), within)
        return VF.where(VF.le(value, 0.0), VF.zeros_like(value), below_one)

    def icdf(self, value: Any) -> Any:
        """The value that is not exceeded with a given probability."""
        cut = self._steady_probs()
        rise = VF.log1p(-cut + value * (2.0 * cut - 1.0)) - VF.log1p(-cut)
        return VF.where(self._steady(), rise / (VF.log(cut) - VF.log1p(-cut)), value)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        zero, one = VF.log1p(-self.probs), VF.log(self.probs)
        return self.mean * (zero - one) - self._log_norm() - zero

    @property
    def _natural_params(self) -> Any:
        return (self.logits,)

    def _log_normalizer(self, x: Any) -> Any:  # type: ignore[override]
        low, high = (limit - 0.5 for limit in self._lims)
        steady = VF.max(VF.le(x, low), VF.gt(x, high))
        cut = VF.where(steady, x, low * VF.ones_like(x))
        log_norm = VF.log(VF.abs(VF.expm1(cut))) - VF.log(VF.abs(cut))
        expanded = 0.5 * x + VF.pow(x, 2) / 24.0 - VF.pow(x, 4) / 2880.0
        return VF.where(steady, log_norm, expanded)


__all__ = ["ContinuousBernoulli"]
