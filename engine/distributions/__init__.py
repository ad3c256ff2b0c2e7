"""torch.distributions: random variables with densities and gradients."""

from engine.distributions import constraints
from engine.distributions.continuous import Exponential, Laplace, LogNormal, Normal, Uniform
from engine.distributions.discrete import Bernoulli, Categorical, OneHotCategorical, Poisson
from engine.distributions.distribution import Distribution
from engine.distributions.kl import kl_divergence

__all__ = [
    "Bernoulli", "Categorical", "Distribution", "Exponential", "Laplace", "LogNormal", "Normal", "OneHotCategorical",
    "Poisson", "Uniform", "constraints", "kl_divergence",
]  # fmt: skip
