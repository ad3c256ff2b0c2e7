"""Indexing by tensors: a batch of places, in a batch of tensors or in one that all samples share."""

from typing import Any

import numpy as np

from engine.batching.call import Call, Result, front, moved, padded, with_samples
from engine.batching.tensor import TOO_SMALL
from engine.dispatch import run, run_inplace
from engine.dtypes import bool_, uint8
from engine.ops.checks import wrap_dim
from engine.ops.copy import CLONE
from engine.ops.embedding import EMBEDDING
from engine.ops.gather_scatter import GATHER
from engine.ops.index_dim import INDEX_ADD
from engine.ops.indexing import INDEX
from engine.ops.views import EXPAND, VIEW
from engine.tensor import Tensor

_DYNAMIC_MASK = (
    "vmap: We do not support batching operators that can support dynamic shape. Attempting to batch over indexing with "
    "a boolean mask."
)
_MASK_OF_BATCH = (
    "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot support this because for each "
    "batch this would return a differently shaped Tensor. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues if you need this feature."
)


def _places(call: Call) -> tuple[list[Any], list[Any]]:
    """The indices and where the samples lie in each, masks as the places they select."""
    given: list[Any] = []
    dims: list[Any] = []
    for t, d in zip(call["indices"], call.dim("indices"), strict=True):
        if t is not None and t.dtype in (bool_, uint8):
            if d is not None:
                raise RuntimeError(_DYNAMIC_MASK)
            given += [Tensor._wrap(at) for at in np.nonzero(np.atleast_1d(t._array()))]
            dims += [None] * max(t.ndim, 1)
        else:
            given.append(t)
            dims.append(d)
    return given, dims


def _indices(call: Call, given: list[Any], dims: list[Any], batched_self: bool) -> tuple[list[Any], int]:
    """The indices below the level, aligned with each other, and the rank they broadcast to in a sample.

    With a batched tensor to look into, either all of the batch is taken (None first) or each sample its own places.
    """
    rank = max((t.ndim - (d is not None) for t, d in zip(given, dims, strict=True) if t is not None), default=0)
    own = any(d is not None for d in dims)
    out: list[Any] = []
    for t, d in zip(given, dims, strict=True):
        if t is not None and d is not None:
            t = front(t, d)
            t = run(VIEW, [t, (t.shape[0], *(1,) * (rank - t.ndim + 1), *t.shape[1:])])
        out.append(t)
    if batched_self:
        first: Any = None
        if own:
            first = Tensor._wrap(np.arange(call.size).reshape((call.size, *(1,) * rank)))
        out.insert(0, first)
    return out, rank


def _adjacent(indices: list[Any]) -> bool:
    at = [i for i, t in enumerate(indices) if t is not None]
    return not at or at[-1] - at[0] + 1 == len(at)


def _first(indices: list[Any]) -> int:
    return next((i for i, t in enumerate(indices) if t is not None), 0)


def index(call: Call) -> Result:
    """`x[…]` by tensors."""
    batched_self, batched_indices = call.dims[0] is not None, any(d is not None for d in call.dim("indices"))
    x = call.to_front(0)
    if not batched_indices:  # the batch is one more untouched dimension
        given = call["indices"]
        out = run(INDEX, [x, [None, *given]])
        return out, (0 if _adjacent(given) else out.ndim - call.rank(0) + sum(_width(t) for t in given) - 1)
    given, dims = _places(call)
    indices, rank = _indices(call, given, dims, batched_self)
    out = run(INDEX, [x, indices])
    at = _first(given)
    if not batched_self:
        return out, (at if _adjacent(given) else 0)
    if not _adjacent(given) or not at:  # each sample's places were looked up in it, so the batch came to the front
        return out, 0
    # what lies before the indexed dimensions comes after the places now: back to where a sample has it
    order = [0, *range(1 + rank, 1 + rank + at), *range(1, 1 + rank), *range(1 + rank + at, out.ndim)]
    return out.permute(tuple(order)), 0


def _width(t: Any) -> int:
    """How many dimensions an index uses up."""
    return 0 if t is None else t.ndim if t.dtype in (bool_, uint8) else 1


def masked_select(call: Call) -> Result:
    """The elements under a mask that all samples share."""
    if call.dim("mask") is not None:
        raise RuntimeError(_MASK_OF_BATCH)
    x, mask = call.to_front(0), call["mask"]
    shape = np.broadcast_shapes(tuple(x.shape[1:]), tuple(mask.shape))
    x = run(EXPAND, [padded(x, len(shape)), (call.size, *shape), False])
    return run(INDEX, [x, [None, run(EXPAND, [mask, shape, False])]]), 0


