"""Activations."""

from typing import Any

from engine.nn import functional as F
from engine.nn.init import constant_
from engine.nn.modules.make import empty
from engine.nn.modules.module import Module
from engine.nn.parameter import Parameter
from engine.warning import warn


class Activation(Module):
    """A module around one function of torch.nn.functional.

    `function` is the function's name, `given` the attributes it receives by name, `shown` those that repr shows.
    """

    function = ""
    given: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()

    def _take(self, **values: Any) -> None:
        Module.__init__(self)
        for name, value in values.items():
            setattr(self, name, value)

    def forward(self, input: Any) -> Any:
        """The function of the input."""
        return getattr(F, self.function)(input, **{name: getattr(self, name) for name in self.given})

    def extra_repr(self) -> str:
        parts = [f"{name}={getattr(self, name)!r}" for name in self.shown]
        if getattr(self, "inplace", False):
            parts.append("inplace=True")
        return ", ".join(parts)


class ReLU(Activation):
    """max(0, x)"""

    function, given = "relu", ("inplace",)

    def __init__(self, inplace: bool = False) -> None:
        self._take(inplace=inplace)

    def forward(self, input: Any) -> Any:
        """max(0, input)."""
        return F.relu(input, inplace=self.inplace)


class Threshold(Activation):
    """x above the threshold, else a value."""

    function, given = "threshold", ("threshold", "value", "inplace")
    shown = ("threshold", "value")

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        self._take(threshold=threshold, value=value, inplace=inplace)


class RReLU(Activation):
    """A random slope below zero while training."""

    function, given, shown = "rrelu", ("lower", "upper", "training", "inplace"), ("lower", "upper")

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        self._take(lower=lower, upper=upper, inplace=inplace)


class Hardtanh(Activation):
    """x clamped to a range."""

    function, given = "hardtanh", ("min_val", "max_val", "inplace")
    shown: tuple[str, ...] = ("min_val", "max_val")

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        if min_value is not None:
            warn("keyword argument `min_value` is deprecated and renamed to `min_val`", FutureWarning)
            min_val = min_value
        if max_value is not None:
            warn("keyword argument `max_value` is deprecated and renamed to `max_val`", FutureWarning)
            max_val = max_value
        self._take(min_val=min_val, max_val=max_val, inplace=inplace)
        if max_val <= min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")


class ReLU6(Hardtanh):
    """x clamped to [0, 6]."""

    shown = ()

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)


class Sigmoid(Activation):
    """1 / (1 + exp(-x))"""

    def forward(self, input: Any) -> Any:
        """The logistic function."""
        return input.sigmoid()


class Tanh(Activation):
    """The hyperbolic tangent."""

    def forward(self, input: Any) -> Any:
        """tanh(input)."""
        return input.tanh()


class _InPlace(Activation):
    """An activation whose only option is whether it changes its input."""

    given = ("inplace",)

    def __init__(self, inplace: bool = False) -> None:
        self._take(inplace=inplace)


class Hardsigmoid(_InPlace):
    """A sigmoid of straight lines."""

    function = "hardsigmoid"

    def extra_repr(self) -> str:
        return ""


class Hardswish(_InPlace):
    """x times the hard sigmoid."""

    function = "hardswish"

    def extra_repr(self) -> str:
        return ""


class SiLU(_InPlace):
    """x times its sigmoid."""

    function = "silu"


class Mish(_InPlace):
    """x tanh(softplus(x))"""

    function = "mish"


class SELU(_InPlace):
    """The self-normalising ELU."""

    function = "selu"


class _Exponential(Activation):
    given, shown = ("alpha", "inplace"), ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self._take(alpha=alpha, inplace=inplace)


class ELU(_Exponential):
    """x above zero, alpha (exp(x) - 1) below."""

    function = "elu"


class CELU(_Exponential):
    """The continuously differentiable ELU."""

    function = "celu"


class GELU(Activation):
    """x times the normal distribution function of x."""

    function, given, shown = "gelu", ("approximate",), ("approximate",)

    def __init__(self, approximate: str = "none") -> None:
        self._take(approximate=approximate)


class GLU(Activation):
    """One half gated by the sigmoid of the other."""

    function, given, shown = "glu", ("dim",), ("dim",)

    def __init__(self, dim: int = -1) -> None:
        self._take(dim=dim)


class LeakyReLU(Activation):
    """x above zero, a small slope below."""

    function, given, shown = "leaky_relu", ("negative_slope", "inplace"), ("negative_slope",)

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        self._take(negative_slope=negative_slope, inplace=inplace)


class LogSigmoid(Activation):
    """log(sigmoid(x))"""

    function = "logsigmoid"


class Softplus(Activation):
    """A smooth ReLU."""

    function, given, shown = "softplus", ("beta", "threshold"), ("beta", "threshold")

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        self._take(beta=beta, threshold=threshold)


class _Shrink(Activation):
    given = ("lambd",)

    def __init__(self, lambd: float = 0.5) -> None:
        self._take(lambd=lambd)

    def extra_repr(self) -> str:
        return f"{self.lambd}"


class Hardshrink(_Shrink):
    """Zero near zero."""

    function = "hardshrink"


class Softshrink(_Shrink):
    """Zero near zero, shifted towards it elsewhere."""

    function = "softshrink"


class Softsign(Activation):
    """x / (1 + |x|)"""

    function = "softsign"


class Tanhshrink(Activation):
    """x - tanh(x)"""

    function = "tanhshrink"


class PReLU(Activation):
    """A learned slope below zero."""

    weight: Any
    shown = ("num_parameters",)

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        self._take(num_parameters=num_parameters, init=init)
        self.weight = Parameter(empty(num_parameters, device, dtype))
        constant_(self.weight, init)

    def reset_parameters(self) -> None:
        """Set the slopes to their first value."""
        self.weight.data.fill_(self.init)

    def forward(self, input: Any) -> Any:
        """The slopes are multiplied where the input is below zero."""
        return F.prelu(input, self.weight)


class _Fractions(Activation):
    shown = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        self._take(dim=dim)

    def forward(self, input: Any) -> Any:
        """Fractions along `dim` that sum to 1."""
        return getattr(F, self.function)(input, self.dim, _stacklevel=5)


class Softmin(_Fractions):
    """Softmax of -x."""

    function = "softmin"


class Softmax(_Fractions):
    """exp(x) as fractions of their sum."""

    function = "softmax"


class LogSoftmax(_Fractions):
    """The logarithm of the softmax."""

    function = "log_softmax"


class Softmax2d(Activation):
    """Softmax over the channels of an image."""

    def forward(self, input: Any) -> Any:
        """Fractions over the channels. Raises ValueError unless the input is 3- or 4-dimensional."""
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3, _stacklevel=5)


__all__ = [
    "CELU", "ELU", "GELU", "GLU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU", "LogSigmoid",
    "LogSoftmax", "Mish", "PReLU", "RReLU", "ReLU", "ReLU6", "SELU", "Sigmoid", "SiLU", "Softmax", "Softmax2d",
    "Softmin",
    "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink", "Threshold",
]  # fmt: skip
