"""What coins and categories share: probabilities or logits, each computed from the other."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import Distribution, broadcast_all
from engine.dtypes import finfo
from engine.modes import enable_grad
from engine.nn import functional as F
from engine.nn.functional import VF


def clamp_probs(probs: Any) -> Any:
    """Probabilities kept away from 0 and 1, so that their logarithms are finite."""
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Any, is_binary: bool = False) -> Any:
    """Logits of probabilities: their logarithms, or of coins the logarithms of the odds."""
    safe = clamp_probs(probs)
    return VF.log(safe) - VF.log1p(-safe) if is_binary else VF.log(safe)


def logits_to_probs(logits: Any, is_binary: bool = False) -> Any:
    """Probabilities of logits, those of the last dimension together, or of coins each by itself."""
    return VF.sigmoid(logits) if is_binary else F.softmax(logits, dim=-1)


class ByProbabilities(Distribution):
    """Holds `probs` or `logits`; the other is computed when asked for."""

    def _take(self, probs: Any, logits: Any) -> Any:
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        return probs if probs is not None else logits

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape."""
        new = super().expand(batch_shape)
        new._param = self._param.expand((*new._batch_shape, *self._param.shape[len(self._batch_shape) :]))
        return new

    def __getattr__(self, name: str) -> Any:
        if name not in ("probs", "logits"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        with enable_grad():  # a draw may be the first to ask
            value = self._probs_of(self.logits) if name == "probs" else self._logits_of(self.probs)
        self.__dict__[name] = value
        return value

    @property
    def param_shape(self) -> Any:
        """The shape of what was given."""
        return self.__dict__["_param"].size()

    def _probs_of(self, logits: Any) -> Any:
        return logits_to_probs(logits, is_binary=True)

    def _logits_of(self, probs: Any) -> Any:
        return probs_to_logits(probs, is_binary=True)


class OfTwo(ByProbabilities):
    """One of two outcomes, each element by its own probability."""

    arg_constraints: ClassVar[dict[str, Any]] = {"probs": constraints.unit_interval, "logits": constraints.real}

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        (self._param,) = broadcast_all(self._take(probs, logits))
        setattr(self, "probs" if probs is not None else "logits", self._param)
        super().__init__(self._param.size(), validate_args=validate_args)


class OfChoice(Distribution):
    """Draws made of a choice between outcomes, whose parameters are that of `_choice`."""

    _choice: Any

    @property
    def probs(self) -> Any:
        """The probabilities."""
        return self._choice.probs

    @property
    def logits(self) -> Any:
        """Their logarithms, or log-odds."""
        return self._choice.logits

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape."""
        new = self._with_shape(batch_shape)
        new._choice = self._choice.expand(batch_shape)
        return new
