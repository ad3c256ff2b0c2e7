"""What PyTorch asks of a tangent, and of those that a custom Function's `jvp` returns."""

from typing import Any

from engine.tensor import TensorBase

_OF_CONSTANT = (
    "Function's jvp returned a gradient at position {}, but  the corresponding forward output is not a differentiable "
    "Tensor.You should return None at that position instead."
)
_NO_FLOAT = (
    "(new_grad_base.is_floating_point() || new_grad_base.is_complex()) && (self_base.is_floating_point() || "
    'self_base.is_complex()) INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/torch/csrc/autograd/autograd_meta.cpp":159'
    ", please report a bug to PyTorch. Expected both tensor and its forward grad to be floating point or complex"
)
_NO_VIEW = "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view."
_OTHER_VIEW = "A custom Function is returning a view but the jvp is not returning a view of the given grad input."
_OTHER_BASE = (
    "A custom Function is returning a view but the jvp is not returning a view of the same base as the given grad "
    "input."
)
_UNCHANGED = (
    "An inplace custom Function is not modifying the forward mode gradients inplace. If the forward is modifying an "
    "input inplace, then the jvp function must modify the corresponding gradient inplace."
)
_OTHER_THAN_CHANGED = (
    "An inplace custom Function is not returning the forward mode gradients as-is. If the forward is modifying an "
    "input inplace, then the jvp function must modify the gradient inplace and return it as-is."
)


def check_size(tensor: TensorBase, tangent: TensorBase) -> None:
    """Raise RuntimeError for a tangent of another shape."""
    if tensor.shape != tangent.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size "
            f"{list(tangent.shape)}."
        )


def checked_tangents(
    found: Any,
    args: tuple[Any, ...],
    own: list[Any],
    versions: list[int | None],
    outputs: list[Any],
    dirty: tuple[Any, ...],
    fixed: tuple[Any, ...],
) -> list[Any]:
    """What `jvp` returned: a tangent for each output, None where that keeps its own or has no derivative.

    Args:
        own: the tangents of the arguments, which had these versions before `jvp` ran.
        dirty: the arguments that forward changed.
        fixed: the outputs that it marked as not differentiable.

    Raises RuntimeError for other things than tangents and for another number of them.
    """
    listed = list(found) if isinstance(found, tuple) else [found]
    for i, t in enumerate(listed):
        if t is not None and not isinstance(t, TensorBase):
            raise RuntimeError(f"expected Variable or None (got {type(t).__name__}) for grad output {i}.")
    if len(listed) != len(outputs):
        raise RuntimeError(
            "Function's jvp returned an invalid number of forward gradients "
            f"(expected {len(outputs)} but got {len(listed)})"
        )
    for i, (t, tangent) in enumerate(zip(outputs, listed, strict=True)):
        if not isinstance(t, TensorBase) or t._a.dtype.kind not in "fcV" or any(t is f for f in fixed):
            if tangent is not None:
                raise RuntimeError(_OF_CONSTANT.format(i))
            continue
        if any(t is d for d in dirty):
            k = next(k for k, a in enumerate(args) if a is t)
            if own[k] is not None:
                _check_inplace(tangent, own[k], versions[k])
                listed[i] = None
                continue
        if tangent is None or tangent._a.dtype.kind not in "fcV":
            raise RuntimeError(_NO_FLOAT)
        _check_view(t, tangent, args, own)
        check_size(t, tangent)
    return listed


def _check_view(t: TensorBase, tangent: TensorBase, args: tuple[Any, ...], own: list[Any]) -> None:
    """The tangent of a view of an argument is a view of the argument's."""
    base = t._base
    of = [g for a, g in zip(args, own, strict=True) if base is not None and (a is base or a._base is base)]
    if not of or of[0] is None:
        return
    if tangent._base is None:
        raise RuntimeError(_NO_VIEW)
    if tangent._base is not (of[0] if of[0]._base is None else of[0]._base):
        raise RuntimeError(_OTHER_VIEW if of[0]._base is None else _OTHER_BASE)


def _check_inplace(tangent: Any, before: TensorBase, version: int | None) -> None:
    """The tangent of an argument that was changed is changed too, and returned."""
    if tangent is None or tangent._version == version:
        raise RuntimeError(_UNCHANGED)
    if tangent is not before:
        raise RuntimeError(_OTHER_THAN_CHANGED)
