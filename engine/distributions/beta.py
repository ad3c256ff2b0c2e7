"""The beta distribution."""

from typing import Any, ClassVar

from engine.creation import tensor
from engine.distributions import constraints
from engine.distributions.dirichlet import Dirichlet
from engine.distributions.distribution import broadcast_all
from engine.distributions.exp_family import ExponentialFamily
from engine.nn.functional import VF
from engine.tensor import TensorBase


class Beta(ExponentialFamily):
    """A fraction: the first of two that a Dirichlet draws."""

    arg_constraints: ClassVar[dict[str, Any]] = {
        "concentration1": constraints.positive, "concentration0": constraints.positive,
    }  # fmt: skip
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None) -> None:
        if isinstance(concentration1, TensorBase) or isinstance(concentration0, TensorBase):
            both = VF.stack(broadcast_all(concentration1, concentration0), -1)
        else:
            both = tensor([float(concentration1), float(concentration0)])
        self._dirichlet = Dirichlet(both, validate_args=validate_args)
        super().__init__(self._dirichlet._batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape."""
        new = self._with_shape(batch_shape)
        new._dirichlet = self._dirichlet.expand(batch_shape)
        return new

    @property
    def concentration1(self) -> Any:
        """How strongly the fraction itself is drawn."""
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self) -> Any:
        """How strongly the rest is drawn."""
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self) -> Any:
        """concentration1 as a fraction of both"""
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self) -> Any:
        """The likeliest fraction."""
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self) -> Any:
        """The expected squared distance from the mean."""
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws through which the concentrations receive gradients."""
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        return self._dirichlet.log_prob(VF.stack([value, 1.0 - value], -1))

    def entropy(self) -> Any:
        """The entropy, in nats."""
        return self._dirichlet.entropy()

    @property
    def _natural_params(self) -> Any:
        return self.concentration1, self.concentration0

    def _log_normalizer(self, x: Any, y: Any) -> Any:  # type: ignore[override]
        return VF.lgamma(x) + VF.lgamma(y) - VF.lgamma(x + y)


__all__ = ["Beta"]
