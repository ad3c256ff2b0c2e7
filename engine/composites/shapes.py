"""Reshaping and reordering dimensions, composed of views and, where no view fits, of copies."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.arguments import check_tensors
from engine.composite import composite, python_function
from engine.composites.parsed import checked
from engine.ops.checks import wrap_dim
from engine.ops.copy import CLONE
from engine.ops.slicing import NARROW_COPY, SLICE
from engine.ops.strided import element_strides
from engine.ops.views import (
    ALIAS,
    EXPAND,
    PERMUTE,
    RESHAPE_ALIAS,
    TRANSPOSE,
    UNSAFE_VIEW,
    UNSQUEEZE,
    VIEW,
    inferred,
    strided_as,
)
from engine.warning import warn_once

Ints = Sequence[int]


def view_strides(array: np.ndarray, shape: Ints) -> tuple[int, ...] | None:
    """The strides, in elements, of a view of that shape; None when there is no such view."""
    try:
        return element_strides(strided_as(array, tuple(shape)))
    except ValueError:
        return None


@composite("reshape(Tensor self, SymInt[] shape) -> Tensor")
def reshape(self: Any, shape: Ints) -> Any:
    """A view of the wanted shape where the strides allow it, else a copy."""
    wanted = inferred(tuple(shape), self._a.size)
    if self._a.flags.c_contiguous:
        return VIEW(self, wanted)
    strides = view_strides(self._a, wanted)
    if strides is not None:
        return RESHAPE_ALIAS(self, wanted, strides)
    return UNSAFE_VIEW(CLONE(self, memory_format="contiguous_format"), wanted)


@composite("reshape_as(Tensor self, Tensor other) -> Tensor", where=("method",))
def reshape_as(self: Any, other: Any) -> Any:
    """Reshape to the shape of another tensor."""
    return reshape(self, tuple(other.shape))


@composite("view_as(Tensor self, Tensor other) -> Tensor", where=("method",))
def view_as(self: Any, other: Any) -> Any:
    """A view of the shape of another tensor."""
    return VIEW(self, tuple(other.shape))


@composite("flatten(Tensor self, int start_dim=0, int end_dim=-1) -> Tensor")
def flatten(self: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Several neighbouring dimensions as one."""
    start, end = wrap_dim(start_dim, self.ndim), wrap_dim(end_dim, self.ndim)
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if self.ndim == 0:
        return reshape(self, (1,))
    if start == end:
        return self
    shape = tuple(self.shape)
    return reshape(self, (*shape[:start], prod(shape[start : end + 1]), *shape[end + 1 :]))


@composite("ravel(Tensor self) -> Tensor")
def ravel(self: Any) -> Any:
    """All elements in one dimension."""
    return VIEW(contiguous(self), (-1,))


def _unflatten_method(self: Any, dim: Any, sizes: Any) -> Any:
    """One dimension as several. Raises RuntimeError for no sizes."""
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    return checked(unflatten, is_method=True)(self, dim, sizes)


_unflatten_method.__name__, _unflatten_method.__qualname__ = "unflatten", "Tensor.unflatten"
UNFLATTEN_METHOD = python_function("method")(_unflatten_method)


@composite("unflatten.int(Tensor self, int dim, SymInt[] sizes) -> Tensor", where=("function",))
def unflatten(self: Any, dim: int, sizes: Ints) -> Any:
    """One dimension as several."""
    d = wrap_dim(dim, self.ndim)
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    length = self.shape[d]
    known = prod(n for n in sizes if n != -1)
    fits = known and length % known == 0 if -1 in sizes else known == length
    if not fits:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {d} ({length}) in the input "
            "tensor"
        )
    filled = inferred(tuple(sizes), length)
    return VIEW(self, (*self.shape[:d], *filled, *self.shape[d + 1 :]))


@composite("contiguous(Tensor self, *, MemoryFormat memory_format=contiguous_format) -> Tensor", where=("method",))
def contiguous(self: Any, memory_format: Any = "contiguous_format") -> Any:
    """The tensor itself if its elements lie in memory row by row, else such a copy."""
    if "channels_last" in str(memory_format):
        done = self.is_contiguous(memory_format=memory_format)
    else:
        done = self._a.flags.c_contiguous
    return self if done else CLONE(self, memory_format=memory_format)


