"""torch.utils: feeding data, recomputing activations."""

from engine.utils import checkpoint, data, hooks

__all__ = ["checkpoint", "data", "hooks"]
