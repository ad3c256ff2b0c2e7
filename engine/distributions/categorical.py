"""Categories by number."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.by_probabilities import ByProbabilities, logits_to_probs, probs_to_logits
from engine.distributions.distribution import count
from engine.dtypes import finfo
from engine.nn.functional import VF


class Categorical(ByProbabilities):
    """One of several categories, numbered from 0; the last dimension holds their weights."""

    arg_constraints: ClassVar[dict[str, Any]] = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        given = self._take(probs, logits)
        if given.dim() < 1:
            name = "probs" if probs is not None else "logits"
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is not None:
            self._param = self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self._param = self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        self._num_events = self._param.size()[-1]
        super().__init__(self._param.size()[:-1], validate_args=validate_args)

    def _probs_of(self, logits: Any) -> Any:
        return logits_to_probs(logits)

    def _logits_of(self, probs: Any) -> Any:
        return probs_to_logits(probs)

    @property
    def support(self) -> Any:  # type: ignore[override]
        """0 to the number of categories less 1."""
        return constraints.integer_interval(lower_bound=0, upper_bound=self._num_events - 1)

    @property
    def mean(self) -> Any:
        """nan: categories have no order."""
        return VF.full(self._extended_shape(), float("nan"), dtype=self.probs.dtype)

    @property
    def variance(self) -> Any:
        """nan: categories have no order."""
        return self.mean

    @property
    def mode(self) -> Any:
        """The likeliest category."""
        return self.probs.argmax(dim=-1)

    def enumerate_support(self, expand: bool = True) -> Any:
        """Every category, along a first dimension."""
        values = VF.arange(self._num_events).view(-1, *(1,) * len(self._batch_shape))
        return values.expand(-1, *self._batch_shape) if expand else values

    def sample(self, sample_shape: Any = ()) -> Any:
        """Category numbers."""
        rows = self.probs.reshape(-1, self._num_events)
        drawn = VF.multinomial(rows, count(sample_shape), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the probability."""
        self._validate_sample(value)
        value = value.long().unsqueeze(-1)
        value, logits = VF.broadcast_tensors(value, self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        logits = VF.clamp(self.logits, min=finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)


__all__ = ["Categorical"]
