"""Putting tensors together and taking them apart: hstack, meshgrid, chunk and their kin."""

from collections.abc import Sequence
from itertools import combinations as choose
from itertools import combinations_with_replacement as choose_again
from typing import Any

import numpy as np

from engine.arguments import check_tensors
from engine.composite import composite, python_function
from engine.composites.parsed import checked, parsed
from engine.composites.shapes import at_least, contiguous, expanded, flatten, several
from engine.ops.checks import wrap_dim
from engine.ops.copy import CLONE
from engine.ops.index_dim import INDEX_SELECT
from engine.ops.join import BLOCK_DIAG, CAT, DIAG_EMBED, FLIP, REPEAT, STACK
from engine.ops.pieces import SPLIT, SPLIT_WITH_SIZES
from engine.ops.slicing import SLICE
from engine.ops.view_copies import DIAGONAL_COPY
from engine.ops.views import EXPAND, UNSQUEEZE, VIEW
from engine.tensor import Tensor
from engine.type_names import type_name
from engine.warning import warn_once

Ints = Sequence[int]


@composite("concat(Tensor[] tensors, int dim=0) -> Tensor", where=("function",))
def concat(tensors: Sequence[Any], dim: int = 0) -> Any:
    """cat by another name."""
    return CAT(tensors, dim)


@composite("concatenate(Tensor[] tensors, int dim=0) -> Tensor", where=("function",))
def concatenate(tensors: Sequence[Any], dim: int = 0) -> Any:
    """cat by another name."""
    return CAT(tensors, dim)


def _some(tensors: Sequence[Any], name: str) -> None:
    if not tensors:
        raise RuntimeError(f"{name} expects a non-empty TensorList")


@composite("hstack(Tensor[] tensors) -> Tensor", where=("function",))
def hstack(tensors: Sequence[Any]) -> Any:
    """Side by side."""
    _some(tensors, "hstack")
    parts = [at_least(t, 1) for t in tensors]
    return CAT(parts, 0 if parts[0].ndim == 1 else 1)


@composite("vstack(Tensor[] tensors) -> Tensor", where=("function",))
def vstack(tensors: Sequence[Any]) -> Any:
    """One above the other."""
    _some(tensors, "vstack")
    return CAT([at_least(t, 2) for t in tensors], 0)


@composite("row_stack(Tensor[] tensors) -> Tensor", where=("function",))
def row_stack(tensors: Sequence[Any]) -> Any:
    """vstack by another name."""
    return vstack(tensors)


@composite("dstack(Tensor[] tensors) -> Tensor", where=("function",))
def dstack(tensors: Sequence[Any]) -> Any:
    """One behind the other."""
    _some(tensors, "dstack")
    return CAT([at_least(t, 3) for t in tensors], 2)


@composite("column_stack(Tensor[] tensors) -> Tensor", where=("function",))
def column_stack(tensors: Sequence[Any]) -> Any:
    """Vectors as columns, side by side."""
    _some(tensors, "column_stack")
    return hstack([t.reshape((t.numel(), 1)) if t.ndim <= 1 else t for t in tensors])


@composite("tile(Tensor self, SymInt[] dims) -> Tensor")
def tile(self: Any, dims: Ints) -> Any:
    """repeat with the missing leading counts taken as one."""
    return REPEAT(self, (1,) * (self.ndim - len(dims)) + tuple(dims))


@composite("chunk(Tensor self, int chunks, int dim=0) -> Tensor[]")
def chunk(self: Any, chunks: int, dim: int = 0) -> Any:
    """At most so many pieces of equal size, the last one smaller."""
    if self.ndim == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = self.shape[wrap_dim(dim, self.ndim)]
    each = (size + chunks - 1) // chunks
    if each == 0 and size == 0:
        return SPLIT_WITH_SIZES(self, (0,) * chunks, dim)
    return SPLIT(self, each, dim)


