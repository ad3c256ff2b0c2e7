"""What counts of successes share: a number of trials beside the probability."""

from typing import Any

from engine.distributions.by_probabilities import ByProbabilities
from engine.distributions.distribution import broadcast_all


class Counted(ByProbabilities):
    """Holds `total_count`, and `probs` or `logits`."""

    def _take_with_count(self, total_count: Any, probs: Any, logits: Any, validate_args: bool | None) -> None:
        counts, self._param = broadcast_all(total_count, self._take(probs, logits))
        setattr(self, "probs" if probs is not None else "logits", self._param)
        self.total_count = counts.type_as(self._param)
        super().__init__(self._param.size(), validate_args=validate_args)
