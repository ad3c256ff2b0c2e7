"""One of several distributions."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.categorical import Categorical
from engine.distributions.distribution import Distribution, sum_last
from engine.modes import no_grad
from engine.nn.functional import VF


class _OfAnyComponent(constraints.Constraint):
    """What the components allow, for values without the components' dimension."""

    def __init__(self, base_constraint: Any) -> None:
        self.base_constraint = base_constraint
        self.is_discrete, self.event_dim = base_constraint.is_discrete, base_constraint.event_dim

    def check(self, value: Any) -> Any:
        holds = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        return sum_last(~holds, self.event_dim + 1 if holds.dim() > value.dim() - self.event_dim else 0) == 0

    def __repr__(self) -> str:
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


class MixtureSameFamily(Distribution):
    """One of several distributions, drawn by a Categorical; the last batch dimension counts them."""

    arg_constraints: ClassVar[dict[str, Any]] = {}

    def __init__(
        self, mixture_distribution: Any, component_distribution: Any, validate_args: bool | None = None
    ) -> None:
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")
        of_mixture, of_parts = mixture_distribution.batch_shape, component_distribution.batch_shape[:-1]
        if any(1 != a != b != 1 for a, b in zip(reversed(of_mixture), reversed(of_parts), strict=False)):
            raise ValueError(
                f"`mixture_distribution.batch_shape` ({of_mixture}) is not compatible with "
                f"`component_distribution.batch_shape`({of_parts})"
            )
        weights, parts = mixture_distribution.logits.shape[-1], component_distribution.batch_shape[-1]
        if weights != parts:
            raise ValueError(
                f"`mixture_distribution component` ({weights}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({parts})"
            )
        self.mixture_distribution, self.component_distribution = mixture_distribution, component_distribution
        super().__init__(of_parts, component_distribution.event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same mixture for a larger batch shape."""
        new = self._with_shape(batch_shape)
        parts = self.component_distribution.batch_shape[-1]
        new.component_distribution = self.component_distribution.expand((*batch_shape, parts))
        new.mixture_distribution = self.mixture_distribution.expand(batch_shape)
        return new

    @property
    def support(self) -> Any:  # type: ignore[override]
        """That of the components."""
        return _OfAnyComponent(self.component_distribution.support)

    def _weights(self) -> Any:
        probs = self.mixture_distribution.probs
        given = len(self.mixture_distribution.batch_shape)
        more = 0 if given == 1 else len(self.batch_shape) - given
        ones = (1,) * len(self.event_shape)
        return probs.reshape((*probs.shape[:-1], *(1,) * more, probs.shape[-1], *ones))

    @property
    def _parts(self) -> int:
        return -1 - len(self.event_shape)

    @property
    def mean(self) -> Any:
        """The weighted mean of the means."""
        return VF.sum(self._weights() * self.component_distribution.mean, dim=self._parts)

    @property
    def variance(self) -> Any:
        """The mean of the variances, and the variance of the means."""
        weights, parts = self._weights(), self.component_distribution
        within = VF.sum(weights * parts.variance, dim=self._parts)
        apart = (parts.mean - self.mean.unsqueeze(self._parts)).pow(2.0)
        return within + VF.sum(weights * apart, dim=self._parts)

    def cdf(self, x: Any) -> Any:  # type: ignore[override]
        """The probability of at most `x`."""
        of_parts = self.component_distribution.cdf(x.unsqueeze(self._parts))
        return VF.sum(of_parts * self.mixture_distribution.probs, dim=-1)

    def log_prob(self, x: Any) -> Any:  # type: ignore[override]
        """The logarithm of the weighted density."""
        self._validate_sample(x)
        of_parts = self.component_distribution.log_prob(x.unsqueeze(self._parts))
        weights = VF.log_softmax(self.mixture_distribution.logits, dim=-1)
        return VF.logsumexp(of_parts + weights, dim=-1)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws of every component, of which the drawn one is kept."""
        with no_grad():
            dim, ones = len(sample_shape) + len(self.batch_shape), [1] * len(self.event_shape)
            drawn = self.mixture_distribution.sample(sample_shape)
            values = self.component_distribution.sample(sample_shape)
            index = drawn.reshape((*drawn.shape, 1, *ones)).repeat((*[1] * (drawn.dim() + 1), *self.event_shape))
            return VF.gather(values, dim, index).squeeze(dim)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"


__all__ = ["MixtureSameFamily"]
