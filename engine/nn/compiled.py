"""`torch.compile`: nothing is compiled; a function comes back as it is, a module in a shell that calls it."""

from collections.abc import Callable
from typing import Any

from engine.nn.modules.module import Module


class OptimizedModule(Module):
    """What PyTorch wraps a compiled module in; the module inside runs as it is written."""

    def __init__(self, mod: Module) -> None:
        super().__init__()
        self._orig_mod = mod
        self.training = mod.training

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module inside computes."""
        return self._orig_mod(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name == "_orig_mod":
            return self._modules["_orig_mod"]
        return getattr(self._orig_mod, name)


def compile(
    model: Callable[..., Any] | None = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: Any = None,
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    name: str | None = None,
    disable: bool = False,
    recompile_limit: int | None = None,
    isolate_recompiles: bool = False,
    shapes_spec: Any = None,
) -> Any:
    """The model without a change of what it computes. Works as a decorator with options too."""
    if model is None:
        return compile
    if not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")
    return OptimizedModule(model) if isinstance(model, Module) else model


__all__ = ["OptimizedModule"]
