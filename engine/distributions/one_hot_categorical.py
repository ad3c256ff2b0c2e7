"""Categories as vectors."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.by_probabilities import OfChoice
from engine.distributions.categorical import Categorical
from engine.nn import functional as F
from engine.nn.functional import VF
from engine.size import Size


class OneHotCategorical(OfChoice):
    """A category as a vector with a single 1."""

    arg_constraints: ClassVar[dict[str, Any]] = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.one_hot

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._choice = Categorical(probs, logits, validate_args)
        shape = self._choice.batch_shape
        super().__init__(shape, Size((self._choice._num_events,)), validate_args=False)

    @property
    def mean(self) -> Any:
        """The probabilities."""
        return self.probs

    @property
    def mode(self) -> Any:
        """The likeliest vector."""
        return F.one_hot(self.probs.argmax(dim=-1), self._choice._num_events).to(self.probs)

    @property
    def variance(self) -> Any:
        """p (1 - p), of each place."""
        return self.probs * (1 - self.probs)

    def enumerate_support(self, expand: bool = True) -> Any:
        """Every vector, along a first dimension."""
        n = self._choice._num_events
        values = VF.eye(n, dtype=self.probs.dtype).view(n, *(1,) * len(self._batch_shape), n)
        return values.expand(n, *self._batch_shape, n) if expand else values

    def sample(self, sample_shape: Any = ()) -> Any:
        """Vectors with a single 1."""
        return F.one_hot(self._choice.sample(sample_shape), self._choice._num_events).to(self.probs)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the probability."""
        self._validate_sample(value)
        return self._choice.log_prob(value.max(-1)[1])

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return self._choice.entropy()


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """Vectors with a single 1, whose gradient is that of the probabilities."""

    has_rsample = True

    def rsample(self, sample_shape: Any = ()) -> Any:
        """A draw, plus the probabilities less themselves."""
        drawn, probs = self.sample(sample_shape), self.probs
        return drawn + (probs - probs.detach())


__all__ = ["OneHotCategorical", "OneHotCategoricalStraightThrough"]
