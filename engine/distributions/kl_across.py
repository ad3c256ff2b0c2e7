"""Kullback-Leibler divergences from one family to another."""

import math
from collections.abc import Callable
from typing import Any

from engine.distributions.bernoulli import Bernoulli
from engine.distributions.beta import Beta
from engine.distributions.binomial import Binomial
from engine.distributions.distribution import EULER
from engine.distributions.exponential import Exponential
from engine.distributions.gamma import Gamma
from engine.distributions.gumbel import Gumbel
from engine.distributions.laplace import Laplace
from engine.distributions.normal import Normal
from engine.distributions.pareto import Pareto
from engine.distributions.poisson import Poisson
from engine.distributions.uniform import Uniform
from engine.nn.functional import VF


def _log_normalizer(q: Any) -> Any:
    """What a gamma density is divided by."""
    return q.concentration.lgamma() - q.concentration * q.rate.log()


def _x_log_x(x: Any) -> Any:
    return VF.xlogy(x, x)


def _bernoulli_poisson(p: Any, q: Any) -> Any:
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)


def _beta_exponential(p: Any, q: Any) -> Any:
    return -p.entropy() - q.rate.log() + q.rate * (p.concentration1 / (p.concentration1 + p.concentration0))


def _beta_gamma(p: Any, q: Any) -> Any:
    total = p.concentration1 + p.concentration0
    mean_log = (q.concentration - 1) * (p.concentration1.digamma() - total.digamma())
    return -p.entropy() + _log_normalizer(q) - mean_log + q.rate * p.concentration1 / total


def _beta_normal(p: Any, q: Any) -> Any:
    total, var = p.concentration1 + p.concentration0, q.scale.pow(2)
    mean = p.concentration1 / total
    square = (mean * (1 - mean) / (total + 1) + mean.pow(2)) * 0.5
    first = 0.5 * (var * 2 * math.pi).log()
    return -p.entropy() + first + (square - q.loc * mean + q.loc.pow(2) * 0.5) / var


def _beta_uniform(p: Any, q: Any) -> Any:
    result = -p.entropy() + (q.high - q.low).log()
    result[(q.low > p.support.lower_bound) | (q.high < p.support.upper_bound)] = math.inf
    return result


def _exponential_gamma(p: Any, q: Any) -> Any:
    ratio = q.rate / p.rate
    first = -q.concentration * VF.log(ratio)
    return first + ratio + q.concentration.lgamma() + q.concentration * EULER - (1 + EULER)


def _exponential_gumbel(p: Any, q: Any) -> Any:
    product, ratio = p.rate * q.scale, q.loc / q.scale
    return product.log() - 1 - ratio + VF.exp(ratio) * product / (product + 1) + product.reciprocal()


def _exponential_normal(p: Any, q: Any) -> Any:
    var, square = q.scale.pow(2), p.rate.pow(2)
    first = 0.5 * VF.log(square * var * 2 * math.pi)
    return first - 1 + (square.reciprocal() - q.loc / p.rate + q.loc.pow(2) * 0.5) / var


def _gamma_exponential(p: Any, q: Any) -> Any:
    return -p.entropy() - q.rate.log() + q.rate * p.concentration / p.rate


def _gamma_gumbel(p: Any, q: Any) -> Any:
    product, ratio, shape = p.rate * q.scale, q.loc / q.scale, p.concentration
    first = (shape - 1) * shape.digamma() - shape.lgamma() - shape
    second = product.log() + shape / product
    return first + second + (VF.exp(ratio) * (1 + product.reciprocal()).pow(-shape) - ratio)


def _gamma_normal(p: Any, q: Any) -> Any:
    var, square, shape = q.scale.pow(2), p.rate.pow(2), p.concentration
    first = 0.5 * VF.log(square * var * 2 * math.pi) - shape - shape.lgamma()
    second = 0.5 * (shape.pow(2) + shape) / square
    apart = second - q.loc * shape / p.rate + 0.5 * q.loc.pow(2)
    return first + (shape - 1) * shape.digamma() + apart / var


def _gumbel_normal(p: Any, q: Any) -> Any:
    ratio = p.scale / q.scale
    first = (ratio / math.sqrt(2 * math.pi)).log()
    second = (math.pi * ratio * 0.5).pow(2) / 3
    third = ((p.loc + p.scale * EULER - q.loc) / q.scale).pow(2) * 0.5
    return -first + second + third - (EULER + 1)


def _laplace_normal(p: Any, q: Any) -> Any:
    var = q.scale.pow(2)
    ratio = p.scale.pow(2) / var
    apart = 0.5 * p.loc.pow(2) - p.loc * q.loc + 0.5 * q.loc.pow(2)
    return -(0.5 * VF.log(2 * ratio / math.pi)) + ratio + apart / var - 1


def _normal_gumbel(p: Any, q: Any) -> Any:
    mean, ratio, middle = p.loc / q.scale, (p.scale / q.scale).pow(2), q.loc / q.scale
    tail = VF.exp(-mean + 0.5 * ratio + middle)
    return -(ratio.log() * 0.5) + (mean - middle) + tail - (0.5 * (1 + math.log(2 * math.pi)))


def _normal_laplace(p: Any, q: Any) -> Any:
    apart, ratio = p.loc - q.loc, p.scale / q.scale
    steps = apart / p.scale
    middle = math.sqrt(2 / math.pi) * p.scale * VF.exp(-0.5 * steps.pow(2))
    tails = apart * VF.erf(math.sqrt(0.5) * steps)
    return -VF.log(ratio) + (middle + tails) / q.scale - (0.5 * (1 + math.log(0.5 * math.pi)))


