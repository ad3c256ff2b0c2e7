"""Kullback-Leibler divergences from and to the continuous Bernoulli distribution."""

import math
from typing import Any

from engine.distributions.beta import Beta
from engine.distributions.continuous_bernoulli import ContinuousBernoulli
from engine.distributions.exponential import Exponential
from engine.distributions.gamma import Gamma
from engine.distributions.gumbel import Gumbel
from engine.distributions.kl_across import infinite
from engine.distributions.laplace import Laplace
from engine.distributions.normal import Normal
from engine.distributions.pareto import Pareto
from engine.distributions.uniform import Uniform
from engine.nn.functional import VF


def _same(p: Any, q: Any) -> Any:
    first = p.mean * (p.logits - q.logits)
    second = p._log_norm() + VF.log1p(-p.probs)
    return first + second + (-q._log_norm() - VF.log1p(-q.probs))


def _beta(p: Any, q: Any) -> Any:
    return -p.entropy() - p.mean * q.logits - VF.log1p(-q.probs) - q._log_norm()


def _exponential(p: Any, q: Any) -> Any:
    return -p.entropy() - VF.log(q.rate) + q.rate * p.mean


def _normal(p: Any, q: Any) -> Any:
    second = 0.5 * (math.log(2.0 * math.pi) + VF.square(q.loc / q.scale)) + VF.log(q.scale)
    apart = p.variance + VF.square(p.mean) - 2.0 * q.loc * p.mean
    return -p.entropy() + second + apart / (2.0 * VF.square(q.scale))


def _uniform(p: Any, q: Any) -> Any:
    result = -p.entropy() + (q.high - q.low).log()
    outside = VF.max(VF.ge(q.low, p.support.lower_bound), VF.le(q.high, p.support.upper_bound))
    return VF.where(outside, VF.ones_like(result) * math.inf, result)


def _from_uniform(p: Any, q: Any) -> Any:
    result = -p.entropy() - p.mean * q.logits - VF.log1p(-q.probs) - q._log_norm()
    outside = VF.max(VF.ge(p.high, q.support.upper_bound), VF.le(p.low, q.support.lower_bound))
    return VF.where(outside, VF.ones_like(result) * math.inf, result)


RULES = {
    (ContinuousBernoulli, ContinuousBernoulli): _same,
    (Beta, ContinuousBernoulli): _beta,
    (ContinuousBernoulli, Exponential): _exponential,
    (ContinuousBernoulli, Normal): _normal,
    (ContinuousBernoulli, Uniform): _uniform,
    (Uniform, ContinuousBernoulli): _from_uniform,
    (ContinuousBernoulli, Pareto): infinite("probs"),
    (Exponential, ContinuousBernoulli): infinite("rate"),
    (Gamma, ContinuousBernoulli): infinite("concentration"),
    (Pareto, ContinuousBernoulli): infinite("scale"),
    **{(p, ContinuousBernoulli): infinite("loc") for p in (Gumbel, Laplace, Normal)},
}
