"""How the weights of convolutions lie in memory."""

from typing import Any

from engine.nn.modules.conv import Conv2d, Conv3d, ConvTranspose2d, ConvTranspose3d
from engine.nn.modules.module import Module


def convert_conv2d_weight_memory_format(module: Any, memory_format: Any) -> Any:
    """Lay the weights of all convolutions of images in a memory format, in place. Returns the module."""
    return _converted(module, memory_format, (Conv2d, ConvTranspose2d))


def convert_conv3d_weight_memory_format(module: Any, memory_format: Any) -> Any:
    """The same for convolutions of volumes."""
    return _converted(module, memory_format, (Conv3d, ConvTranspose3d))


def _converted(module: Module, memory_format: Any, kinds: tuple[type[Module], ...]) -> Module:
    if isinstance(module, kinds):
        weight: Any = module.weight
        weight.data = weight.detach().clone(memory_format=memory_format)
    for child in module.children():
        _converted(child, memory_format, kinds)
    return module


__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]
