"""The size of a normal number."""

import math
from typing import Any

from engine.distributions.normal import Normal
from engine.distributions.one_sided import OneSided


class HalfNormal(OneSided):
    """The size of a normal number of mean 0."""

    base = Normal

    @property
    def mean(self) -> Any:
        """scale sqrt(2 / pi)"""
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Any:
        """scale^2 (1 - 2 / pi)"""
        return self.scale.pow(2) * (1 - 2 / math.pi)


__all__ = ["HalfNormal"]
