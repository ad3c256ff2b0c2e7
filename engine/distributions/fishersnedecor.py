"""Fisher's F distribution."""

import math
from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import Distribution, broadcast_all
from engine.distributions.gamma import Gamma
from engine.dtypes import finfo
from engine.nn.functional import VF


class FisherSnedecor(Distribution):
    """The ratio of two mean squares, of `df1` and `df2` normal numbers."""

    arg_constraints: ClassVar[dict[str, Any]] = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, df1: Any, df2: Any, validate_args: bool | None = None) -> None:
        self.df1, self.df2 = broadcast_all(df1, df2)
        self._gamma1, self._gamma2 = Gamma(self.df1 * 0.5, self.df1), Gamma(self.df2 * 0.5, self.df2)
        super().__init__(self.df1.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape."""
        new = super().expand(batch_shape)
        new._gamma1, new._gamma2 = self._gamma1.expand(batch_shape), self._gamma2.expand(batch_shape)
        return new

    @property
    def mean(self) -> Any:
        """df2 / (df2 - 2); nan for a df2 of at most 2"""
        df2 = self.df2.clone()
        df2[df2 <= 2] = math.nan
        return df2 / (df2 - 2)

    @property
    def mode(self) -> Any:
        """nan for a df1 of at most 2"""
        mode = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        mode[self.df1 <= 2] = math.nan
        return mode

    @property
    def variance(self) -> Any:
        """nan for a df2 of at most 4"""
        df1, df2 = self.df1, self.df2.clone()
        df2[df2 <= 4] = math.nan
        return 2 * df2.pow(2) * (df1 + df2 - 2) / (df1 * (df2 - 2).pow(2) * (df2 - 4))

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws through which the parameters receive gradients."""
        shape = self._extended_shape(sample_shape)
        above = self._gamma1.rsample(sample_shape).view(shape)
        below = self._gamma2.rsample(sample_shape).view(shape)
        tiny = finfo(below.dtype).tiny
        below.clamp_(min=tiny)
        ratio = above / below
        ratio.clamp_(min=tiny)
        return ratio

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        half1, half2, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        first = (half1 + half2).lgamma() - half1.lgamma() - half2.lgamma()
        second = half1 * ratio.log() + (half1 - 1) * VF.log(value)
        return first + second - (half1 + half2) * VF.log1p(ratio * value)


__all__ = ["FisherSnedecor"]
