"""Making a module without giving its parameters first values."""

import inspect
from typing import Any

from engine.generators import fork_rng
from engine.nn.modules.module import Module


def skip_init(module_cls: Any, *args: Any, **kwargs: Any) -> Any:
    """A module of a class whose parameters hold what its memory held; no random number is drawn.

    Raises RuntimeError unless the class is a Module's and takes a device.
    """
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    device = kwargs.pop("device", "cpu")
    with fork_rng():
        return module_cls(*args, **kwargs).to_empty(device=device)


__all__ = ["skip_init"]