@composite("expand_as(Tensor self, Tensor other) -> Tensor", where=("method",))
def expand_as(self: Any, other: Any) -> Any:
    """Expand to the shape of another tensor."""
    return EXPAND(self, tuple(other.shape))


@composite("broadcast_to(Tensor self, SymInt[] size) -> Tensor")
def broadcast_to(self: Any, size: Ints) -> Any:
    """Expand to a shape."""
    return EXPAND(self, tuple(size))


@composite("broadcast_tensors(Tensor[] tensors) -> Tensor[]", where=())
def broadcast_tensors(tensors: Sequence[Any]) -> tuple[Any, ...]:
    """All tensors expanded to their common shape."""
    return expanded(tensors)


def expanded(tensors: Sequence[Any]) -> tuple[Any, ...]:
    """Tensors expanded to their common shape; one that has it already is returned as it is."""
    shape = common_shape([tuple(t.shape) for t in tensors])
    return tuple(t if tuple(t.shape) == shape else EXPAND(t, shape) for t in tensors)


def common_shape(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The shape that all broadcast to. Raises RuntimeError in ATen's words for the first two that differ."""
    common: tuple[int, ...] = ()
    for shape in shapes:
        n = max(len(common), len(shape))
        a, b = (1,) * (n - len(common)) + common, (1,) * (n - len(shape)) + shape
        for i in reversed(range(n)):
            if a[i] != b[i] and 1 not in (a[i], b[i]):
                raise RuntimeError(
                    f"The size of tensor a ({a[i]}) must match the size of tensor b ({b[i]}) at non-singleton "
                    f"dimension {i}"
                )
        common = tuple(y if x == 1 else x for x, y in zip(a, b, strict=True))
    return common


@composite("movedim.intlist(Tensor self, int[] source, int[] destination) -> Tensor")
def movedim(self: Any, source: Ints, destination: Ints) -> Any:
    """Move dimensions to other places; the rest keep their order."""
    if len(source) != len(destination):
        raise RuntimeError(
            "movedim: Invalid source or destination dims: source "
            f"({list(source)} dims) should contain the same number of dims as destination ({list(destination)} dims)"
        )
    n = self.ndim
    froms = [wrap_dim(d, n) for d in source]
    tos = [wrap_dim(d, n) for d in destination]
    for name, dims, given in (("source", froms, source), ("destination", tos, destination)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(given)})")
    if n == 0:
        return ALIAS(self)
    order: list[int | None] = [None] * n
    for s, d in zip(froms, tos, strict=True):
        order[d] = s
    rest = iter([d for d in range(n) if d not in froms])
    return PERMUTE(self, tuple(next(rest) if d is None else d for d in order))


@composite("movedim.int(Tensor self, int source, int destination) -> Tensor")
def movedim_one(self: Any, source: int, destination: int) -> Any:
    """Move one dimension."""
    return movedim(self, (source,), (destination,))


@composite("moveaxis.intlist(Tensor self, int[] source, int[] destination) -> Tensor")
def moveaxis(self: Any, source: Ints, destination: Ints) -> Any:
    """movedim, by numpy's name."""
    return movedim(self, source, destination)


@composite("moveaxis.int(Tensor self, int source, int destination) -> Tensor")
def moveaxis_one(self: Any, source: int, destination: int) -> Any:
    """movedim, by numpy's name."""
    return movedim(self, (source,), (destination,))


@composite("swapaxes(Tensor self, int axis0, int axis1) -> Tensor")
def swapaxes(self: Any, axis0: int, axis1: int) -> Any:
    """transpose, by numpy's name."""
    return TRANSPOSE(self, axis0, axis1)


@composite("swapdims(Tensor self, int dim0, int dim1) -> Tensor")
def swapdims(self: Any, dim0: int, dim1: int) -> Any:
    """transpose, by another name."""
    return TRANSPOSE(self, dim0, dim1)


@composite("adjoint(Tensor self) -> Tensor")
def adjoint(self: Any) -> Any:
    """The last two dimensions exchanged (and conjugated)."""
    return matrix_transpose(self, "adjoint()")


