"""What all distributions share: shapes, checks, text."""

import copy
import math
from collections.abc import Callable
from typing import Any, ClassVar

from engine.creation import tensor
from engine.distributions import constraints
from engine.dtypes import get_default_dtype
from engine.modes import enable_grad, no_grad
from engine.nn.functional import VF
from engine.size import Size
from engine.tensor import TensorBase

EULER = 0.57721566490153286060
"""The Euler-Mascheroni constant."""


def broadcast_all(*values: Any) -> tuple[Any, ...]:
    """Numbers and tensors as tensors of one shape. Raises ValueError for anything else."""
    if not all(isinstance(v, TensorBase | int | float) for v in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."
        )
    given = [v for v in values if isinstance(v, TensorBase)]
    dtype = given[0].dtype if given else get_default_dtype()
    return tuple(VF.broadcast_tensors(*[v if isinstance(v, TensorBase) else tensor(v, dtype=dtype) for v in values]))


def standard_normal(shape: Any, dtype: Any) -> Any:
    """Normal numbers of mean 0 and standard deviation 1, one by one as PyTorch draws them for distributions."""
    return VF.normal(VF.zeros(shape, dtype=dtype), VF.ones(shape, dtype=dtype))


def sum_last(value: Any, dims: int) -> Any:
    """The sums over the last `dims` dimensions."""
    return value.reshape((*value.shape[: value.dim() - dims], -1)).sum(-1) if dims else value


class lazy_property:
    """An attribute that is computed when first asked for, and kept in the instance."""

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self.compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        with enable_grad():  # a draw may be the first to ask
            value = instance.__dict__[self.name] = self.compute(instance)
        return value


class Distribution:
    """A family with its parameters. `batch_shape` counts distributions, `event_shape` is that of one draw."""

    has_rsample = False
    arg_constraints: ClassVar[dict[str, Any]] = {}
    support: Any = None
    _validate_args = True

    def __init__(self, batch_shape: Any = (), event_shape: Any = (), validate_args: bool | None = None) -> None:
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether distributions check parameters and values when not told. Raises ValueError unless a bool."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def _check_parameters(self) -> None:
        for name, constraint in self.arg_constraints.items():
            computed = name not in self.__dict__ and not isinstance(getattr(type(self), name, None), property)
            if constraints.is_dependent(constraint) or computed:
                continue
            value = getattr(self, name)
            if not bool(constraint.check(value).all()):
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
                    f"{self!r} to satisfy the constraint {constraint!r}, but found invalid values:\n{value}"
                )

    def _validate_sample(self, value: Any) -> None:
        """Raise ValueError for a value that cannot be a draw."""
        if not self._validate_args:
            return
        if not isinstance(value, TensorBase):
            raise ValueError("The value argument to log_prob must be a Tensor")
        shape, wanted = value.size(), Size((*self._batch_shape, *self._event_shape))
        if shape[len(shape) - len(self._event_shape) :] != self._event_shape:
            raise ValueError(f"The right-most size of value must match event_shape: {shape} vs {self._event_shape}.")
        if any(1 != a != b != 1 for a, b in zip(reversed(shape), reversed(wanted), strict=False)):
            raise ValueError(f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {wanted}.")
        support = self.support
        if support is not None and not bool(support.check(value).all()):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the "
                f"support ({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    @property
    def batch_shape(self) -> Size:
        """The shape of the parameters."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one draw."""
        return self._event_shape

    def _extended_shape(self, sample_shape: Any = ()) -> Size:
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape. Raises RuntimeError where the parameters do not expand."""
        new = self._with_shape(batch_shape)
        for name in self.arg_constraints:
            if name in self.__dict__:
                value = self.__dict__[name]
                of_event = value.shape[len(self._batch_shape) :]
                new.__dict__[name] = value.expand((*new._batch_shape, *of_event))
        return new

    def _with_shape(self, batch_shape: Any) -> Any:
        new = copy.copy(self)
        new._batch_shape = Size(batch_shape)
        return new

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws, without a gradient."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws through which the parameters receive gradients."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Any:
        """n draws."""
        return self.sample((n,))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density, or of the probability."""
        raise NotImplementedError

    def entropy(self) -> Any:
        """The entropy, in nats."""
        raise NotImplementedError

    @property
    def mean(self) -> Any:
        """The expected value."""
        raise NotImplementedError

    @property
    def variance(self) -> Any:
        """The expected squared distance from the mean."""
        raise NotImplementedError

    @property
    def mode(self) -> Any:
        """The likeliest value."""
        raise NotImplementedError(f"{type(self)} does not implement mode")

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        raise NotImplementedError

    def icdf(self, value: Any) -> Any:
        """The value that is not exceeded with a given probability."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Any:
        """All values of a discrete distribution, along a first dimension."""
        raise NotImplementedError

    @property
    def stddev(self) -> Any:
        """The square root of the variance."""
        return self.variance.sqrt()

    def perplexity(self) -> Any:
        """exp(entropy)."""
        return VF.exp(self.entropy())

    def __repr__(self) -> str:
        shown = []
        for name in self.arg_constraints:
            if name in self.__dict__:
                value = self.__dict__[name]
                shown.append(f"{name}: {value if value.numel() == 1 else value.size()}")
        return f"{type(self).__name__}({', '.join(shown)})"


def count(shape: Any) -> int:
    """The number of elements of a shape."""
    return math.prod(shape)


__all__ = ["Distribution"]
