"""What exponential families share."""

from typing import Any

from engine.autograd.calls import grad
from engine.distributions.distribution import Distribution


class ExponentialFamily(Distribution):
    """A density exp(parameters · statistics - log normalizer + carrier), of which subclasses give the parts.

    The derivatives of the log normalizer are the expected statistics; entropy follows from them.
    """

    @property
    def _natural_params(self) -> Any:
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Any) -> Any:
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> Any:
        raise NotImplementedError

    def entropy(self) -> Any:
        """The entropy, in nats."""
        result = -self._mean_carrier_measure
        params = [p.detach().requires_grad_() for p in self._natural_params]
        log_normalizer = self._log_normalizer(*params)
        expected = grad(log_normalizer.sum(), params, create_graph=True)
        result = result + log_normalizer
        for param, statistic in zip(params, expected, strict=True):
            result = result - (param * statistic).reshape((*self._batch_shape, -1)).sum(-1)
        return result


__all__ = ["ExponentialFamily"]
