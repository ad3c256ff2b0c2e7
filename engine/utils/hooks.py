"""`torch.utils.hooks`: what registering a hook returns."""

from collections.abc import Callable
from typing import Any

from engine.graph import RemovableHandle
from engine.warning import warn


def unserializable_hook(f: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a hook as one that is left out on purpose when its tensor is saved."""
    f.__torch_unserializable__ = True  # type: ignore[attr-defined]
    return f


def warn_if_has_hooks(tensor: Any) -> None:
    """Warn of the hooks of a tensor that are not saved with it."""
    for hook in (tensor._hooks or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warn(
                f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you can decorate the "
                "function with @torch.utils.hooks.unserializable_hook to suppress this warning"
            )


__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]
