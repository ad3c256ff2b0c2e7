"""Kullback-Leibler divergences between two distributions, by their classes."""

import math
from collections.abc import Callable
from typing import Any

from engine.autograd.calls import grad
from engine.distributions import kl_across, kl_continuous_bernoulli, kl_gamma, kl_multivariate
from engine.distributions.bernoulli import Bernoulli
from engine.distributions.categorical import Categorical
from engine.distributions.cauchy import Cauchy
from engine.distributions.distribution import EULER, sum_last
from engine.distributions.exp_family import ExponentialFamily
from engine.distributions.exponential import Exponential
from engine.distributions.geometric import Geometric
from engine.distributions.gumbel import Gumbel
from engine.distributions.half_normal import HalfNormal
from engine.distributions.independent import Independent
from engine.distributions.laplace import Laplace
from engine.distributions.normal import Normal
from engine.distributions.one_hot_categorical import OneHotCategorical
from engine.distributions.pareto import Pareto
from engine.distributions.poisson import Poisson
from engine.distributions.transformed_distribution import TransformedDistribution
from engine.distributions.uniform import Uniform
from engine.nn import functional as F
from engine.nn.functional import VF


def _normal(p: Any, q: Any) -> Any:
    ratio = (p.scale / q.scale).pow(2)
    distance = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + distance - 1 - ratio.log())


def _categorical(p: Any, q: Any) -> Any:
    t = p.probs * (p.logits - q.logits)
    t[(q.probs == 0).expand_as(t)] = math.inf
    t[(p.probs == 0).expand_as(t)] = 0
    return t.sum(-1)


def _bernoulli(p: Any, q: Any) -> Any:
    ones = p.probs * (F.softplus(-q.logits) - F.softplus(-p.logits))
    ones[q.probs == 0] = math.inf
    ones[p.probs == 0] = 0
    zeros = (1 - p.probs) * (F.softplus(q.logits) - F.softplus(p.logits))
    zeros[q.probs == 1] = math.inf
    zeros[p.probs == 1] = 0
    return ones + zeros


def _uniform(p: Any, q: Any) -> Any:
    apart = ((q.high - q.low) / (p.high - p.low)).log()
    apart[(q.low > p.low) | (q.high < p.high)] = math.inf
    return apart


def _exponential(p: Any, q: Any) -> Any:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


def _laplace(p: Any, q: Any) -> Any:
    ratio, apart = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + apart / q.scale + ratio * VF.exp(-apart / p.scale) - 1


def _cauchy(p: Any, q: Any) -> Any:
    return ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log() - (4 * p.scale * q.scale).log()


def _poisson(p: Any, q: Any) -> Any:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


def _geometric(p: Any, q: Any) -> Any:
    return -p.entropy() - VF.log1p(-q.probs) / p.probs - q.logits


def _gumbel(p: Any, q: Any) -> Any:
    ratio = p.scale / q.scale
    there, here = q.loc / q.scale, p.loc / q.scale
    first = -ratio.log() - there + here
    return first + ratio * EULER + VF.exp(there + (1 + ratio).lgamma() - here) - (1 + EULER)


def _pareto(p: Any, q: Any) -> Any:
    ratio, shapes = p.scale / q.scale, q.alpha / p.alpha
    result = q.alpha * ratio.log() + -shapes.log() + shapes - 1
    result[p.support.lower_bound < q.support.lower_bound] = math.inf
    return result


def _exponential_family(p: Any, q: Any) -> Any:
    """By the log normalizers and their derivatives alone, for two of one family."""
    if type(p) is not type(q):
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot"
            "                             be computed using Bregman divergences"
        )
    of_p, of_q = [x.detach().requires_grad_() for x in p._natural_params], q._natural_params
    log_normalizer = p._log_normalizer(*of_p)
    expected = grad(log_normalizer.sum(), of_p, create_graph=True)
    result = q._log_normalizer(*of_q) - log_normalizer
    for here, there, statistic in zip(of_p, of_q, expected, strict=True):
        result = result - sum_last((there - here) * statistic, len(q.event_shape))
    return result


def _independent(p: Any, q: Any) -> Any:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_last(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


def _transformed(p: Any, q: Any) -> Any:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


Rule = Callable[[Any, Any], Any]

_RULES: dict[tuple[type, type], Rule] = {
    (Normal, Normal): _normal,
    (Categorical, Categorical): _categorical,
    (OneHotCategorical, OneHotCategorical): lambda p, q: _categorical(p._choice, q._choice),
    (Bernoulli, Bernoulli): _bernoulli,
    (Uniform, Uniform): _uniform,
    (Exponential, Exponential): _exponential,
    (Laplace, Laplace): _laplace,
    (Cauchy, Cauchy): _cauchy,
    (Poisson, Poisson): _poisson,
    (Geometric, Geometric): _geometric,
    (Gumbel, Gumbel): _gumbel,
    (HalfNormal, HalfNormal): lambda p, q: _normal(p.base_dist, q.base_dist),
    (Pareto, Pareto): _pareto,
    (Independent, Independent): _independent,
    (TransformedDistribution, TransformedDistribution): _transformed,
    (ExponentialFamily, ExponentialFamily): _exponential_family,
    **kl_gamma.RULES,
    **kl_across.RULES,
    **kl_continuous_bernoulli.RULES,
    **kl_multivariate.RULES,
}


def register_kl(type_p: type, type_q: type) -> Callable[[Rule], Rule]:
    """A decorator: the function computes KL(p || q) for these classes and their subclasses."""

    def register(rule: Rule) -> Rule:
        _RULES[type_p, type_q] = rule
        return rule

    return register


def kl_divergence(p: Any, q: Any) -> Any:
    """KL(p || q), of the shape of the batch. Raises NotImplementedError for classes without a formula here."""
    for of_p in type(p).__mro__:
        for of_q in type(q).__mro__:
            if (rule := _RULES.get((of_p, of_q))) is not None:
                return rule(p, q)
    raise NotImplementedError(
        f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
    )


__all__ = ["kl_divergence", "register_kl"]