def index_fill(call: Call) -> Result:
    """Rows set to a number; places that differ between samples go one sample after the other."""
    if call.dims[2] is not None:
        return NotImplemented  # type: ignore[return-value]
    x, rank = call.to_front(0), call.rank(0)
    if not rank:
        return NotImplemented  # type: ignore[return-value]
    return call.run([x, wrap_dim(call["dim"], rank) + 1, *call.values[2:]]), 0


def index_put(call: Call) -> Result:
    """`x[…] = values` by tensors, and its out-of-place twin."""
    if call.inplace and call.dims[0] is None:
        raise RuntimeError(TOO_SMALL.format("index_put_"))
    x = call.to_front(0, always=True)
    given, dims = _places(call)
    indices, rank = _indices(call, given, dims, True)
    indices[0] = Tensor._wrap(np.arange(call.size).reshape((call.size, *(1,) * rank)))
    at = _first(given)
    places = _broadcast(given, dims)
    sample = _picked_shape(x, given, places)
    values, d = call["values"], call.dim("values")
    values = with_samples(values, call.size) if d is None else front(values, d)
    if values.ndim - 1 > len(sample):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to indexing result of "
            f"shape {[call.size, *sample]}"
        )
    values = run(VIEW, [values, (call.size, *(1,) * (len(sample) - values.ndim + 1), *values.shape[1:])])
    if at and _adjacent(given):
        values = run(EXPAND, [values, (call.size, *sample), False])
        inner = len(places)
        order = [0, *range(1 + at, 1 + at + inner), *range(1, 1 + at), *range(1 + at + inner, values.ndim)]
        values = values.permute(tuple(order))
    return call.run([x, indices, values, *call.values[3:]]), 0


def _broadcast(given: list[Any], dims: list[Any]) -> tuple[int, ...]:
    shapes = []
    for t, d in zip(given, dims, strict=True):
        if t is not None:
            shape = list(t.shape)
            if d is not None:
                del shape[d]
            shapes.append(tuple(shape))
    return np.broadcast_shapes(*shapes)


def _picked_shape(x: Any, given: list[Any], places: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of `x[indices]` of one sample."""
    sample = tuple(x.shape[1:])
    kept = [n for i, n in enumerate(sample) if i >= len(given) or given[i] is None]
    at = _first(given) if _adjacent(given) else 0
    return (*kept[:at], *places, *kept[at:])


def index_select(call: Call) -> Result:
    """Rows by number, as gather finds them."""
    dim = wrap_dim(call["dim"], call.rank(0)) + 1
    x, places = call.to_front(0, always=True), call.to_front(2, always=True)
    shape = [1] * x.ndim
    shape[0], shape[dim] = places.shape[0], places.shape[-1] if places.ndim > 1 else 1
    size = list(x.shape)
    size[dim] = shape[dim]
    places = run(EXPAND, [places.view(tuple(shape)), tuple(size), False])
    return run(GATHER, [x, dim, places, False]), 0


def index_add(call: Call) -> Result:
    """Rows added to rows; places that differ between samples go one sample after the other."""
    x = call.to_front(0) if call.inplace else call.to_front(0, always=True)
    values = list(call.values)
    dim = wrap_dim(values[1], call.rank(0)) + 1
    if call.dims[2] is not None:
        return NotImplemented  # type: ignore[return-value]
    values[0], values[1], values[3] = x, dim, call.to_front(3, always=True)
    if not call.inplace and call.op is INDEX_ADD:
        values[0] = run(CLONE, [x, None])
        return run_inplace(call.op, values), 0
    return call.run(values), 0


def embedding(call: Call) -> Result:
    """Rows of a table: of one, or of a table per sample side by side."""
    of_weight, of_indices = call.dim("weight"), call.dim("indices")
    rest = call.values[2:]
    if of_weight is None:
        return run(EMBEDDING, [call["weight"], front(call["indices"], of_indices), *rest]), 0
    if of_indices is None:
        joined = moved(call["weight"], of_weight, 1)
        joined = joined.reshape((joined.shape[0], joined.shape[1] * joined.shape[2]))
        out = run(EMBEDDING, [joined, call["indices"], *rest])
        return out.view((*out.shape[:-1], call.size, out.shape[-1] // call.size)), out.ndim - 1
    table = moved(call["weight"], of_weight, 0)
    rows = table.shape[1]
    starts = Tensor._wrap(np.arange(call.size) * rows)
    places = front(call["indices"], of_indices)
    places = places + starts.view((call.size, *(1,) * (places.ndim - 1)))
    return run(EMBEDDING, [table.reshape((call.size * rows, table.shape[2])), places, *rest]), 0
