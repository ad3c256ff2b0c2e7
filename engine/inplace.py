"""In-place operations and views: who may be changed, and how history follows.

After an in-place operation on a view, the base's history becomes a CopySlices node, and every view reads from the base
anew through an AsStridedBackward0 when its grad_fn is next asked for.
"""

from typing import Any

import numpy as np

from engine import errors
from engine.graph import Node, short_name
from engine.modes import STATE
from engine.ops.slicing import AS_STRIDED
from engine.overlap import repeats
from engine.plan import node_class, property_of
from engine.storage import storage_of, strided, strides_of
from engine.tensor import TensorBase


def check_inplace(target: TensorBase, recorded: bool, differentiable: bool = True) -> None:
    """Raise PyTorch's error when a tensor may not be changed in place.

    `recorded`: whether the operation will be part of the graph. One that is not `differentiable` may change leaves.
    """
    if target._inference:
        if not STATE.inference:
            leaf = STATE.grad_enabled and recorded and target._requires and target._fn is None
            raise RuntimeError(errors.LEAF_INPLACE if leaf else errors.INFERENCE_INPLACE)
        return
    base = target._base
    if base is not None:
        if STATE.grad_enabled and differentiable and (recorded or target._needs_grad):
            check_view(target)
        if STATE.grad_enabled and differentiable and base.is_leaf and (base._requires or target._requires):
            raise RuntimeError(errors.VIEW_OF_LEAF_INPLACE)
    elif STATE.grad_enabled and target._fn is None and target._requires and differentiable:
        raise RuntimeError(errors.LEAF_INPLACE)


def check_view(target: TensorBase, changed: str = "is being") -> None:
    """Views that must not be changed in place while recording: of several at once, or made without recording.

    `changed`: what happens in place, the view itself or its base.
    """
    kind = target._view_kind
    if not kind:
        return
    fn = target._fn
    mode, now = ("inference", "in normal mode") if kind == "inference_mode" else ("no_grad", "with grad mode enabled")
    if fn is None:
        what = f"A view was created in {mode} mode and {changed} modified inplace {now}"
    elif kind in _AMBIGUOUS:
        of = f"Output {target._nr} of {short_name(fn)} is a view of a view which was created in {mode} mode"
        what = f"{of} and {changed} modified inplace {now}"
    else:
        what = f"Output {target._nr} of {short_name(fn)} is a view and {changed} modified inplace"
    raise RuntimeError(f"{what}. {(_AMBIGUOUS if kind in _AMBIGUOUS else _FORBIDDEN)[kind]}")


_FORBIDDEN = {
    "multi": (
        "This view is the output of a function that returns multiple views. Such functions do not allow the output "
        "views to "
        "be modified inplace. You should replace the inplace operation by an out-of-place one."
    ),
    "custom": (
        "This view was created inside a custom Function (or because an input was returned as-is) and the autograd "
        "logic to "
        "handle view+inplace would override the custom backward associated with the custom Function, leading to "
        "incorrect "
        "gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."
    ),
}
_AMBIGUOUS = {
    mode: (
        "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving "
        "both "
        f"the view and the inplace either both inside the {mode} block (if you don't want the inplace to be tracked) "
        "or both "
        "outside (if you want the inplace to be tracked)."
    )
    for mode in ("no_grad", "inference_mode")
}


def rebase_history(target: TensorBase, node: Node) -> None:
    """Make `node` the history of an in-place target; through CopySlices when the target is a view."""
    base = target._base
    if base is None or target._view_kind:
        target._fn, target._nr = node, 0
        detach_retained(target)
        return
    copy = CopySlices(base, target, node)
    base._fn, base._nr = copy, 0
    target._fn = None
    target._view_version = -1
    refresh_view(target)


def reshaped_history(target: TensorBase, node: Node) -> None:
    """Make `node` the history of a tensor that sees the same memory in another shape. Its base's stays as it is."""
    target._fn, target._nr = node, 0
    target._view_version = target._version_counter().n
    detach_retained(target)


