"""Kullback-Leibler divergences within the families around the gamma function, and of binomial counts."""

import math
from typing import Any

from engine.autograd.calls import grad
from engine.distributions.beta import Beta
from engine.distributions.binomial import Binomial
from engine.distributions.dirichlet import Dirichlet
from engine.distributions.distribution import sum_last
from engine.distributions.exp_family import ExponentialFamily
from engine.distributions.gamma import Gamma
from engine.nn.functional import VF


def _gamma(p: Any, q: Any) -> Any:
    first = q.concentration * (p.rate / q.rate).log()
    second = VF.lgamma(q.concentration) - VF.lgamma(p.concentration)
    third = (p.concentration - q.concentration) * VF.digamma(p.concentration)
    return first + second + third + (q.rate - p.rate) * (p.concentration / p.rate)


def _beta(p: Any, q: Any) -> Any:
    p1, p0, q1, q0 = p.concentration1, p.concentration0, q.concentration1, q.concentration0
    of_p, of_q = p1 + p0, q1 + q0
    first = q1.lgamma() + q0.lgamma() + of_p.lgamma()
    second = p1.lgamma() + p0.lgamma() + of_q.lgamma()
    third, fourth = (p1 - q1) * VF.digamma(p1), (p0 - q0) * VF.digamma(p0)
    return first - second + third + fourth + (of_q - of_p) * VF.digamma(of_p)


def _dirichlet(p: Any, q: Any) -> Any:
    of_p, of_q = p.concentration.sum(-1), q.concentration.sum(-1)
    first = of_p.lgamma() - of_q.lgamma()
    second = (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
    apart = p.concentration - q.concentration
    return first - second + (apart * (p.concentration.digamma() - of_p.digamma().unsqueeze(-1))).sum(-1)


def _binomial(p: Any, q: Any) -> Any:
    if (p.total_count < q.total_count).any():
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    apart = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    apart[p.total_count > q.total_count] = math.inf
    return apart


def _exponential_families(p: Any, q: Any) -> Any:
    """Bregman's divergence of the log normalizer, for two of one family."""
    if type(p) is not type(q):
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot"
            "                             be computed using Bregman divergences"
        )
    of_p = [n.detach().requires_grad_() for n in p._natural_params]
    of_q = q._natural_params
    log_normalizer = p._log_normalizer(*of_p)
    expected = grad(log_normalizer.sum(), of_p, create_graph=True)
    result = q._log_normalizer(*of_q) - log_normalizer
    for here, there, statistic in zip(of_p, of_q, expected, strict=True):
        result = result - sum_last((there - here) * statistic, len(q.event_shape))
    return result


RULES = {
    (Gamma, Gamma): _gamma,
    (Beta, Beta): _beta,
    (Dirichlet, Dirichlet): _dirichlet,
    (Binomial, Binomial): _binomial,
    (ExponentialFamily, ExponentialFamily): _exponential_families,
}
