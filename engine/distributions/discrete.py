"""Discrete distributions: coins and categories, by probabilities or by logits; counts."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import Distribution, broadcast_all, count
from engine.dtypes import finfo
from engine.modes import no_grad
from engine.nn import functional as F
from engine.nn.functional import VF
from engine.size import Size


def _safe(probs: Any) -> Any:
    """Probabilities kept away from 0 and 1, so that their logarithms are finite."""
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


class _ByProbabilities(Distribution):
    """Holds `probs` or `logits`; the other is computed when asked for."""

    def _take(self, probs: Any, logits: Any) -> Any:
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        return probs if probs is not None else logits

    def __getattr__(self, name: str) -> Any:
        if name not in ("probs", "logits"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        value = self._probs_of(self.logits) if name == "probs" else self._logits_of(self.probs)
        self.__dict__[name] = value
        return value

    @property
    def param_shape(self) -> Any:
        """The shape of what was given."""
        return self.__dict__["_param"].size()

    def _probs_of(self, logits: Any) -> Any:
        return VF.sigmoid(logits)

    def _logits_of(self, probs: Any) -> Any:
        safe = _safe(probs)
        return VF.log(safe) - VF.log1p(-safe)


class Bernoulli(_ByProbabilities):
    """1 with a probability, else 0."""

    arg_constraints: ClassVar[dict[str, Any]] = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.boolean

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        (self._param,) = broadcast_all(self._take(probs, logits))
        setattr(self, "probs" if probs is not None else "logits", self._param)
        super().__init__(self._param.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        """The probability of a 1."""
        return self.probs

    @property
    def variance(self) -> Any:
        """p (1 - p)"""
        return self.probs * (1 - self.probs)

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


class Categorical(_ByProbabilities):
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
        return F.softmax(logits, dim=-1)

    def _logits_of(self, probs: Any) -> Any:
        return VF.log(_safe(probs))

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


class OneHotCategorical(Distribution):
    """A category as a vector with a single 1."""

    arg_constraints: ClassVar[dict[str, Any]] = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._categorical = Categorical(probs, logits, validate_args)
        shape = self._categorical.batch_shape
        super().__init__(shape, Size((self._categorical._num_events,)), validate_args=False)

    @property
    def probs(self) -> Any:
        """The probabilities."""
        return self._categorical.probs

    @property
    def logits(self) -> Any:
        """Their logarithms."""
        return self._categorical.logits

    @property
    def mean(self) -> Any:
        """The probabilities."""
        return self.probs

    def sample(self, sample_shape: Any = ()) -> Any:
        """Vectors with a single 1."""
        return F.one_hot(self._categorical.sample(sample_shape), self._categorical._num_events).to(self.probs)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the probability."""
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return self._categorical.entropy()


class Poisson(Distribution):
    """Counts with a mean rate."""

    arg_constraints: ClassVar[dict[str, Any]] = {"rate": constraints.nonnegative}

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        """rate"""
        return self.rate

    @property
    def variance(self) -> Any:
        """rate"""
        return self.rate

    def sample(self, sample_shape: Any = ()) -> Any:
        """Counts."""
        with no_grad():
            return VF.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the probability."""
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()


__all__ = ["Bernoulli", "Categorical", "OneHotCategorical", "Poisson"]
