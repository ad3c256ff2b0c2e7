"""Softmax with its options: what programs call."""

import warnings
from typing import Any

from engine.composite import composite, python_function
from engine.ops.softmax import LOG_SOFTMAX, SOFTMAX
from engine.warning import warn

_EVERYWHERE = ("function", "method", "special")


@composite("softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", where=_EVERYWHERE)
def softmax(self: Any, dim: int, dtype: Any = None) -> Any:
    """Exponentials that sum to one along `dim`."""
    return SOFTMAX(self if dtype is None else self.to(dtype), dim, False)


@composite("log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", where=_EVERYWHERE)
def log_softmax(self: Any, dim: int, dtype: Any = None) -> Any:
    """Logarithm of the softmax."""
    return LOG_SOFTMAX(self if dtype is None else self.to(dtype), dim, False)


def _implied_dim(name: str, ndim: int, stacklevel: int) -> int:
    text = f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument."
    if stacklevel == 3:
        warn(text)
    else:  # called by a module: PyTorch's warning then points into PyTorch
        warnings.warn(text, stacklevel=1)
    return 0 if ndim in (0, 1, 3) else 1


@python_function("nn")
def softmin(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Softmax of the negated input."""
    dim = _implied_dim("softmin", input.dim(), _stacklevel) if dim is None else dim
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def _of_dim(name: str) -> Any:
    def function(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
        dim = _implied_dim(name, input.dim(), _stacklevel) if dim is None else dim
        method = getattr(input, name)
        return method(dim) if dtype is None else method(dim, dtype=dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} along `dim`; a missing `dim` is guessed, with a warning."
    return python_function("nn")(function)


F_SOFTMAX, F_LOG_SOFTMAX = _of_dim("softmax"), _of_dim("log_softmax")