def matrix_transpose(self: Any, name: str) -> Any:
    """The last two dimensions exchanged. Raises RuntimeError for vectors; `name` is what the program wrote."""
    if self.ndim == 0:
        return _unturned(self, name if name == "adjoint()" else f"Tensor.{name}", name != "mT")
    if self.ndim < 2:
        raise RuntimeError(
            f"tensor.{name} is only supported on matrices or batches of matrices. Got {self.ndim}-D tensor."
        )
    turned = TRANSPOSE(self, -2, -1)
    return turned.conj() if name != "mT" and self.is_complex() else turned


def _unturned(self: Any, name: str, conjugates: bool) -> Any:
    """A tensor without dimensions, which has no transpose, with the warning of what the program wrote."""
    instead = "Consider using x.conj()." if conjugates else "This function is the identity in these cases."
    warn_once(f"{name} is deprecated on 0-D tensors. {instead}")
    return self


def numpy_transpose(self: Any) -> Any:
    """`x.T`: all dimensions in reverse order."""
    if self.ndim == 0:
        _unturned(self, "Tensor.T", False)
    elif self.ndim != 2:
        warn_once(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will "
            "throw an error in a future release. Consider `x.mT` to transpose batches of matrices or "
            "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor."
        )
    return PERMUTE(self, tuple(range(self.ndim - 1, -1, -1)))


def hermitian(self: Any) -> Any:
    """`x.H`: the conjugate transpose of a matrix."""
    if self.ndim not in (0, 2):
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {self.ndim}-D tensor."
            + (" For batches of matrices, consider using tensor.mH" if self.ndim > 2 else "")
        )
    if self.ndim == 0:
        return _unturned(self, "Tensor.H", True)
    return matrix_transpose(self, "mH") if self.is_complex() else TRANSPOSE(self, 0, 1)


@composite("narrow(Tensor self, int dim, SymInt start, SymInt length) -> Tensor")
def narrow(self: Any, dim: int, start: int, length: int) -> Any:
    """`length` elements of a dimension, from `start` on."""
    if self.ndim == 0:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    size = self.shape[wrap_dim(dim, self.ndim)]
    if not -size <= start <= size:
        raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {start})")
    start = start + size if start < 0 else start
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return SLICE(self, dim, start, start + length, 1)


@composite("narrow.Tensor(Tensor self, int dim, Tensor start, SymInt length) -> Tensor")
def narrow_tensor(self: Any, dim: int, start: Any, length: int) -> Any:
    """narrow with the start as a tensor."""
    if start.ndim or start._a.dtype.kind not in "iu":
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    return narrow(self, dim, int(start.item()), length)


@composite("narrow_copy.checked(Tensor self, int dim, SymInt start, SymInt length) -> Tensor")
def narrow_copy(self: Any, dim: int, start: int, length: int) -> Any:
    """`narrow`, copied."""
    if self.ndim == 0:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if dim >= self.ndim:
        raise RuntimeError(
            "Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, but got false.  (Could this error "
            "message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    size = self.shape[wrap_dim(dim, self.ndim)]
    if not -size <= start <= size:
        raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {start})")
    begin = start + size if start < 0 else start
    if length < 0 or begin + length > size:
        raise RuntimeError(f"start ({begin}) + length ({length}) exceeds dimension size ({size}).")
    return NARROW_COPY(self, dim, begin, length)


def attach(cls: type) -> None:
    """Give `cls` the attributes T, mT, H and mH."""
    cls.T = property(numpy_transpose)  # type: ignore[attr-defined]
    cls.mT = property(lambda self: matrix_transpose(self, "mT"))  # type: ignore[attr-defined]
    cls.H = property(hermitian)  # type: ignore[attr-defined]
    cls.mH = property(lambda self: matrix_transpose(self, "mH"))  # type: ignore[attr-defined]


def at_least(self: Any, dims: int) -> Any:
    """A tensor with at least so many dimensions, the new ones where numpy puts them."""
    n = self.ndim
    if dims == 1:
        return reshape(self, (1,)) if n == 0 else self
    if n >= dims:
        return self
    if n == 0:
        return reshape(self, (1,) * dims)
    if n == 1:
        row = UNSQUEEZE(self, 0)
        return row if dims == 2 else UNSQUEEZE(row, -1)
    return UNSQUEEZE(self, -1)


def several(tensors: Sequence[Any]) -> Sequence[Any]:
    """The tensors of `f(a, b)` or `f([a, b])`. Raises TypeError when one is none."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], list | tuple) else tensors
    check_tensors(given)
    return given