def _split(tensor: Any, split_size: Any, dim: int) -> Any:
    if isinstance(split_size, Tensor) and split_size.numel() == 1:
        split_size = int(split_size.item())
    if isinstance(split_size, int):
        return _SPLIT(tensor, split_size, dim)
    return checked(SPLIT_WITH_SIZES)(tensor, split_size, dim)


_SPLIT = parsed(
    composite("split(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", where=())(SPLIT),
    composite("split.sizes(Tensor self, SymInt[] split_size, int dim=0) -> Tensor[]", where=())(SPLIT_WITH_SIZES),
)


@python_function("function")
def split(tensor: Any, split_size_or_sections: Any, dim: int = 0) -> Any:
    """Pieces of one size, or of the sizes given."""
    return tensor.split(split_size_or_sections, dim)


def split_method(self: Any, split_size: Any, dim: int = 0) -> Any:
    """`Tensor.split`."""
    return _split(self, split_size, dim)


def _check_splittable(self: Any) -> None:
    if self.ndim == 0:
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")


@composite("tensor_split.sections(Tensor self, SymInt sections, int dim=0) -> Tensor[]")
def tensor_split(self: Any, sections: int, dim: int = 0) -> tuple[Any, ...]:
    """So many pieces whose sizes differ by at most one."""
    _check_splittable(self)
    d = wrap_dim(dim, self.ndim)
    if sections <= 0:
        raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
    each, more = divmod(self.shape[d], sections)
    out, start = [], 0
    for i in range(sections):
        n = each + (i < more)
        out.append(SLICE(self, d, start, start + n, 1))
        start += n
    return tuple(out)


@composite("tensor_split.indices(Tensor self, SymInt[] indices, int dim=0) -> Tensor[]")
def tensor_split_at(self: Any, indices: Ints, dim: int = 0) -> tuple[Any, ...]:
    """Pieces that begin at the indices."""
    _check_splittable(self)
    d = wrap_dim(dim, self.ndim)
    out, start = [], 0
    for i in (*indices, self.shape[d]):
        out.append(SLICE(self, d, start, i, 1))
        start = i
    return tuple(out)


