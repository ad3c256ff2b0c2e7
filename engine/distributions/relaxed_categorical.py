"""Categories whose draws are probabilities, so that gradients pass."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.by_probabilities import OfChoice, clamp_probs
from engine.distributions.categorical import Categorical
from engine.distributions.distribution import broadcast_all
from engine.distributions.relaxed import Relaxed
from engine.distributions.transforms.numbers import ExpTransform
from engine.nn.functional import VF
from engine.size import Size


class ExpRelaxedCategorical(OfChoice):
    """The logarithm of a relaxed category."""

    arg_constraints: ClassVar[dict[str, Any]] = Categorical.arg_constraints
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None):
        self.temperature, self._choice = temperature, Categorical(probs, logits)
        shape = self._choice.batch_shape
        super().__init__(shape, Size((self._choice._num_events,)), validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Gumbel noise about the logits, over the temperature."""
        u = clamp_probs(VF.rand(self._extended_shape(sample_shape), dtype=self.logits.dtype))
        scores = (self.logits + -((-(u.log())).log())) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        places = self._choice._num_events
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        of_scale = VF.full_like(self.temperature, float(places)).lgamma() - self.temperature.log().mul(-(places - 1))
        score = logits - value.mul(self.temperature)
        return (score - score.logsumexp(dim=-1, keepdim=True)).sum(-1) + of_scale


class RelaxedOneHotCategorical(Relaxed):
    """Probabilities, the nearer to a single 1 the lower the temperature."""

    arg_constraints: ClassVar[dict[str, Any]] = Categorical.arg_constraints
    support = constraints.simplex  # type: ignore[assignment]

    def __init__(self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None):
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)


__all__ = ["ExpRelaxedCategorical", "RelaxedOneHotCategorical"]