def detach_retained(target: TensorBase) -> None:
    """A tensor that retained its gradient keeps doing so, of its new value."""
    if target._retains:
        target._retains = False
        target.retain_grad()
    if target._hooks is not None and target._fn is not None:
        target._hooks = None


def refresh_view(view: Any) -> None:
    """Give a view whose base was changed in place a grad_fn that reads from the base anew.

    Raises RuntimeError for a view that cannot have one: of several at once, or made without recording.
    """
    base = view._base
    version = view._version_counter().n
    if view._view_kind:
        if view._view_version != version:
            check_view(view, "its base or another view of its base has been")
        return
    if view._view_version == version and view._fn is not None:
        return
    if base._fn is None and not base._requires:
        return
    if view._view_version == version and view._fn is None and not base._needs_grad:
        return
    cls = AS_STRIDED.node_class or node_class(AS_STRIDED)
    size, stride = view._a.shape, strides_of(view._a)
    offset = view.storage_offset()
    node = cls((base._edge(),), ((size, view._a.dtype),))
    values = {"size": size, "stride": stride, "storage_offset": offset}
    node.saved = [values[s.name] if s.name in values else property_of(s.kind, base, s.detail) for s in cls.plan.saves]
    view._fn, view._nr = node, 0
    view._view_version = version
    for o in STATE.observers:
        o.on_view_refreshed(view, node)


class Geometry:
    """Shape, strides and offset of a tensor, without its data."""

    __slots__ = ("shape", "stride", "offset", "dtype")

    def __init__(self, shape: tuple[int, ...], stride: tuple[int, ...], offset: int, dtype: Any):
        self.shape, self.stride, self.offset, self.dtype = shape, stride, offset, dtype


class CopySlices(Node):
    """The history of a tensor part of which was changed through a view: the part's gradient goes through `fn`."""

    __module__ = "builtins"  # PyTorch's nodes print without a module
    __slots__ = ("fn", "base", "view")
    torch_name = "torch::autograd::CopySlices"

    def __init__(self, base: Any, view: Any, fn: Node):
        b = base._array()
        first = base._edge()
        super().__init__((first, *fn.edges[1:]), ((b.shape, b.dtype),))
        self.fn: Any = fn
        self.base = Geometry(b.shape, strides_of(b), base.storage_offset(), b.dtype)
        self.view = Geometry(view._a.shape, strides_of(view._a), view.storage_offset(), b.dtype)
        if first is not None:  # the part's gradient is wanted where the base's is
            fn.edges = (first, *fn.edges[1:])

    def apply_arrays(self, grads: list[Any]) -> list[Any]:
        g = np.empty(self.base.shape, self.base.dtype)
        if strides_of(g) != self.base.stride:
            order = sorted(range(g.ndim), key=lambda d: -self.base.stride[d])
            g = np.empty([self.base.shape[d] for d in order], self.base.dtype).transpose(np.argsort(order))
        g[...] = grads[0]
        part = strided(storage_of(g).flat, self.view.shape, self.view.stride, self.view.offset - self.base.offset)
        if repeats(part):  # where PyTorch cannot write the gradient either
            raise RuntimeError(errors.OVERLAPPING_INPLACE)
        out = self.fn.apply_arrays([part.copy()])
        part[...] = 0 if out[0] is None else np.broadcast_to(out[0], part.shape)
        return [g, *out[1:]]

    def apply_tensors(self, grads: list[Any]) -> list[Any]:
        g = grads[0].clone()
        part = AS_STRIDED(g, self.view.shape, self.view.stride, self.view.offset - self.base.offset)
        out = self.fn.apply_tensors([part.clone()])
        if out[0] is None:
            part.zero_()
        else:
            part.copy_(out[0])
        return [g, *out[1:]]

    def release(self) -> None:
        """Free what the wrapped node saved."""
        self.fn.release()