@composite(
    "tensor_split.tensor_indices_or_sections(Tensor self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor[]"
)
def tensor_split_tensor(self: Any, tensor_indices_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    """tensor_split with a tensor as the second argument."""
    _check_splittable(self)
    where = tensor_indices_or_sections
    if where.dtype.torch_name != "Long":
        raise RuntimeError(
            "tensor_split expected tensor_indices_or_sections to have dtype of long, but got " + where.dtype.torch_name
        )
    if where.ndim > 1:
        raise RuntimeError(
            "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but "
            f"got a tensor with {where.ndim} dims"
        )
    given = where.tolist()
    return tensor_split(self, given, dim) if isinstance(given, int) else tensor_split_at(self, given, dim)


def _axis_split(name: str, self: Any, how: Any, dims: int, dim: int) -> tuple[Any, ...]:
    if self.ndim < dims:
        raise RuntimeError(
            f"torch.{name} requires a tensor with at least {dims} dimension, but got a tensor with {self.ndim} "
            "dimensions!"
        )
    if not isinstance(how, int):
        return tensor_split_at(self, how, dim)
    size = self.shape[dim]
    if how == 0 or size % how:
        raise RuntimeError(
            f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension {size} is not "
            f"divisible by the split_size {how}!"
        )
    return tensor_split(self, how, dim)


@composite("hsplit.int(Tensor self, int sections) -> Tensor[]")
def hsplit(self: Any, sections: int) -> tuple[Any, ...]:
    """Pieces side by side."""
    return _axis_split("hsplit", self, sections, 1, 0 if self.ndim == 1 else 1)


@composite("hsplit.array(Tensor self, int[] indices) -> Tensor[]")
def hsplit_at(self: Any, indices: Ints) -> tuple[Any, ...]:
    """Pieces side by side, cut at the indices."""
    return _axis_split("hsplit", self, indices, 1, 0 if self.ndim == 1 else 1)


@composite("vsplit.int(Tensor self, int sections) -> Tensor[]")
def vsplit(self: Any, sections: int) -> tuple[Any, ...]:
    """Pieces one above the other."""
    return _axis_split("vsplit", self, sections, 2, 0)


@composite("vsplit.array(Tensor self, int[] indices) -> Tensor[]")
def vsplit_at(self: Any, indices: Ints) -> tuple[Any, ...]:
    """Pieces one above the other, cut at the indices."""
    return _axis_split("vsplit", self, indices, 2, 0)


@composite("dsplit.int(Tensor self, int sections) -> Tensor[]")
def dsplit(self: Any, sections: int) -> tuple[Any, ...]:
    """Pieces one behind the other."""
    return _axis_split("dsplit", self, sections, 3, 2)


@composite("dsplit.array(Tensor self, int[] indices) -> Tensor[]")
def dsplit_at(self: Any, indices: Ints) -> tuple[Any, ...]:
    """Pieces one behind the other, cut at the indices."""
    return _axis_split("dsplit", self, indices, 3, 2)


def _mesh(tensors: Sequence[Any], indexing: str | None) -> tuple[Any, ...]:
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if indexing is None:
        warn_once("torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.")
        indexing = "ij"
    check_tensors(tensors)
    if not isinstance(indexing, str):
        raise TypeError(f"meshgrid(): argument 'indexing' must be str, not {type_name(indexing)}")
    if any(t.dtype is not tensors[0].dtype for t in tensors):
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    for t in tensors:
        if t.ndim > 1:
            raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {t}")
    if indexing not in ("ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    swap = indexing == "xy" and len(tensors) >= 2
    order = [tensors[1], tensors[0], *tensors[2:]] if swap else list(tensors)
    shape = tuple(t.numel() for t in order)
    grids = []
    for i, t in enumerate(order):
        column = VIEW(t, tuple(-1 if k == i else 1 for k in range(len(order))))
        grids.append(EXPAND(column, shape))
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


@python_function("function")
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Any, ...]:
    """Coordinates of a grid, one tensor per dimension."""
    return _mesh(several(tensors), indexing)


@python_function("function")
def cartesian_prod(*tensors: Any) -> Any:
    """All pairs (triples, …) of elements."""
    tensors = tuple(several(tensors))
    for t in tensors:
        if t.ndim != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(t.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    return STACK([flatten(g) for g in _mesh(tensors, "ij")], 1)


@composite("combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor", where=("function",))
def combinations(self: Any, r: int = 2, with_replacement: bool = False) -> Any:
    """All subsets of r elements."""
    if self.ndim != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(self.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return self.new_empty((0,))
    rows = list((choose_again if with_replacement else choose)(range(self.numel()), r))
    columns = np.array(rows, np.int64).reshape(-1, r)
    picked = [self[Tensor._wrap(np.ascontiguousarray(c))] for c in columns.T]
    return STACK(picked, 1)


@python_function("function")
def block_diag(*tensors: Any) -> Any:
    """Matrices along the diagonal of a larger one."""
    return BLOCK_DIAG(several(tensors))


@python_function("function")
def broadcast_tensors(*tensors: Any) -> tuple[Any, ...]:
    """All tensors expanded to their common shape."""
    return expanded(several(tensors))


@python_function("function")
def atleast_1d(*tensors: Any) -> Any:
    """Each tensor with at least one dimension."""
    return _each_at_least(tensors, 1)


@python_function("function")
def atleast_2d(*tensors: Any) -> Any:
    """Each tensor with at least two dimensions."""
    return _each_at_least(tensors, 2)


@python_function("function")
def atleast_3d(*tensors: Any) -> Any:
    """Each tensor with at least three dimensions."""
    return _each_at_least(tensors, 3)


def _each_at_least(tensors: Sequence[Any], dims: int) -> Any:
    return _AT_LEAST[dims](tensors[0] if len(tensors) == 1 else tensors)


def _at_least(dims: int) -> Any:
    one = composite(f"atleast_{dims}d(Tensor self) -> Tensor", where=())(lambda self: at_least(self, dims))
    many = composite(f"atleast_{dims}d.Sequence(Tensor[] tensors) -> Tensor[]", where=())(
        lambda tensors: tuple(at_least(t, dims) for t in several(tensors))
    )
    return parsed(one, many)


_AT_LEAST = {dims: _at_least(dims) for dims in (1, 2, 3)}


@composite("fliplr(Tensor self) -> Tensor")
def fliplr(self: Any) -> Any:
    """Columns in reverse order."""
    if self.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return FLIP(self, (1,))


@composite("flipud(Tensor self) -> Tensor")
def flipud(self: Any) -> Any:
    """Rows in reverse order."""
    if self.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return FLIP(self, (0,))


@composite("diag(Tensor self, int diagonal=0) -> Tensor")
def diag(self: Any, diagonal: int = 0) -> Any:
    """A matrix with a given diagonal, or the diagonal of a matrix."""
    if self.ndim == 1:
        return DIAG_EMBED(self, diagonal)
    if self.ndim == 2:
        return DIAGONAL_COPY(self, diagonal)
    raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {self.ndim}D")


@composite("diagflat(Tensor self, int offset=0) -> Tensor")
def diagflat(self: Any, offset: int = 0) -> Any:
    """A matrix with all elements on its diagonal."""
    return diag(contiguous(self).view((-1,)), offset)


@composite("repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor", where=("function",))
def repeats_to_indices(repeats: Any, output_size: int | None = None) -> Any:
    """Each place as often as the counts say."""
    counts = repeats._a
    if counts.ndim != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if counts.dtype.kind not in "iu" or counts.dtype.itemsize < 4:
        raise RuntimeError("repeats has to be Long or Int tensor")
    if counts.size and counts.min() < 0:
        raise RuntimeError("repeats can not be negative")
    return Tensor._wrap(np.repeat(np.arange(counts.size, dtype=counts.dtype), counts))


@composite(
    "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor"
)
def repeat_interleave_tensor(self: Any, repeats: Any, dim: int | None = None, output_size: int | None = None) -> Any:
    """Each slice of a dimension as often as its count says."""
    source = flatten(self) if dim is None else self
    d = wrap_dim(0 if dim is None else dim, source.ndim)
    if repeats.ndim == 0 or (repeats.ndim == 1 and repeats.numel() == 1):
        repeats = EXPAND(repeats.reshape((1,)), (source.shape[d],))
    elif repeats.ndim != 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    elif repeats.shape[0] != source.shape[d]:
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{repeats.shape[0]} and input.size({d}) = {source.shape[d]}"
        )
    return INDEX_SELECT(source, d, repeats_to_indices(repeats))


@composite("repeat_interleave.self_int(Tensor self, int repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor")
def repeat_interleave(self: Any, repeats: int, dim: int | None = None, output_size: int | None = None) -> Any:
    """Each slice of a dimension so many times in a row."""
    source = flatten(self) if dim is None else self
    d = wrap_dim(0 if dim is None else dim, source.ndim)
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    shape = tuple(source.shape)
    wide = EXPAND(UNSQUEEZE(source, d + 1), (*shape[: d + 1], repeats, *shape[d + 1 :]))
    copied = CLONE(wide, memory_format="contiguous_format")
    return VIEW(copied, (*shape[:d], shape[d] * repeats, *shape[d + 1 :]))


def attach(cls: type) -> None:
    """Give `cls` the methods that PyTorch writes in Python."""
    split_method.__name__, split_method.__qualname__ = "split", "Tensor.split"
    cls.split = split_method  # type: ignore[attr-defined]
