"""Draws sent through transforms."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import Distribution, sum_last
from engine.distributions.independent import Independent
from engine.distributions.transforms.transform import ComposeTransform, Transform
from engine.modes import no_grad
from engine.size import Size


class TransformedDistribution(Distribution):
    """Draws of a base distribution, sent through transforms."""

    arg_constraints: ClassVar[dict[str, Any]] = {}

    def __init__(self, base_distribution: Any, transforms: Any, validate_args: bool | None = None) -> None:
        if isinstance(transforms, Transform):
            transforms = [transforms]
        elif not isinstance(transforms, list):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        elif not all(isinstance(t, Transform) for t in transforms):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        self.transforms = transforms
        base_shape = Size((*base_distribution.batch_shape, *base_distribution.event_shape))
        base_event_dim = len(base_distribution.event_shape)
        whole = ComposeTransform(transforms)
        taken, given = whole.domain.event_dim, whole.codomain.event_dim
        if len(base_shape) < taken:
            raise ValueError(f"base_distribution needs to have shape with size at least {taken}, but got {base_shape}.")
        shape = whole.forward_shape(base_shape)
        needed = whole.inverse_shape(shape)
        if base_shape != needed:
            base_distribution = base_distribution.expand(needed[: len(needed) - base_event_dim])
        if taken > base_event_dim:
            base_distribution = Independent(base_distribution, taken - base_event_dim)
        self.base_dist = base_distribution
        cut = len(shape) - max(given, base_event_dim + given - taken)
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape."""
        new = super().expand(batch_shape)
        shape = ComposeTransform(self.transforms).inverse_shape(Size((*batch_shape, *self.event_shape)))
        new.base_dist = self.base_dist.expand(shape[: len(shape) - len(self.base_dist.event_shape)])
        return new

    @property
    def has_rsample(self) -> Any:  # type: ignore[override]
        """That of the base."""
        return self.base_dist.has_rsample

    @property
    def support(self) -> Any:  # type: ignore[override]
        """What the last transform gives."""
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        more = len(self.event_shape) - support.event_dim
        return constraints.independent(support, more) if more > 0 else support

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws, without a gradient."""
        with no_grad():
            return ComposeTransform(self.transforms)(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws through which the parameters receive gradients."""
        return ComposeTransform(self.transforms)(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density: the base's, less that of the change of volume."""
        self._validate_sample(value)
        event_dim = len(self.event_shape)
        total: Any = 0.0
        for transform in reversed(self.transforms):
            before = transform.inv(value)
            event_dim += transform.domain.event_dim - transform.codomain.event_dim
            change = transform.log_abs_det_jacobian(before, value)
            total = total - sum_last(change, event_dim - transform.domain.event_dim)
            value = before
        return total + sum_last(self.base_dist.log_prob(value), event_dim - len(self.base_dist.event_shape))

    def _turned(self, probability: Any) -> Any:
        """1 - p where the transforms decrease."""
        sign = ComposeTransform(self.transforms).sign
        return probability if isinstance(sign, int) and sign == 1 else sign * (probability - 0.5) + 0.5

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        self.base_dist._validate_sample(value)
        return self._turned(self.base_dist.cdf(value))

    def icdf(self, value: Any) -> Any:
        """The value that is not exceeded with a given probability."""
        return ComposeTransform(self.transforms)(self.base_dist.icdf(self._turned(value)))


__all__ = ["TransformedDistribution"]
