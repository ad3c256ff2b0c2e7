"""Pruning: a parameter times a mask of zeros and ones, computed before each forward.

Reference: https://docs.pytorch.org/docs/stable/nn.html#utilities
"""

import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np

from engine import random
from engine.nn.parameter import Parameter
from engine.tensor import Tensor


class BasePruningMethod(ABC):
    """A way of choosing what is pruned: `compute_mask`. An instance is the hook of a pruned parameter."""

    PRUNING_TYPE = "unstructured"
    _tensor_name: str

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask for a tensor, of which `default_mask` prunes some already."""

    def apply_mask(self, module: Any) -> Any:
        """The parameter with its pruned elements zero."""
        mask = getattr(module, self._tensor_name + "_mask")
        original = getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module: Any, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any) -> Any:
        """Prune a parameter by this method; what was pruned before stays so. Returns the method that is in charge."""
        method: BasePruningMethod = cls(*args, **kwargs)
        method._tensor_name = name
        key, before = _hook_of(module, name) or (None, None)
        if before is not None:
            container = before if isinstance(before, PruningContainer) else PruningContainer(before)
            container.add_pruning_method(method)
            del module._forward_pre_hooks[key]
            method = container
        original = getattr(module, name)
        scores = original if importance_scores is None else importance_scores
        if scores.shape != original.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter                 {name} of {module}"
            )
        if before is None:
            mask = method.compute_mask(scores, _like(original, np.ones(original.shape)))
            module.register_parameter(name + "_orig", module._parameters.pop(name))
        else:
            mask = method.compute_mask(scores, getattr(module, name + "_mask").detach().clone())
        module.register_buffer(name + "_mask", mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """A tensor with what this method prunes of it set to zero."""
        scores = t if importance_scores is None else importance_scores
        mask = _like(t, np.ones(t.shape)) if default_mask is None else default_mask
        return t * self.compute_mask(scores, mask)

    def remove(self, module: Any) -> None:
        """Make the pruned values the parameter itself."""
        weight = self.apply_mask(module)
        if hasattr(module, self._tensor_name):
            delattr(module, self._tensor_name)
        original = module._parameters.pop(self._tensor_name + "_orig")
        original.data = weight.data
        del module._buffers[self._tensor_name + "_mask"]
        setattr(module, self._tensor_name, original if isinstance(original, Parameter) else Parameter(original.data))


class PruningContainer(BasePruningMethod):
    """Several methods that pruned one parameter, one after the other."""

    PRUNING_TYPE = "combination"

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[BasePruningMethod, ...] = ()
        methods = tuple(args[0]) if len(args) == 1 and isinstance(args[0], Iterable) else args
        self._tensor_name = methods[0]._tensor_name if methods else ""
        for method in methods:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Let a method prune what the others left. Raises TypeError for another object, ValueError for another name."""
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(
                "Can only add pruning methods acting on the parameter named "
                f"'{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'"
            )
        if method is not None:
            self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Any:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: int) -> BasePruningMethod:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """What the last method added prunes of the elements, or channels, that are still there."""
        method, mask = self._pruning_methods[-1], default_mask.to(dtype=t.dtype)
        if method.PRUNING_TYPE == "unstructured":
            left: Any = mask == 1
        elif method.PRUNING_TYPE == "structured":
            dim = method.dim % t.ndim  # type: ignore[attr-defined]
            alive = mask._a.any(axis=tuple(d for d in range(t.ndim) if d != dim))
            left = tuple(np.flatnonzero(alive) if d == dim else slice(None) for d in range(t.ndim))
            left = tuple(Tensor._wrap(x) if isinstance(x, np.ndarray) else x for x in left)
        elif method.PRUNING_TYPE == "global":
            left = (slice(None),) * t.ndim
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        partial = method.compute_mask(t[left], mask[left])
        mask[left] = partial.to(mask.dtype)
        return mask


class Identity(BasePruningMethod):
    """Prunes nothing."""

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask as it is."""
        return default_mask


class _Amount(BasePruningMethod):
    """Prunes a count or a fraction of the elements, those that `chosen` says."""

    def __init__(self, amount: Any) -> None:
        _check_amount(amount)
        self.amount = amount

    def chosen(self, t: Any, count: int) -> np.ndarray:
        """Numbers of the elements to prune, in the flattened tensor."""
        raise NotImplementedError

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask with the chosen elements zero too."""
        count = _count(self.amount, t.numel())
        mask = np.array(default_mask._a)
        if count:
            mask.reshape(-1)[self.chosen(t, count)] = 0
        return Tensor._wrap(mask)


class RandomUnstructured(_Amount):
    """Prunes elements at random."""

    def chosen(self, t: Any, count: int) -> np.ndarray:
        """Those that drew the highest numbers."""
        return np.argsort(-random.uniform(None, (t.numel(),), t._a.dtype), kind="stable")[:count]


class L1Unstructured(_Amount):
    """Prunes the smallest elements."""

    def chosen(self, t: Any, count: int) -> np.ndarray:
        """Those of the smallest magnitude."""
        return np.argsort(np.abs(t._a).ravel(), kind="stable")[:count]


