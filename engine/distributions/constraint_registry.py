"""`biject_to` and `transform_to`: from a constraint the transform that makes free numbers satisfy it.

Reference: https://docs.pytorch.org/docs/stable/distributions.html#module-torch.distributions.constraint_registry
"""

from collections.abc import Callable
from typing import Any

from engine.distributions import constraints
from engine.distributions.transforms import (
    AffineTransform,
    CatTransform,
    ComposeTransform,
    CorrCholeskyTransform,
    ExpTransform,
    IndependentTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    SigmoidTransform,
    SoftmaxTransform,
    StackTransform,
    StickBreakingTransform,
    Transform,
    identity_transform,
)

Factory = Callable[[Any], Transform]


class ConstraintRegistry:
    """Which transform leads to which kind of constraint."""

    def __init__(self) -> None:
        self._registry: dict[type, Factory] = {}

    def register(self, constraint: Any, factory: Factory | None = None) -> Any:
        """Say how the transform to a kind of constraint is made; without a factory, a decorator for one."""
        if factory is None:
            return lambda made: self.register(constraint, made)
        kind = type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, constraints.Constraint):
            raise TypeError(f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}")
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint: Any) -> Transform:
        """The transform to a constraint. Raises NotImplementedError for a kind that has none."""
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()
_BOTH = (biject_to, transform_to)


def _above(constraint: Any) -> Transform:
    return ComposeTransform([ExpTransform(), AffineTransform(constraint.lower_bound, 1)])


def _below(constraint: Any) -> Transform:
    return ComposeTransform([ExpTransform(), AffineTransform(constraint.upper_bound, -1)])


def _between(constraint: Any) -> Transform:
    low, high = constraint.lower_bound, constraint.upper_bound
    if type(low) in (int, float) and type(high) in (int, float) and (low, high) == (0, 1):
        return SigmoidTransform()
    return ComposeTransform([SigmoidTransform(), AffineTransform(low, high - low)])


def _independent(registry: ConstraintRegistry) -> Factory:
    return lambda c: IndependentTransform(registry(c.base_constraint), c.reinterpreted_batch_ndims)


def _cat(registry: ConstraintRegistry) -> Factory:
    return lambda c: CatTransform([registry(part) for part in c.cseq], c.dim, c.lengths)


def _stack(registry: ConstraintRegistry) -> Factory:
    return lambda c: StackTransform([registry(part) for part in c.cseq], c.dim)


for _registry in _BOTH:
    _registry.register(constraints.real, lambda _: identity_transform)
    _registry.register(constraints.independent, _independent(_registry))
    _registry.register(constraints.positive, _above)
    _registry.register(constraints.greater_than_eq, _above)
    _registry.register(constraints.less_than, _below)
    _registry.register(constraints.interval, _between)
    _registry.register(constraints.half_open_interval, _between)
    _registry.register(constraints.corr_cholesky, lambda _: CorrCholeskyTransform())
    _registry.register(constraints.cat, _cat(_registry))
    _registry.register(constraints.stack, _stack(_registry))
biject_to.register(constraints.simplex, lambda _: StickBreakingTransform())
transform_to.register(constraints.simplex, lambda _: SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda _: LowerCholeskyTransform())
transform_to.register(constraints.positive_definite, lambda _: PositiveDefiniteTransform())
transform_to.register(constraints.positive_semidefinite, lambda _: PositiveDefiniteTransform())

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]
