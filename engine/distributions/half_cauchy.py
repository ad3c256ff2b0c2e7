"""The size of a Cauchy number."""

import math
from typing import Any

from engine.distributions.cauchy import Cauchy
from engine.distributions.one_sided import OneSided
from engine.nn.functional import VF


class HalfCauchy(OneSided):
    """The size of a Cauchy number about 0."""

    base = Cauchy

    @property
    def mean(self) -> Any:
        """inf"""
        return VF.full(self._extended_shape(), math.inf, dtype=self.scale.dtype)

    @property
    def variance(self) -> Any:
        """The expected squared distance from the mean."""
        return self.base_dist.variance


__all__ = ["HalfCauchy"]