class _Channels(_Amount):
    """Prunes whole channels along `dim`."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, dim: int = -1) -> None:
        super().__init__(amount)
        self.dim = dim

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask with the chosen channels zero too."""
        if t.ndim <= 1:
            raise ValueError(
                "Structured pruning can only be applied to "
                f"multidimensional tensors. Found tensor of shape {t.shape} with {t.ndim} dims"
            )
        if self.dim >= t.ndim:
            raise IndexError(f"Invalid index {self.dim} for tensor of size {t.shape}")
        count = _count(self.amount, t.shape[self.dim])
        if not count:
            return default_mask
        kept = np.moveaxis(np.zeros_like(t._a), self.dim, 0)
        kept[self.chosen(t, t.shape[self.dim] - count)] = 1
        return default_mask * Tensor._wrap(np.moveaxis(kept, 0, self.dim))

    def chosen(self, t: Any, count: int) -> np.ndarray:
        """Numbers of the channels to keep."""
        raise NotImplementedError


class RandomStructured(_Channels):
    """Prunes channels at random."""

    def chosen(self, t: Any, count: int) -> np.ndarray:
        """Those that drew the highest numbers stay."""
        return np.argsort(-random.uniform(None, (t.shape[self.dim],)), kind="stable")[:count]


class LnStructured(_Channels):
    """Prunes the channels of the smallest norm."""

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        super().__init__(amount, dim)
        self.n = n

    def chosen(self, t: Any, count: int) -> np.ndarray:
        """Those of the largest norm stay."""
        flat = np.moveaxis(t._a, self.dim, 0).reshape(t.shape[self.dim], -1)
        order = None if self.n == "fro" else self.n
        norms = np.linalg.norm(flat, order, axis=1)  # type: ignore[arg-type]
        return np.argsort(-norms, kind="stable")[:count]


class CustomFromMask(BasePruningMethod):
    """Prunes what a mask says."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Both masks."""
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def _like(t: Any, a: np.ndarray) -> Tensor:
    return Tensor._wrap(a.astype(t._a.dtype))


def _hook_of(module: Any, name: str) -> tuple[int, BasePruningMethod] | None:
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            return key, hook
    return None


def _check_amount(amount: Any) -> None:
    """Raise TypeError or ValueError for what is neither a count nor a fraction."""
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    whole = isinstance(amount, numbers.Integral)
    if (whole and amount < 0) or (not whole and not 0.0 <= amount <= 1.0):  # type: ignore[operator]
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")


def _count(amount: Any, size: int) -> int:
    """How many of `size` an amount means. Raises ValueError for more than there are."""
    if not isinstance(amount, numbers.Integral):
        return round(amount * size)
    if amount > size:  # type: ignore[operator]
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
    return int(amount)


def identity(module: Any, name: str) -> Any:
    """A mask of ones."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Any, name: str, amount: Any) -> Any:
    """Prune elements at random: a count of them, or a fraction."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Any, name: str, amount: Any, importance_scores: Any = None) -> Any:
    """Prune the smallest elements: a count of them, or a fraction."""
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Any, name: str, amount: Any, dim: int) -> Any:
    """Prune channels along `dim` at random: a count of them, or a fraction."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module: Any, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None) -> Any:
    """Prune the channels along `dim` with the smallest n-norm: a count of them, or a fraction."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: Any, name: str, mask: Any) -> Any:
    """Prune a parameter by a mask; what was pruned before stays so."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any) -> None:
    """Prune several parameters, (module, name) pairs, as if they were one: some lose more, some less.

    Raises TypeError for what is no list of pairs or a method that is not of elements.
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    scores: Any = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    pairs = list(parameters)
    everything = np.concatenate([scores.get(pair, getattr(*pair))._a.ravel() for pair in pairs])
    masks = [_hook_of(*pair) and getattr(pair[0], pair[1] + "_mask")._a.ravel() for pair in pairs]
    so_far = np.concatenate([
        np.ones(getattr(*pair).numel(), everything.dtype) if mask is None else mask
        for pair, mask in zip(pairs, masks, strict=True)
    ])  # fmt: skip
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    container.add_pruning_method(method)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. '
            f"Found method {pruning_method} of type {method.PRUNING_TYPE}"
        )
    final, at = container.compute_mask(Tensor._wrap(everything), Tensor._wrap(so_far))._a, 0
    for module, name in pairs:
        shape, size = getattr(module, name).shape, getattr(module, name).numel()
        custom_from_mask(module, name, Tensor._wrap(final[at : at + size].reshape(shape)))
        at += size


def is_pruned(module: Any) -> bool:
    """Whether a parameter here or below is pruned."""
    return any(isinstance(h, BasePruningMethod) for m in module.modules() for h in m._forward_pre_hooks.values())


def remove(module: Any, name: str) -> Any:
    """Make the pruned values the parameter itself. Raises ValueError when it is not pruned."""
    found = _hook_of(module, name)
    if found is None:
        raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")
    key, hook = found
    hook.remove(module)
    del module._forward_pre_hooks[key]
    return module


__all__ = [
    "BasePruningMethod", "CustomFromMask", "Identity", "L1Unstructured", "LnStructured", "PruningContainer",
    "RandomStructured", "RandomUnstructured", "custom_from_mask", "global_unstructured", "identity", "is_pruned",
    "l1_unstructured", "ln_structured", "random_structured", "random_unstructured", "remove",
]  # fmt: skip
