"""Keeping tensors for backward: as they are, or given to the pack hook of `saved_tensors_hooks`."""

from collections.abc import Callable
from typing import Any

from engine import errors
from engine.graph import Node, PackedTensor, SavedTensor
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


def save_output(t: Any, nr: int, node: Node) -> Any:
    """Save output `nr` of a node for its backward, without holding the tensor itself."""
    if STATE.saved_hooks:
        twin = Tensor._wrap(t._a)
        twin._counter = t._version_counter()
        if has_gradient(node, nr, t):
            twin._fn, twin._nr = node, nr
        return pack(twin, nr)
    counter = t._counter
    if counter is None:
        counter = t._counter = Version()
    return SavedTensor(None, t._a, counter, nr)


def has_gradient(node: Node, nr: int, t: Any) -> bool:
    """Whether output `nr` of a node, `t`, is one that gradients come back through."""
    plan = type(node).plan
    return t._a.dtype.kind in "fcV" and (plan is None or nr not in plan.op.nondiff)


def pack(t: Any, nr: int | None) -> PackedTensor:
    """Give a tensor to the innermost pack hook of `saved_tensors_hooks`."""
    pack_hook, unpack_hook = STATE.saved_hooks[-1]
    return PackedTensor(packed_by(pack_hook, t), unpack_hook, nr, t._edge() if nr is None else None)


def packed_by(pack_hook: Callable[[Any], Any], t: Any) -> Any:
    """What a pack hook makes of a tensor. Raises RuntimeError when it changes the tensor itself."""
    grad_enabled, STATE.grad_enabled = STATE.grad_enabled, False
    version = t._version
    try:
        packed = pack_hook(t)
    finally:
        STATE.grad_enabled = grad_enabled
    if t._version != version:
        raise RuntimeError(errors.PACK_HOOK_IN_PLACE)
    return packed
