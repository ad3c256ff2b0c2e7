"""Pruning: a parameter times a mask of zeros and ones, computed before each forward."""

from typing import Any

import numpy as np

from engine import random
from engine.nn.parameter import Parameter
from engine.tensor import Tensor


class _Mask:
    """The hook of a pruned parameter."""

    def __init__(self, name: str) -> None:
        self._tensor_name = name

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    def apply_mask(self, module: Any) -> Any:
        """The parameter with its pruned elements zero."""
        mask = getattr(module, self._tensor_name + "_mask")
        original = getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=original.dtype) * original


def _hook_of(module: Any, name: str) -> tuple[int, _Mask] | None:
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, _Mask) and hook._tensor_name == name:
            return key, hook
    return None


def custom_from_mask(module: Any, name: str, mask: Any) -> Any:
    """Prune a parameter by a mask; what was pruned before stays so."""
    found = _hook_of(module, name)
    if found is None:
        original = getattr(module, name)
        del module._parameters[name]
        module.register_parameter(name + "_orig", original)
        module.register_buffer(name + "_mask", mask.to(dtype=original.dtype))
        module.register_forward_pre_hook(_Mask(name))
        hook = _hook_of(module, name)
    else:
        hook = found
        setattr(module, name + "_mask", getattr(module, name + "_mask") * mask)
    setattr(module, name, hook[1].apply_mask(module))  # type: ignore[index]
    return module


def _count(amount: Any, size: int) -> int:
    """How many of `size` elements an amount means. Raises ValueError for an impossible one."""
    if isinstance(amount, int):
        if amount < 0:
            raise ValueError(
                f"amount={amount} should be either a float in the range [0.0, 1.0] or a non-negative integer"
            )
        if amount > size:
            raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
        return amount
    if not 0.0 <= amount <= 1.0:
        raise ValueError(f"amount={amount} should be either a float in the range [0.0, 1.0] or a non-negative integer")
    return round(amount * size)


def _prune(module: Any, name: str, amount: Any, choose: Any) -> Any:
    """Prune `amount` of the elements that are still there, those that `choose` names among them."""
    found = _hook_of(module, name)
    values = getattr(module, name if found is None else name + "_orig")._a.ravel()
    mask = np.ones_like(values) if found is None else getattr(module, name + "_mask")._a.ravel().copy()
    left = np.flatnonzero(mask)
    mask[left[choose(values[left], _count(amount, left.size))]] = 0
    shape = getattr(module, name).shape
    return custom_from_mask(module, name, Tensor._wrap(mask.reshape(shape)))


def l1_unstructured(module: Any, name: str, amount: Any) -> Any:
    """Prune the smallest elements: a count of them, or a fraction."""
    return _prune(module, name, amount, lambda values, n: np.argsort(np.abs(values), kind="stable")[:n])


def random_unstructured(module: Any, name: str, amount: Any) -> Any:
    """Prune elements at random: a count of them, or a fraction."""

    def choose(values: np.ndarray, n: int) -> np.ndarray:
        drawn = random.uniform(None, values.shape)
        return np.argsort(-drawn, kind="stable")[:n]

    return _prune(module, name, amount, choose)


def identity(module: Any, name: str) -> Any:
    """A mask of ones."""
    return _prune(module, name, 0, lambda values, n: np.arange(0))


def is_pruned(module: Any) -> bool:
    """Whether a parameter here or below is pruned."""
    return any(isinstance(h, _Mask) for m in module.modules() for h in m._forward_pre_hooks.values())


def remove(module: Any, name: str) -> Any:
    """Make the pruned values the parameter itself. Raises ValueError when it is not pruned."""
    found = _hook_of(module, name)
    if found is None:
        raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")
    key, hook = found
    weight = hook.apply_mask(module)
    if hasattr(module, name):
        delattr(module, name)
    original = module._parameters.pop(name + "_orig")
    original.data = weight.data
    del module._buffers[name + "_mask"]
    setattr(module, name, Parameter(original.data))
    del module._forward_pre_hooks[key]
    return module


__all__ = ["custom_from_mask", "identity", "is_pruned", "l1_unstructured", "random_unstructured", "remove"]
