"""Copies: of the values, to another element type, to another order in memory."""

from typing import Any

import numpy as np

from engine import errors
from engine.op import Grad, Op
from engine.ops.fill import ZEROS_LIKE
from engine.ops.layouts import copied, laid_out_like
from engine.ops.samples import singles


def _to_copy(
    self: np.ndarray,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool | None = None,
    non_blocking: bool = False,
    memory_format: Any = None,
) -> np.ndarray:
    if dtype is None:
        return copied(self, memory_format)
    if self.dtype.kind == "c" and not dtype.is_complex:
        self = np.real(self) if dtype.name != "bool" else self
    converted = laid_out_like(self, self.astype(dtype.numpy))
    return converted if memory_format is None else copied(converted, memory_format)


CLONE = Op(
    "clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
    copied,
    "CloneBackward0",
    {"self": Grad(lambda grad: grad, r"[[grad]]")},
    r"[[self]]",
    samples=singles,
)
TO_COPY = Op(
    "_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
    "bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
    _to_copy,
    "ToCopyBackward0",
    # The engine brings a gradient to the element type of its input.
    {"self": Grad(lambda grad: grad, r"[[grad]]")},
    r"[[self]]",
    where=(),
    samples=singles,
)
DETACH = Op("detach(Tensor self) -> Tensor", lambda self: self[...], latex=r"[[self]]", view=True, where=())
NEW_ZEROS = Op(
    "_zeros_of(Tensor self, int[] size) -> Tensor",
    lambda self, size: np.zeros(size, self.dtype),
    latex="0",
    where=(),
)


def contiguous(x: Any) -> Any:
    """`x` if it lies in memory row by row, else such a copy."""
    done = x.is_contiguous() if hasattr(x, "is_contiguous") else x.flags.c_contiguous
    return x if done else CLONE(x, memory_format="contiguous_format")


def _copied(self: np.ndarray, other: np.ndarray, non_blocking: bool = False) -> np.ndarray:
    try:
        return np.broadcast_to(other, self.shape).astype(self.dtype)
    except ValueError:
        raise _misfit(self.shape, other.shape) from None


def _misfit(shape: tuple[int, ...], given: tuple[int, ...]) -> Exception:
    """The error for values of a shape that cannot be copied into another."""
    try:
        both = np.broadcast_shapes(shape, given)
    except ValueError:
        return errors.broadcast(shape, given)
    return errors.written(shape, both)


COPY_ = Op(
    "copy_(Tensor self, Tensor other, bool non_blocking=False) -> Tensor",
    _copied,
    "torch::autograd::CopyBackwards",
    {"self": Grad(lambda grad: ZEROS_LIKE(grad), "0"), "other": Grad(lambda grad: grad, r"[[grad]]")},
    r"[[other]]",
    numbers=("other",),
    where=("method",),
    unchecked="changes its input; the gradient of what is copied is the gradient itself",
    example="torch.zeros(2, 2).copy_(torch.tensor([1.0, 2.0]))",
)
