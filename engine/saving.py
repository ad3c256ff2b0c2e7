"""Keeping tensors for backward: as they are, or given to the pack hook of `saved_tensors_hooks`."""

from typing import Any

from engine import errors
from engine.graph import PackedTensor, SavedTensor
from engine.modes import STATE
from engine.storage import Version
from engine.tensor import Tensor


def save_input(t: Any) -> Any:
    """Save an input tensor for backward: as it is, while its memory was never changed in place."""
    if t._inference:
        raise RuntimeError(errors.INFERENCE_SAVE)
    if STATE.saved_hooks:
        return pack(t, None)
    counter = t._counter
    return SavedTensor(t, t._a, counter, 0) if counter is not None and counter.n else t


def save_output(t: Any, nr: int) -> Any:
    """Save an output for backward, without holding the tensor itself."""
    if STATE.saved_hooks:
        plain = Tensor._wrap(t._a)
        plain._counter = t._version_counter()
        return pack(plain, nr)
    counter = t._counter
    if counter is None:
        counter = t._counter = Version()
    return SavedTensor(None, t._a, counter, nr)


def pack(t: Any, nr: int | None) -> PackedTensor:
    """Give a tensor to the innermost pack hook of `saved_tensors_hooks`."""
    pack_hook, unpack_hook = STATE.saved_hooks[-1]
    grad_enabled, STATE.grad_enabled = STATE.grad_enabled, False
    try:
        return PackedTensor(pack_hook(t), unpack_hook, nr, t._edge() if nr is None else None)
    finally:
        STATE.grad_enabled = grad_enabled
