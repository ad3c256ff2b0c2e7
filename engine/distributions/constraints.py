"""`torch.distributions.constraints`: what parameters and values must satisfy."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.dtypes import finfo
from engine.nn.functional import VF


class Constraint:
    """A condition on a tensor; the last `event_dim` dimensions are judged together."""

    is_discrete = False
    event_dim = 0

    def check(self, value: Any) -> Any:
        """A bool tensor: where the condition holds."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return type(self).__name__.lstrip("_") + "()"


class _Real(Constraint):
    def check(self, value: Any) -> Any:
        return value == value  # nan is no real number


class _Boolean(Constraint):
    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value == 0) | (value == 1)


class _OneHot(Constraint):
    is_discrete = True
    event_dim = 1

    def check(self, value: Any) -> Any:
        whole = (value == 0) | (value == 1)
        return whole.all(-1) & value.sum(-1).eq(1)


class _Simplex(Constraint):
    event_dim = 1

    def check(self, value: Any) -> Any:
        return VF.all(value >= 0, -1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Bounded(Constraint):
    bounds: dict[str, Any]

    def _bound(self, **bounds: Any) -> None:
        self.bounds = bounds
        self.__dict__.update(bounds)

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={value}" for name, value in self.bounds.items())
        return f"{type(self).__name__.lstrip('_')}({inner})"


class _Above(_Bounded):
    lower_bound: Any

    def __init__(self, lower_bound: Any) -> None:
        self._bound(lower_bound=lower_bound)


class _Below(_Bounded):
    upper_bound: Any

    def __init__(self, upper_bound: Any) -> None:
        self._bound(upper_bound=upper_bound)


class _Between(_Bounded):
    lower_bound: Any
    upper_bound: Any

    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        self._bound(lower_bound=lower_bound, upper_bound=upper_bound)


class _GreaterThan(_Above):
    def check(self, value: Any) -> Any:
        return value > self.lower_bound


class _LessThan(_Below):
    def check(self, value: Any) -> Any:
        return value < self.upper_bound


class _GreaterThanEq(_Above):
    def check(self, value: Any) -> Any:
        return value >= self.lower_bound


class _Interval(_Between):
    def check(self, value: Any) -> Any:
        return (value >= self.lower_bound) & (value <= self.upper_bound)


class _HalfOpenInterval(_Between):
    def check(self, value: Any) -> Any:
        return (value >= self.lower_bound) & (value < self.upper_bound)


class _IntegerInterval(_Between):
    is_discrete = True

    def check(self, value: Any) -> Any:
        whole = value % 1 == 0
        return whole & (value >= self.lower_bound) & (value <= self.upper_bound)


class _IntegerGreaterThan(_Above):
    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value % 1 == 0) & (value >= self.lower_bound)


class _Multinomial(Constraint):
    """Counts, of which there are at most so many."""

    is_discrete = True
    event_dim = 1

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound

    def check(self, x: Any) -> Any:  # type: ignore[override]  # PyTorch's name for it
        return (x >= 0).all(dim=-1) & (x.sum(dim=-1) <= self.upper_bound)


