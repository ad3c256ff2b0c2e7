"""Numbers of successes."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.counted import Counted
from engine.modes import no_grad
from engine.nn.functional import VF


class Binomial(Counted):
    """How many of `total_count` trials succeed, each with the same probability."""

    arg_constraints: ClassVar[dict[str, Any]] = {
        "total_count": constraints.nonnegative_integer, "probs": constraints.unit_interval, "logits": constraints.real,
    }  # fmt: skip
    has_enumerate_support = True

    def __init__(
        self, total_count: Any = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._take_with_count(total_count, probs, logits, validate_args)

    @property
    def support(self) -> Any:  # type: ignore[override]
        """0 to total_count."""
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Any:
        """n p"""
        return self.total_count * self.probs

    @property
    def mode(self) -> Any:
        """The likeliest number."""
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self) -> Any:
        """n p (1 - p)"""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Numbers of successes."""
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return VF.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the probability."""
        self._validate_sample(value)
        n, logits = self.total_count, self.logits
        all_orders, of_hits, of_rest = VF.lgamma(n + 1), VF.lgamma(value + 1), VF.lgamma(n - value + 1)
        positive = (logits.clamp(min=0) + logits - logits.clamp(max=0)) / 2  # with a slope of 1/2 at 0
        whole = n * positive + n * VF.log1p(VF.exp(-VF.abs(logits))) - all_orders
        return value * logits - of_hits - of_rest - whole

    def _one_count(self, asked: str) -> int:
        count = int(self.total_count.max())
        if not self.total_count.min() == count:
            raise NotImplementedError(f"Inhomogeneous total count not supported by `{asked}`.")
        return count

    def entropy(self) -> Any:
        """The entropy, in nats. Raises NotImplementedError where the numbers of trials differ."""
        self._one_count("entropy")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(VF.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand: bool = True) -> Any:
        """0 to total_count, along a first dimension. Raises NotImplementedError where the numbers of trials differ."""
        values = VF.arange(1 + self._one_count("enumerate_support"), dtype=self._param.dtype)
        values = values.view((-1, *(1,) * len(self._batch_shape)))
        return values.expand((-1, *self._batch_shape)) if expand else values


__all__ = ["Binomial"]
