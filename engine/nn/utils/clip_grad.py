"""Keeping gradients small."""

import math
from collections.abc import Generator, Iterable
from typing import Any

import numpy as np

from engine.modes import no_grad
from engine.tensor import Tensor, TensorBase
from engine.warning import warn


def _listed(parameters: Any) -> list[Any]:
    return [parameters] if isinstance(parameters, TensorBase) else list(parameters)


def get_total_norm(
    tensors: Iterable[Any], norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Any:
    """The norm of all tensors together, as a tensor."""
    held = _listed(tensors)
    norm_type = float(norm_type)
    if not held:
        return Tensor._wrap(np.zeros((), np.float32))
    with no_grad():
        norms = [t.norm(norm_type) for t in held]
        stacked = norms[0].new_tensor([float(n) for n in norms])
        total = stacked.norm(norm_type)
    if error_if_nonfinite and not math.isfinite(total.item()):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be "
            "clipped. To "
            "disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grads_with_norm_(parameters: Any, max_norm: float, total_norm: Any, foreach: bool | None = None) -> None:
    """Scale the gradients so that a norm of `total_norm` becomes at most `max_norm`."""
    max_norm = float(max_norm)
    grads = [p.grad for p in _listed(parameters) if p.grad is not None]
    if not grads:
        return
    with no_grad():
        factor = (max_norm / (total_norm + 1e-6)).clamp(max=1.0)
        for g in grads:
            g.mul_(factor)


def clip_grad_norm_(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:
    """Scale gradients so that their common norm is at most `max_norm`; returns the norm they had."""
    held = _listed(parameters)
    if not isinstance(parameters, TensorBase) and not held and isinstance(parameters, Generator):
        warn("`parameters` is an empty generator, no gradient clipping will occur.")
    total = get_total_norm([p.grad for p in held if p.grad is not None], norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(held, max_norm, total, foreach)
    return total


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Clamp each gradient element to [-clip_value, clip_value]."""
    clip_value = float(clip_value)
    grads = [p.grad for p in _listed(parameters) if p.grad is not None]
    if not grads:
        raise RuntimeError(
            "Expected !nested_tensorlist[0].empty() to be true, but got false.  (Could this error message be improved? "
            " If so, please report an enhancement request to PyTorch.)"
        )
    with no_grad():
        for g in grads:
            g.clamp_(min=-clip_value, max=clip_value)


def clip_grad_norm(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:
    """The old name of `clip_grad_norm_`."""
    warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.", FutureWarning
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


__all__ = ["clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm"]
