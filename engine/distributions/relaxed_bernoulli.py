"""Coins whose draws lie between 0 and 1, so that gradients pass."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.bernoulli import Bernoulli
from engine.distributions.by_probabilities import OfChoice, clamp_probs
from engine.distributions.distribution import broadcast_all
from engine.distributions.relaxed import Relaxed
from engine.distributions.transforms.numbers import SigmoidTransform
from engine.nn.functional import VF


class LogitRelaxedBernoulli(OfChoice):
    """The logit of a relaxed coin."""

    arg_constraints: ClassVar[dict[str, Any]] = Bernoulli.arg_constraints
    support = constraints.real
    has_rsample = True

    def __init__(self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None):
        self.temperature, self._choice = temperature, Bernoulli(probs, logits, validate_args)
        super().__init__(self._choice.batch_shape, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Logistic noise about the logit, over the temperature."""
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        u = clamp_probs(VF.rand(shape, dtype=probs.dtype))
        return (u.log() - (-u).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        apart = logits - value.mul(self.temperature)
        return self.temperature.log() + apart - 2 * apart.exp().log1p()


class RelaxedBernoulli(Relaxed):
    """A number between 0 and 1, the nearer to either the lower the temperature."""

    arg_constraints: ClassVar[dict[str, Any]] = Bernoulli.arg_constraints
    support = constraints.unit_interval  # type: ignore[assignment]

    def __init__(self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None):
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args=validate_args)


__all__ = ["LogitRelaxedBernoulli", "RelaxedBernoulli"]
