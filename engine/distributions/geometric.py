"""Failures before a success."""

from typing import Any

from engine.distributions import constraints
from engine.distributions.by_probabilities import OfTwo
from engine.distributions.distribution import broadcast_all
from engine.dtypes import finfo
from engine.modes import no_grad
from engine.nn import functional as F
from engine.nn.functional import VF


class Geometric(OfTwo):
    """Failures before the first success."""

    support = constraints.nonnegative_integer

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        super().__init__(probs, logits, validate_args)
        if self._validate_args and probs is not None and not bool((self.probs > 0).all()):
            value = self.probs
            raise ValueError(
                f"Expected parameter probs ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
                f"{self!r} to be positive but found invalid values:\n{value.data[~(value > 0)]}"
            )

    @property
    def mean(self) -> Any:
        """1 / p - 1"""
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Any:
        """0"""
        return VF.zeros_like(self.probs)

    @property
    def variance(self) -> Any:
        """(1 / p - 1) / p"""
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Any = ()) -> Any:
        """Counts of failures."""
        with no_grad():
            u = VF.empty(self._extended_shape(sample_shape), dtype=self.probs.dtype)
            u = u.uniform_(finfo(self.probs.dtype).tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the probability."""
        self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        probs = probs.clone()
        probs[(probs == 1) & (value == 0)] = 0
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs


__all__ = ["Geometric"]
