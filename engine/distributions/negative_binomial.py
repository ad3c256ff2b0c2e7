"""Numbers of successes before the failures that end a series."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.counted import Counted
from engine.distributions.distribution import lazy_property
from engine.distributions.gamma import Gamma
from engine.modes import no_grad
from engine.nn import functional as F
from engine.nn.functional import VF


class NegativeBinomial(Counted):
    """How many trials succeed before `total_count` of them fail: a Poisson count whose rate is a gamma number."""

    arg_constraints: ClassVar[dict[str, Any]] = {
        "total_count": constraints.greater_than_eq(0), "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }  # fmt: skip
    support = constraints.nonnegative_integer

    def __init__(
        self, total_count: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._take_with_count(total_count, probs, logits, validate_args)

    @property
    def mean(self) -> Any:
        """total_count times the odds of success"""
        return self.total_count * VF.exp(self.logits)

    @property
    def mode(self) -> Any:
        """The likeliest number."""
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Any:
        """mean / (1 - probs)"""
        return self.mean / VF.sigmoid(-self.logits)

    @lazy_property
    def _gamma(self) -> Any:
        return Gamma(self.total_count, VF.exp(-self.logits), validate_args=False)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Counts."""
        with no_grad():
            return VF.poisson(self._gamma.sample(sample_shape=sample_shape))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the probability."""
        self._validate_sample(value)
        n, logits = self.total_count, self.logits
        outcome = n * F.logsigmoid(-logits) + value * F.logsigmoid(logits)
        orders = -VF.lgamma(n + value) + VF.lgamma(1.0 + value) + VF.lgamma(n)
        return outcome - orders.masked_fill(n + value == 0.0, 0.0)


__all__ = ["NegativeBinomial"]
