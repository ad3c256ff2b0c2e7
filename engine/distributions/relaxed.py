"""What relaxed distributions share."""

from typing import Any

from engine.distributions.transformed_distribution import TransformedDistribution


class Relaxed(TransformedDistribution):
    """Its parameters are the base's."""

    @property
    def temperature(self) -> Any:
        """That of the base."""
        return self.base_dist.temperature

    @property
    def probs(self) -> Any:
        """That of the base."""
        return self.base_dist.probs

    @property
    def logits(self) -> Any:
        """That of the base."""
        return self.base_dist.logits
