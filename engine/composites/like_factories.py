"""New tensors after the model of another: `zeros_like`, `Tensor.new_zeros` and their kin."""

from typing import Any

import numpy as np

from engine.composite import composite
from engine.composites.factories import NO_OUT, checked_size, finish, strided_zeros
from engine.creation import array_from
from engine.ops.kinds import held
from engine.ops.layouts import shaped_like
from engine.tensor import Tensor, TensorBase
from engine.warning import warn

LIKE = f"{NO_OUT}, MemoryFormat? memory_format=None"


def _alike(fill: Any, self: Any, dtype: Any, memory_format: Any) -> np.ndarray:
    """An array with the sizes of a tensor, in its memory order unless a format is named."""
    out = shaped_like(self._a, None if dtype is None else dtype.numpy, memory_format)
    out[...] = held(fill, out.dtype)
    return out


@composite(f"zeros_like.model(Tensor self, {LIKE}) -> Tensor", where=("function",))
def zeros_like(
    self: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any, memory_format: Any
) -> Tensor:
    """Zeros with another tensor's size and dtype."""
    return finish(_alike(0, self, dtype, memory_format), "zeros_like", device, requires_grad)


@composite(f"ones_like(Tensor self, {LIKE}) -> Tensor", where=("function",))
def ones_like(
    self: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any, memory_format: Any
) -> Tensor:
    """Ones with another tensor's size and dtype."""
    return finish(_alike(1, self, dtype, memory_format), "ones_like", device, requires_grad)


@composite(f"empty_like(Tensor self, {LIKE}) -> Tensor", where=("function",))
def empty_like(
    self: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any, memory_format: Any
) -> Tensor:
    """Another tensor's size and dtype; the content does not matter and is zeros here."""
    return finish(_alike(0, self, dtype, memory_format), "empty_like", device, requires_grad)


@composite(f"full_like(Tensor self, Scalar fill_value, {LIKE}) -> Tensor", where=("function",))
def full_like(
    self: Any, fill_value: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any,
    memory_format: Any,
) -> Tensor:  # fmt: skip
    """One value at another tensor's size, in its dtype."""
    return finish(_alike(fill_value, self, dtype, memory_format), "full_like", device, requires_grad)


def _new(name: str, fill: Any, self: Any, size: Any, dtype: Any, device: Any, requires_grad: Any) -> Tensor:
    kind = (dtype or self.dtype).numpy
    a = np.full(checked_size(name, size), held(fill, kind), kind)
    return finish(a, name, device, requires_grad)


@composite(f"new_zeros(Tensor self, SymInt[] size, {NO_OUT}) -> Tensor", where=("method",))
def new_zeros(
    self: Any, size: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """Zeros of this tensor's dtype."""
    return _new("new_zeros", 0, self, size, dtype, device, requires_grad)


@composite(f"new_ones(Tensor self, SymInt[] size, {NO_OUT}) -> Tensor", where=("method",))
def new_ones(self: Any, size: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any) -> Tensor:
    """Ones of this tensor's dtype."""
    return _new("new_ones", 1, self, size, dtype, device, requires_grad)


@composite(f"new_empty(Tensor self, SymInt[] size, {NO_OUT}) -> Tensor", where=("method",))
def new_empty(
    self: Any, size: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """A size in this tensor's dtype; the content does not matter and is zeros here."""
    return _new("new_empty", 0, self, size, dtype, device, requires_grad)


@composite(f"new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, {NO_OUT}) -> Tensor", where=("method",))
def new_empty_strided(
    self: Any, size: Any, stride: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """A size at given strides in this tensor's dtype; the content does not matter and is zeros here."""
    a = strided_zeros(size, stride, (dtype or self.dtype).numpy)
    return finish(a, "new_empty_strided", device, requires_grad)


@composite(f"new_full(Tensor self, SymInt[] size, Scalar fill_value, {NO_OUT}) -> Tensor", where=("method",))
def new_full(
    self: Any, size: Any, fill_value: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """One value in this tensor's dtype."""
    return _new("new_full", fill_value, self, size, dtype, device, requires_grad)


@composite(
    "new_tensor(Tensor self, any data, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False)"
    " -> Tensor",
    where=("method",),
)
def new_tensor(self: Any, data: Any, dtype: Any, device: Any, requires_grad: Any) -> Tensor:
    """The data as a tensor of this tensor's dtype."""
    if isinstance(data, TensorBase):
        warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than tensor.new_tensor(sourceTensor)."
        )
    return finish(array_from(data, dtype or self.dtype), "new_tensor", device, requires_grad)
