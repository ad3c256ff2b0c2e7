"""What PyTorch's shorter way through encoder layers, taken where nothing is trained, does differently.

It leaves padded places out of the computation altogether and fills them with zeros, and it asks other questions about
the shapes of masks. https://docs.pytorch.org/docs/stable/generated/torch.nn.TransformerEncoder.html
"""

from typing import Any

import numpy as np

from engine.modes import STATE
from engine.nn.modules.module import Module
from engine.settings import SETTINGS
from engine.warning import warn_once

_PROTOTYPE = (
    "The PyTorch API of nested tensors is in prototype stage and will change in the near future. We recommend "
    "specifying layout=torch.jagged when constructing a nested tensor, as this layout receives active development, has "
    "better operator coverage, and works with torch.compile."
)


def _nothing_is_trained(layers: Module, src: Any) -> bool:
    if layers.training or not SETTINGS.fast_attention:
        return False
    return not (STATE.grad_enabled and (src._needs_grad or any(p._needs_grad for p in layers.parameters())))


def leaves_padding_out(encoder: Any, src: Any, mask: Any, key_padding_mask: Any) -> bool:
    """Whether an encoder computes only what is no padding. Raises RuntimeError for a mask that does not fit."""
    if key_padding_mask is None or mask is not None or not encoder.use_nested_tensor or src.dim() != 3:
        return False
    if encoder.layers[0].training or not SETTINGS.fast_attention:
        return False
    if encoder.mask_check and not _left_aligned(src, key_padding_mask):
        return False
    if not _nothing_is_trained(encoder.layers[0], src):
        return False
    warn_once(_PROTOTYPE)
    return True


def _left_aligned(src: Any, key_padding_mask: Any) -> bool:
    padded = _padded(key_padding_mask)
    if padded.shape != src.shape[:2]:
        raise RuntimeError("Mask size should match input size")
    return not bool((padded[:, :-1] & ~padded[:, 1:]).any())


def _padded(key_padding_mask: Any) -> np.ndarray:
    """Where there is padding: true, or a number other than zero."""
    return np.asarray(key_padding_mask._a != 0)


def without_padding(output: Any, key_padding_mask: Any) -> Any:
    """The output with zeros at all padded places."""
    return output.masked_fill(type(output)._wrap(_padded(key_padding_mask)).unsqueeze(-1), 0.0)


def check_short_way(layer: Any, src: Any, mask: Any, key_padding_mask: Any) -> None:
    """Raise RuntimeError for masks that do not fit, if a layer takes the shorter way."""
    attention = layer.self_attn
    plain = (
        src.dim() == 3
        and attention.batch_first
        and attention.in_proj_bias is not None
        and attention._qkv_same_embed_dim
        and layer.activation_relu_or_gelu
        and layer.norm1.eps == layer.norm2.eps
        and attention.num_heads % 2 == 0
    )
    if not plain or not _nothing_is_trained(layer, src):
        return
    if any(m._forward_hooks or m._forward_pre_hooks for m in layer.modules()):
        return
    batch, length, size = src.shape
    if mask is not None:
        mask.view((batch, -1, length, length) if mask.dim() == 3 else (1, 1, length, length))
        if key_padding_mask is not None:
            key_padding_mask.view(batch, 1, 1, length)
    if size != attention.embed_dim:
        raise RuntimeError(f"passed-in embed_dim {attention.embed_dim} didn't match last dim of query {size}")
    if mask is None and key_padding_mask is not None and tuple(key_padding_mask.shape) != (batch, length):
        raise RuntimeError("For mask_type == 1 mask shape should be (B, L)")