class _IndependentConstraint(Constraint):
    """A condition on single draws, for draws whose last `reinterpreted_batch_ndims` dimensions belong together."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        self.base_constraint, self.reinterpreted_batch_ndims = base_constraint, reinterpreted_batch_ndims
        self.is_discrete = base_constraint.is_discrete
        self.event_dim = base_constraint.event_dim + reinterpreted_batch_ndims

    def check(self, value: Any) -> Any:
        holds = self.base_constraint.check(value)
        if holds.dim() < self.reinterpreted_batch_ndims:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return holds.reshape((*holds.shape[: holds.dim() - self.reinterpreted_batch_ndims], -1)).all(-1)

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class _OfSlices(Constraint):
    """Several conditions side by side, each on its slice of the dimension `dim`."""

    def __init__(self, cseq: Sequence[Any], dim: int) -> None:
        if not all(isinstance(c, Constraint) for c in cseq):
            raise AssertionError("All elements of cseq must be Constraint instances")
        self.cseq, self.dim = list(cseq), dim

    @property
    def is_discrete(self) -> bool:  # type: ignore[override]
        """Whether any of them is."""
        return any(c.is_discrete for c in self.cseq)

    def _check_dim(self, value: Any) -> None:
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for value with {value.dim()} dimensions")


class _Cat(_OfSlices):
    """Conditions on neighbouring pieces, each `lengths[i]` long."""

    def __init__(self, cseq: Sequence[Any], dim: int = 0, lengths: Sequence[int] | None = None) -> None:
        super().__init__(cseq, dim)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.cseq):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match cseq ({len(self.cseq)})")

    @property
    def event_dim(self) -> int:  # type: ignore[override]
        """The largest of theirs."""
        return max(c.event_dim for c in self.cseq)

    def check(self, value: Any) -> Any:
        self._check_dim(value)
        starts = [sum(self.lengths[:i]) for i in range(len(self.lengths))]
        pieces = [value.narrow(self.dim, start, n) for start, n in zip(starts, self.lengths, strict=True)]
        return VF.cat([c.check(piece) for c, piece in zip(self.cseq, pieces, strict=True)], self.dim)


class _Stack(_OfSlices):
    """Conditions on the places of a dimension, one each."""

    def __init__(self, cseq: Sequence[Any], dim: int = 0) -> None:
        super().__init__(cseq, dim)

    @property
    def event_dim(self) -> int:  # type: ignore[override]
        """The largest of theirs, and one more where the dimension itself lies before those."""
        dim = max(c.event_dim for c in self.cseq)
        return dim + 1 if self.dim + dim < 0 else dim

    def check(self, value: Any) -> Any:
        self._check_dim(value)
        places = [value.select(self.dim, i) for i in range(value.size(self.dim))]
        return VF.stack([c.check(place) for c, place in zip(self.cseq, places, strict=False)], self.dim)


class _LowerCholesky(Constraint):
    event_dim = 2

    def check(self, value: Any) -> Any:
        lower = (value.tril() == value).view((*value.shape[:-2], -1)).all(-1)
        return lower & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _LowerTriangular(Constraint):
    event_dim = 2

    def check(self, value: Any) -> Any:
        return (value.tril() == value).view((*value.shape[:-2], -1)).all(-1)


class _CorrCholesky(Constraint):
    """Lower triangular factors of correlation matrices: every row has the length 1."""

    event_dim = 2

    def check(self, value: Any) -> Any:
        tolerance = finfo(value.dtype).eps * value.size(-1) * 10
        lengths = VF.linalg.norm(value.detach(), dim=-1)
        return lower_cholesky.check(value) & (lengths - 1.0).abs().le(tolerance).all(dim=-1)


class _Square(Constraint):
    event_dim = 2

    def check(self, value: Any) -> Any:
        return VF.full(value.shape[:-2], value.shape[-2] == value.shape[-1])


class _Symmetric(_Square):
    def check(self, value: Any) -> Any:
        square = super().check(value)
        return VF.isclose(value, value.mT, atol=1e-6).all(-2).all(-1) if bool(square.all()) else square


class _PositiveSemidefinite(_Symmetric):
    def check(self, value: Any) -> Any:
        symmetric = super().check(value)
        return VF.linalg.eigvalsh(value).ge(0).all(-1) if bool(symmetric.all()) else symmetric


class _PositiveDefinite(_Symmetric):
    def check(self, value: Any) -> Any:
        symmetric = super().check(value)
        return VF.linalg.cholesky_ex(value).info.eq(0) if bool(symmetric.all()) else symmetric


class _Dependent(Constraint):
    """A condition that depends on other parameters; of a class it may say how many dimensions belong together."""

    def __init__(self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented) -> None:
        self._is_discrete, self._event_dim = is_discrete, event_dim

    @property
    def is_discrete(self) -> bool:  # type: ignore[override]
        """As it was said. Raises NotImplementedError where it was not."""
        if self._is_discrete is NotImplemented:
            raise NotImplementedError(".is_discrete cannot be determined statically")
        return self._is_discrete

    @property
    def event_dim(self) -> int:  # type: ignore[override]
        """The same of the dimensions."""
        if self._event_dim is NotImplemented:
            raise NotImplementedError(".event_dim cannot be determined statically")
        return self._event_dim

    def __call__(self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented) -> Any:
        """Another one, of which more is said."""
        return _Dependent(
            is_discrete=self._is_discrete if is_discrete is NotImplemented else is_discrete,
            event_dim=self._event_dim if event_dim is NotImplemented else event_dim,
        )

    def check(self, x: Any) -> Any:  # type: ignore[override]  # PyTorch's name for it
        raise ValueError("Cannot determine validity of dependent constraint")


class _DependentProperty(property, _Dependent):
    """A property of a distribution that gives its constraint; read from the class, a dependent constraint itself."""

    def __init__(
        self,
        fn: Callable[..., Any] | None = None,
        *,
        is_discrete: Any = NotImplemented,
        event_dim: Any = NotImplemented,
    ) -> None:
        super().__init__(fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def __call__(self, fn: Callable[..., Any]) -> Any:  # type: ignore[override]
        """The decorator with what was said: `@dependent_property(is_discrete=True, event_dim=1)`."""
        return _DependentProperty(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


def is_dependent(constraint: Any) -> bool:
    """Whether a constraint is one that other parameters decide."""
    return isinstance(constraint, _Dependent)


real = _Real()
boolean = _Boolean()
simplex = _Simplex()
one_hot = _OneHot()
dependent, dependent_property = _Dependent(), _DependentProperty
lower_cholesky = _LowerCholesky()
lower_triangular = _LowerTriangular()
corr_cholesky = _CorrCholesky()
positive_semidefinite = _PositiveSemidefinite()
square = _Square()
symmetric = _Symmetric()
positive_definite = _PositiveDefinite()
positive = _GreaterThan(lower_bound=0.0)
nonnegative_integer = _IntegerGreaterThan(lower_bound=0)
positive_integer = _IntegerGreaterThan(lower_bound=1)
nonnegative = _GreaterThanEq(lower_bound=0.0)
unit_interval = _Interval(lower_bound=0.0, upper_bound=1.0)
greater_than, less_than, greater_than_eq = _GreaterThan, _LessThan, _GreaterThanEq
independent = _IndependentConstraint
real_vector = independent(real, 1)
multinomial = _Multinomial
cat, stack = _Cat, _Stack
interval, half_open_interval = _Interval, _HalfOpenInterval
integer_interval = _IntegerInterval

__all__ = [
    "Constraint", "boolean", "cat", "corr_cholesky", "dependent", "dependent_property", "greater_than",
    "greater_than_eq", "half_open_interval", "independent", "integer_interval", "interval", "is_dependent",
    "less_than", "lower_cholesky", "lower_triangular", "multinomial", "nonnegative", "nonnegative_integer", "one_hot",
    "positive", "positive_definite", "positive_integer", "positive_semidefinite", "real", "real_vector", "simplex",
    "square", "stack", "symmetric", "unit_interval",
]  # fmt: skip
