"""An autograd engine on numpy that speaks PyTorch's API. `install_as_torch()` makes `import torch` find it."""

from engine.install import install_as_torch

__all__ = ["install_as_torch"]
