"""The Dirichlet distribution."""

from typing import Any, ClassVar

from engine.autograd.function import Function, once_differentiable
from engine.distributions import constraints
from engine.distributions.exp_family import ExponentialFamily
from engine.nn import functional as F
from engine.nn.functional import VF


class _Dirichlet(Function):
    """A draw, through which the concentrations receive implicit gradients."""

    @staticmethod
    def forward(ctx: Any, concentration: Any) -> Any:  # type: ignore[override]
        x = VF._sample_dirichlet(concentration)
        ctx.save_for_backward(x, concentration)
        return x

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_output: Any) -> Any:  # type: ignore[override]
        x, concentration = ctx.saved_tensors
        total = concentration.sum(-1, True).expand_as(concentration)
        slope = VF._dirichlet_grad(x, concentration, total)
        return slope * (grad_output - (x * grad_output).sum(-1, True))


class Dirichlet(ExponentialFamily):
    """Fractions that sum to 1; the last dimension holds how strongly each is drawn."""

    arg_constraints: ClassVar[dict[str, Any]] = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, concentration: Any, validate_args: bool | None = None) -> None:
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    @property
    def mean(self) -> Any:
        """The concentrations as fractions of their sum."""
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self) -> Any:
        """The likeliest fractions; a corner where all concentrations are below 1."""
        above = (self.concentration - 1).clamp(min=0.0)
        mode = above / above.sum(-1, True)
        corner = (self.concentration < 1).all(dim=-1)
        mode[corner] = F.one_hot(mode[corner].argmax(dim=-1), above.shape[-1]).to(mode)
        return mode

    @property
    def variance(self) -> Any:
        """The variance of each fraction."""
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws through which the concentrations receive gradients."""
        return _Dirichlet.apply(self.concentration.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        c = self.concentration
        return VF.xlogy(c - 1.0, value).sum(-1) + VF.lgamma(c.sum(-1)) - VF.lgamma(c).sum(-1)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        c, count = self.concentration, self.concentration.size(-1)
        total = c.sum(-1)
        spread = VF.lgamma(c).sum(-1) - VF.lgamma(total)
        return spread - (count - total) * VF.digamma(total) - ((c - 1.0) * VF.digamma(c)).sum(-1)

    @property
    def _natural_params(self) -> Any:
        return (self.concentration,)

    def _log_normalizer(self, x: Any) -> Any:  # type: ignore[override]
        return x.lgamma().sum(-1) - VF.lgamma(x.sum(-1))


__all__ = ["Dirichlet"]
