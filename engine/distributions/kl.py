"""Kullback-Leibler divergences between distributions of one family."""

from typing import Any

from engine.distributions.continuous import Exponential, Normal, Uniform
from engine.distributions.discrete import Bernoulli, Categorical
from engine.nn import functional as F
from engine.nn.functional import VF


def _normal(p: Any, q: Any) -> Any:
    ratio = (p.scale / q.scale).pow(2)
    distance = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + distance - 1 - ratio.log())


def _categorical(p: Any, q: Any) -> Any:
    t = p.probs * (p.logits - q.logits)
    t = VF.where((q.probs == 0).expand_as(t), float("inf"), t)
    t = VF.where((p.probs == 0).expand_as(t), 0.0, t)
    return t.sum(-1)


def _bernoulli(p: Any, q: Any) -> Any:
    ones = p.probs * (F.softplus(-q.logits) - F.softplus(-p.logits))
    zeros = (1 - p.probs) * (F.softplus(q.logits) - F.softplus(p.logits))
    return ones + zeros


def _uniform(p: Any, q: Any) -> Any:
    apart = ((q.high - q.low) / (p.high - p.low)).log()
    return VF.where((q.low > p.low) | (q.high < p.high), float("inf"), apart)


def _exponential(p: Any, q: Any) -> Any:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


_RULES = {
    Normal: _normal, Categorical: _categorical, Bernoulli: _bernoulli, Uniform: _uniform, Exponential: _exponential,
}  # fmt: skip


def kl_divergence(p: Any, q: Any) -> Any:
    """KL(p || q). Raises NotImplementedError for families without a formula here."""
    rule = _RULES.get(type(p))
    if rule is None or type(q) is not type(p):
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
        )
    return rule(p, q)


__all__ = ["kl_divergence"]
