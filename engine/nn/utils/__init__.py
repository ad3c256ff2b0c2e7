"""torch.nn.utils: clipping gradients, parameters as one vector, normalised weights, packed sequences."""

from engine.nn.utils.clip import (
    clip_grad_norm,
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
