"""torch.amp: mixed precision on the CPU, where the short type is bfloat16."""

from engine.amp.autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from engine.amp.grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]
