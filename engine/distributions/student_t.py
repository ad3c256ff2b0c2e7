"""Student's t distribution."""

import math
from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.chi2 import Chi2
from engine.distributions.distribution import Distribution, broadcast_all, standard_normal
from engine.nn.functional import VF


class StudentT(Distribution):
    """A normal number over the root of the mean of `df` squared ones, moved to `loc` and stretched by `scale`."""

    arg_constraints: ClassVar[dict[str, Any]] = {
        "df": constraints.positive, "loc": constraints.real, "scale": constraints.positive,
    }  # fmt: skip
    support = constraints.real
    has_rsample = True

    def __init__(self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool | None = None) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        super().__init__(self.df.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape."""
        new = super().expand(batch_shape)
        new._chi2 = self._chi2.expand(batch_shape)
        return new

    @property
    def mean(self) -> Any:
        """loc; nan for a df of at most 1"""
        mean = self.loc.clone()
        mean[self.df <= 1] = math.nan
        return mean

    @property
    def mode(self) -> Any:
        """loc"""
        return self.loc

    @property
    def variance(self) -> Any:
        """inf for a df of at most 2, nan for one of at most 1"""
        variance, df = self.df.clone(), self.df
        known = df > 2
        variance[known] = self.scale[known].pow(2) * df[known] / (df[known] - 2)
        variance[(df <= 2) & (df > 1)] = math.inf
        variance[df <= 1] = math.nan
        return variance

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws through which the parameters receive gradients."""
        normal = standard_normal(self._extended_shape(sample_shape), self.df.dtype)
        y = normal * VF.rsqrt(self._chi2.rsample(sample_shape) / self.df)
        return self.loc + self.scale * y

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        df, y = self.df, (value - self.loc) / self.scale
        whole = self.scale.log() + 0.5 * df.log() + 0.5 * math.log(math.pi)
        whole = whole + VF.lgamma(0.5 * df) - VF.lgamma(0.5 * (df + 1.0))
        return -0.5 * (df + 1.0) * VF.log1p(y**2.0 / df) - whole

    def entropy(self) -> Any:
        """The entropy, in nats."""
        df = self.df
        log_beta = VF.lgamma(0.5 * df) + math.lgamma(0.5) - VF.lgamma(0.5 * (df + 1))
        slopes = VF.digamma(0.5 * (df + 1)) - VF.digamma(0.5 * df)
        return self.scale.log() + 0.5 * (df + 1) * slopes + 0.5 * df.log() + log_beta


__all__ = ["StudentT"]
