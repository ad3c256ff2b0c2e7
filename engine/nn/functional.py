"""`torch.nn.functional`: functions whose records say "nn", attached by engine.install for modules to call."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from engine.absent import message

_FUNCTIONS: dict[str, Callable[..., Any]] = {}
VF = SimpleNamespace()
"""The functions of `torch` itself, for modules that call them: `VF.lstm`."""


def attach(functions: dict[str, Callable[..., Any]], of_torch: dict[str, Callable[..., Any]]) -> None:
    """Make the functions attributes of this module, and those of `torch` attributes of VF."""
    _FUNCTIONS.update(functions)
    globals().update(functions)
    VF.__dict__.update(of_torch)


def public() -> dict[str, Callable[..., Any]]:
    """The functions by name."""
    return dict(_FUNCTIONS)


def __getattr__(name: str) -> Any:
    """A name that is not there: AttributeError."""
    here = "torch.nn.functional"
    raise AttributeError(message(here, name, _FUNCTIONS, f"module '{here}' has no attribute '{name}'"))
