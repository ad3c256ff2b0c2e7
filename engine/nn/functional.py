"""`torch.nn.functional`: functions whose records say "nn", attached by engine.install for modules to call."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from engine.absent import message

_FUNCTIONS: dict[str, Callable[..., Any]] = {}
VF = SimpleNamespace()
"""The functions of `torch` itself, for modules that call them: `VF.lstm`, `VF.linalg.cholesky`."""


def attach(callables: dict[str, dict[str, Callable[..., Any]]]) -> None:
    """Make the functions of torch.nn attributes of this module; those of torch and torch.linalg, attributes of VF."""
    _FUNCTIONS.update(callables["nn"])
    globals().update(callables["nn"])
    VF.__dict__.update(callables["function"], linalg=SimpleNamespace(**callables["linalg"]))


def public() -> dict[str, Callable[..., Any]]:
    """The functions by name."""
    return dict(_FUNCTIONS)


def __getattr__(name: str) -> Any:
    """A name that is not there: AttributeError."""
    here = "torch.nn.functional"
    raise AttributeError(message(here, name, _FUNCTIONS, f"module '{here}' has no attribute '{name}'"))
