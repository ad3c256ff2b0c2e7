"""`torch.utils.hooks`: what registering a hook returns."""

from engine.graph import RemovableHandle

__all__ = ["RemovableHandle"]
