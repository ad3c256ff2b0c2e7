"""How often each category is drawn."""

import math
from typing import Any, ClassVar

from engine.creation import tensor
from engine.distributions import constraints
from engine.distributions.binomial import Binomial
from engine.distributions.by_probabilities import OfChoice
from engine.distributions.categorical import Categorical
from engine.distributions.distribution import broadcast_all
from engine.nn.functional import VF


class Multinomial(OfChoice):
    """How often each category comes up in `total_count` draws."""

    arg_constraints: ClassVar[dict[str, Any]] = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def __init__(
        self, total_count: int = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._choice = Categorical(probs=probs, logits=logits)
        self._binomial = Binomial(total_count=total_count, probs=self.probs)
        super().__init__(self._choice.batch_shape, self._choice.param_shape[-1:], validate_args=validate_args)

    @property
    def param_shape(self) -> Any:
        """The shape of what was given."""
        return self._choice.param_shape

    @property
    def support(self) -> Any:  # type: ignore[override]
        """Counts whose sum is that of the draws."""
        return constraints.multinomial(self.total_count)

    @property
    def mean(self) -> Any:
        """n p"""
        return self.probs * self.total_count

    @property
    def variance(self) -> Any:
        """n p (1 - p)"""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Counts."""
        drawn = self._choice.sample((self.total_count, *sample_shape))
        drawn = drawn.permute(*range(1, drawn.dim()), 0)
        counts = VF.zeros(self._extended_shape(sample_shape), dtype=drawn.dtype)
        counts.scatter_add_(-1, drawn, VF.ones_like(drawn))
        return counts.type_as(self.probs)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        n: Any = tensor(self.total_count)
        of_draws = n * self._choice.entropy() - VF.lgamma(n + 1)
        values = self._binomial.enumerate_support(expand=False)[1:]
        of_orders = VF.exp(self._binomial.log_prob(values)) * VF.lgamma(values + 1)
        return of_draws + of_orders.sum([0, -1])

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the probability."""
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.clone()
        orders = VF.lgamma(value.sum(-1) + 1) - VF.lgamma(value + 1).sum(-1)
        logits[(value == 0) & (logits == -math.inf)] = 0
        return orders + (logits * value).sum(-1)


__all__ = ["Multinomial"]