def _pareto_exponential(p: Any, q: Any) -> Any:
    product = p.scale * q.rate
    result = (p.alpha / product).log() - p.alpha.reciprocal() + p.alpha * product / (p.alpha - 1) - 1
    result[p.alpha <= 1] = math.inf
    return result


def _pareto_gamma(p: Any, q: Any) -> Any:
    common = p.scale.log() + p.alpha.reciprocal()
    first = p.alpha.log() - common
    third = (1 - q.concentration) * common
    result = first + _log_normalizer(q) + third + q.rate * p.alpha * p.scale / (p.alpha - 1) - 1
    result[p.alpha <= 1] = math.inf
    return result


def _pareto_normal(p: Any, q: Any) -> Any:
    var, common = 2 * q.scale.pow(2), p.scale / (p.alpha - 1)
    first = (math.sqrt(2 * math.pi) * q.scale * p.alpha / p.scale).log()
    third = p.alpha * common.pow(2) / (p.alpha - 2)
    result = first - p.alpha.reciprocal() + (third + (p.alpha * common - q.loc).pow(2)) / var - 1
    result[p.alpha <= 2] = math.inf
    return result


def _uniform_beta(p: Any, q: Any) -> Any:
    width = p.high - p.low
    first = VF.log(width)
    second = (q.concentration1 - 1) * (_x_log_x(p.high) - _x_log_x(p.low) - width) / width
    third = (q.concentration0 - 1) * (_x_log_x(1 - p.high) - _x_log_x(1 - p.low) + width) / width
    fourth = q.concentration1.lgamma() + q.concentration0.lgamma() - (q.concentration1 + q.concentration0).lgamma()
    result = third + fourth - first - second
    result[(p.high > q.support.upper_bound) | (p.low < q.support.lower_bound)] = math.inf
    return result


def _uniform_exponential(p: Any, q: Any) -> Any:
    result = q.rate * (p.high + p.low) / 2 - ((p.high - p.low) * q.rate).log()
    result[p.low < q.support.lower_bound] = math.inf
    return result


def _uniform_gamma(p: Any, q: Any) -> Any:
    width = p.high - p.low
    first = width.log()
    third = (1 - q.concentration) * (_x_log_x(p.high) - _x_log_x(p.low) - width) / width
    result = -first + _log_normalizer(q) + third + q.rate * (p.high + p.low) / 2
    result[p.low < q.support.lower_bound] = math.inf
    return result


def _uniform_gumbel(p: Any, q: Any) -> Any:
    common = q.scale / (p.high - p.low)
    high, low = (p.high - q.loc) / q.scale, (p.low - q.loc) / q.scale
    return common.log() + 0.5 * (high + low) - common * (VF.exp(-high) - VF.exp(-low))


def _uniform_normal(p: Any, q: Any) -> Any:
    width = p.high - p.low
    first = (math.sqrt(math.pi * 2) * q.scale / width).log()
    apart = ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    return first + 0.5 * (width.pow(2) / 12 + apart) / q.scale.pow(2)


def _uniform_pareto(p: Any, q: Any) -> Any:
    width = p.high - p.low
    first = (q.alpha * q.scale.pow(q.alpha) * width).log()
    second = (_x_log_x(p.high) - _x_log_x(p.low) - width) / width
    result = second * (q.alpha + 1) - first
    result[p.low < q.support.lower_bound] = math.inf
    return result


def infinite(parameter: str) -> Callable[[Any, Any], Any]:
    """The rule where p reaches what q never does; the result has the shape of a parameter of p."""
    return lambda p, q: VF.full_like(getattr(p, parameter), math.inf)


RULES = {
    (Bernoulli, Poisson): _bernoulli_poisson,
    (Beta, Exponential): _beta_exponential,
    (Beta, Gamma): _beta_gamma,
    (Beta, Normal): _beta_normal,
    (Beta, Uniform): _beta_uniform,
    (Exponential, Gamma): _exponential_gamma,
    (Exponential, Gumbel): _exponential_gumbel,
    (Exponential, Normal): _exponential_normal,
    (Gamma, Exponential): _gamma_exponential,
    (Gamma, Gumbel): _gamma_gumbel,
    (Gamma, Normal): _gamma_normal,
    (Gumbel, Normal): _gumbel_normal,
    (Laplace, Normal): _laplace_normal,
    (Normal, Gumbel): _normal_gumbel,
    (Normal, Laplace): _normal_laplace,
    (Pareto, Exponential): _pareto_exponential,
    (Pareto, Gamma): _pareto_gamma,
    (Pareto, Normal): _pareto_normal,
    (Uniform, Beta): _uniform_beta,
    (Uniform, Exponential): _uniform_exponential,
    (Uniform, Gamma): _uniform_gamma,
    (Uniform, Gumbel): _uniform_gumbel,
    (Uniform, Normal): _uniform_normal,
    (Uniform, Pareto): _uniform_pareto,
    (Beta, Pareto): infinite("concentration1"),
    **{(Exponential, q): infinite("rate") for q in (Beta, Pareto, Uniform)},
    **{(Gamma, q): infinite("concentration") for q in (Beta, Pareto, Uniform)},
    **{(p, q): infinite("loc") for p in (Gumbel, Laplace, Normal) for q in (Beta, Exponential, Gamma, Pareto, Uniform)},
    **{(Pareto, q): infinite("scale") for q in (Beta, Uniform)},
    **{(Poisson, q): infinite("rate") for q in (Bernoulli, Binomial)},
}
