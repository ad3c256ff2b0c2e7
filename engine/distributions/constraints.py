"""`torch.distributions.constraints`: what parameters and values must satisfy."""

from typing import Any

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


class _RealVector(_Real):
    event_dim = 1

    def check(self, value: Any) -> Any:
        return super().check(value).all(-1)


class _Boolean(Constraint):
    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value == 0) | (value == 1)


class _Simplex(Constraint):
    event_dim = 1

    def check(self, value: Any) -> Any:
        return VF.all(value >= 0, -1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Bounded(Constraint):
    def __init__(self, **bounds: Any) -> None:
        self.__dict__.update(bounds)
        self.bounds = bounds

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={value}" for name, value in self.bounds.items())
        return f"{type(self).__name__.lstrip('_')}({inner})"


class _GreaterThan(_Bounded):
    def check(self, value: Any) -> Any:
        return value > self.lower_bound  # type: ignore[attr-defined]


class _LessThan(_Bounded):
    def check(self, value: Any) -> Any:
        return value < self.upper_bound  # type: ignore[attr-defined]


class _GreaterThanEq(_Bounded):
    def check(self, value: Any) -> Any:
        return value >= self.lower_bound  # type: ignore[attr-defined]


class _Interval(_Bounded):
    def check(self, value: Any) -> Any:
        return (value >= self.lower_bound) & (value <= self.upper_bound)  # type: ignore[attr-defined]


class _HalfOpenInterval(_Bounded):
    def check(self, value: Any) -> Any:
        return (value >= self.lower_bound) & (value < self.upper_bound)  # type: ignore[attr-defined]


class _IntegerInterval(_Bounded):
    is_discrete = True

    def check(self, value: Any) -> Any:
        whole = value % 1 == 0
        return whole & (value >= self.lower_bound) & (value <= self.upper_bound)  # type: ignore[attr-defined]


class _Dependent(Constraint):
    """A condition that depends on other parameters; it is not checked by itself."""


real = _Real()
real_vector = _RealVector()
boolean = _Boolean()
simplex = _Simplex()
dependent = _Dependent()
positive = _GreaterThan(lower_bound=0.0)
nonnegative = _GreaterThanEq(lower_bound=0.0)
unit_interval = _Interval(lower_bound=0.0, upper_bound=1.0)
greater_than, less_than = _GreaterThan, _LessThan
interval, half_open_interval = _Interval, _HalfOpenInterval
integer_interval = _IntegerInterval

__all__ = [
    "Constraint", "boolean", "dependent", "greater_than", "half_open_interval", "integer_interval", "interval",
    "less_than",
    "nonnegative", "positive", "real", "real_vector", "simplex", "unit_interval",
]  # fmt: skip
