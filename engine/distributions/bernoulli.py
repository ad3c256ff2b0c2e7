"""Coins."""

from typing import Any

from engine.distributions import constraints
from engine.distributions.by_probabilities import OfTwo
from engine.distributions.distribution import broadcast_all
from engine.distributions.exp_family import ExponentialFamily
from engine.modes import no_grad
from engine.nn import functional as F
from engine.nn.functional import VF


class Bernoulli(OfTwo, ExponentialFamily):
    """1 with a probability, else 0."""

    support = constraints.boolean

    @property
    def mean(self) -> Any:
        """The probability of a 1."""
        return self.probs

    @property
    def variance(self) -> Any:
        """p (1 - p)"""
        return self.probs * (1 - self.probs)

    @property
    def mode(self) -> Any:
        """1 where it is likelier, nan where both are as likely."""
        mode = (self.probs >= 0.5).to(self.probs)
        mode[self.probs == 0.5] = float("nan")
        return mode

    def enumerate_support(self, expand: bool = True) -> Any:
        """0 and 1, along a first dimension."""
        values = VF.arange(2, dtype=self._param.dtype).view(-1, *(1,) * len(self._batch_shape))
        return values.expand(-1, *self._batch_shape) if expand else values

    def sample(self, sample_shape: Any = ()) -> Any:
        """Zeros and ones."""
        with no_grad():
            return VF.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the probability."""
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")


__all__ = ["Bernoulli"]
