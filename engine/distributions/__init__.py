"""torch.distributions: random variables with densities and gradients."""

from engine.distributions import constraints, transforms
from engine.distributions.bernoulli import Bernoulli
from engine.distributions.categorical import Categorical
from engine.distributions.cauchy import Cauchy
from engine.distributions.distribution import Distribution
from engine.distributions.exponential import Exponential
from engine.distributions.geometric import Geometric
from engine.distributions.gumbel import Gumbel
from engine.distributions.half_cauchy import HalfCauchy
from engine.distributions.half_normal import HalfNormal
from engine.distributions.independent import Independent
from engine.distributions.kl import kl_divergence, register_kl
from engine.distributions.laplace import Laplace
from engine.distributions.log_normal import LogNormal
from engine.distributions.logistic_normal import LogisticNormal
from engine.distributions.mixture_same_family import MixtureSameFamily
from engine.distributions.multivariate_normal import MultivariateNormal
from engine.distributions.normal import Normal
from engine.distributions.one_hot_categorical import OneHotCategorical, OneHotCategoricalStraightThrough
from engine.distributions.pareto import Pareto
from engine.distributions.poisson import Poisson
from engine.distributions.relaxed_bernoulli import RelaxedBernoulli
from engine.distributions.relaxed_categorical import RelaxedOneHotCategorical
from engine.distributions.transformed_distribution import TransformedDistribution
from engine.distributions.transforms import (
    AbsTransform,
    AffineTransform,
    ComposeTransform,
    ExpTransform,
    IndependentTransform,
    LowerCholeskyTransform,
    PowerTransform,
    SigmoidTransform,
    SoftmaxTransform,
    SoftplusTransform,
    StickBreakingTransform,
    TanhTransform,
    Transform,
    identity_transform,
)
from engine.distributions.uniform import Uniform
from engine.distributions.weibull import Weibull

__all__ = [
    "AbsTransform", "AffineTransform", "Bernoulli", "Categorical", "Cauchy", "ComposeTransform", "Distribution",
    "ExpTransform", "Exponential", "Geometric", "Gumbel", "HalfCauchy", "HalfNormal", "Independent",
    "IndependentTransform", "Laplace", "LogNormal", "LogisticNormal", "LowerCholeskyTransform", "MixtureSameFamily",
    "MultivariateNormal", "Normal", "OneHotCategorical", "OneHotCategoricalStraightThrough", "Pareto", "Poisson",
    "PowerTransform", "RelaxedBernoulli", "RelaxedOneHotCategorical", "SigmoidTransform", "SoftmaxTransform",
    "SoftplusTransform", "StickBreakingTransform", "TanhTransform", "Transform", "TransformedDistribution", "Uniform",
    "Weibull", "constraints", "identity_transform", "kl_divergence", "register_kl", "transforms",
]  # fmt: skip
