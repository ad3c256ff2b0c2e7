"""Correlation matrices at random, as Lewandowski, Kurowicka and Joe draw them: the lower triangular factors."""

import math
from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.beta import Beta
from engine.distributions.distribution import Distribution, broadcast_all
from engine.dtypes import finfo
from engine.nn.functional import VF


class LKJCholesky(Distribution):
    """Factors of correlation matrices (dim, dim); the larger `concentration`, the nearer to the identity."""

    arg_constraints: ClassVar[dict[str, Any]] = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim: int, concentration: Any = 1.0, validate_args: bool | None = None) -> None:
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        marginal = self.concentration + 0.5 * (dim - 2)
        rows = VF.arange(dim - 1, dtype=self.concentration.dtype)
        rows = VF.cat([rows.new_zeros((1,)), rows])
        self._beta = Beta(rows + 0.5, marginal.unsqueeze(-1) - 0.5 * rows)
        super().__init__(self.concentration.size(), (dim, dim), validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape."""
        new = super().expand(batch_shape)
        new._beta = self._beta.expand((*batch_shape, self.dim))
        return new

    def sample(self, sample_shape: Any = ()) -> Any:
        """Row by row: a length that a beta distribution draws, in a direction that normal numbers give."""
        lengths = self._beta.sample(sample_shape).unsqueeze(-1)
        directions = VF.randn(self._extended_shape(sample_shape), dtype=lengths.dtype).tril(-1)
        directions = directions / directions.norm(dim=-1, keepdim=True)
        directions[..., 0, :].fill_(0.0)  # the first row has no direction
        rows = VF.sqrt(lengths) * directions
        rest = VF.clamp(1 - VF.sum(rows**2, dim=-1), min=finfo(rows.dtype).tiny).sqrt()
        rows += VF.diag_embed(rest)
        return rows

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density of a factor."""
        self._validate_sample(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - VF.arange(2, self.dim + 1)
        unnormalized = VF.sum(order * diagonal.log(), dim=-1)
        below = self.dim - 1
        alpha = self.concentration + 0.5 * below
        divisor = VF.lgamma(alpha) * below
        dividend = VF.mvlgamma(alpha - 0.5, below)
        return unnormalized - (0.5 * below * math.log(math.pi) + dividend - divisor)


__all__ = ["LKJCholesky"]
