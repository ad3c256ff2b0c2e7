"""Several distributions as one of a larger event."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import Distribution, sum_last


class Independent(Distribution):
    """A distribution whose last `reinterpreted_batch_ndims` batch dimensions belong to one draw."""

    arg_constraints: ClassVar[dict[str, Any]] = {}

    def __init__(
        self, base_distribution: Any, reinterpreted_batch_ndims: int, validate_args: bool | None = None
    ) -> None:
        given = len(base_distribution.batch_shape)
        if reinterpreted_batch_ndims > given:
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), "
                f"actual {reinterpreted_batch_ndims} vs {given}"
            )
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims
        shape = (*base_distribution.batch_shape, *base_distribution.event_shape)
        cut = given - reinterpreted_batch_ndims
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape."""
        new = self._with_shape(batch_shape)
        new.base_dist = self.base_dist.expand((*batch_shape, *self.event_shape[: self.reinterpreted_batch_ndims]))
        return new

    @property
    def has_rsample(self) -> Any:  # type: ignore[override]
        """That of the base."""
        return self.base_dist.has_rsample

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self.base_dist.mean

    @property
    def mode(self) -> Any:
        """The likeliest value."""
        return self.base_dist.mode

    @property
    def variance(self) -> Any:
        """The expected squared distance from the mean."""
        return self.base_dist.variance

    @property
    def support(self) -> Any:  # type: ignore[override]
        """That of the base, for draws of more dimensions."""
        dims = self.reinterpreted_batch_ndims
        return constraints.independent(self.base_dist.support, dims) if dims else self.base_dist.support

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws, without a gradient."""
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws through which the parameters receive gradients."""
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Any) -> Any:
        """The sum of the logarithms."""
        return sum_last(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Any:
        """The sum of the entropies, in nats."""
        return sum_last(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Any:
        """All values. Raises NotImplementedError for more than one dimension of them."""
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand=expand)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"


__all__ = ["Independent"]
