"""Views and joins: sizes get the batch in front."""

from typing import Any

from engine.batching.call import Call, Result, front, moved, padded, with_samples
from engine.dispatch import run, run_inplace
from engine.ops.checks import wrap_dim, wrap_dims
from engine.ops.copy import CLONE
from engine.ops.join import CAT, STACK
from engine.ops.reduction import SUM_DIM
from engine.ops.slicing import DIAGONAL
from engine.ops.views import EXPAND, PERMUTE, SQUEEZE_DIMS, TRANSPOSE, UNSQUEEZE, VIEW, inferred
from engine.ops.views_inplace import SQUEEZE_DIMS_, TRANSPOSE_


def view(call: Call) -> Result:
    """view and _unsafe_view."""
    x = call.to_front(0)
    size = inferred(tuple(call["size"]), call.values[0].numel() // max(call.size, 1))
    return run(call.op, [x, (call.size, *size)]), 0


def reshape_alias(call: Call) -> Result:
    """A view with given strides, which are those that a view has anyhow."""
    return run(VIEW, [call.to_front(0), (call.size, *call["size"])]), 0


def expand(call: Call) -> Result:
    """Missing dimensions come between the batch and the sample."""
    x, size, rank = call.to_front(0), tuple(call["size"]), call.rank(0)
    if len(size) < rank:
        raise RuntimeError(
            f"expand: the number of sizes provided ({len(size)}) must be greater or equal to the number of dimensions "
            f"in the tensor ({rank})"
        )
    shape = tuple(x.shape)
    x = run(VIEW, [x, (shape[0], *(1,) * (len(size) - rank), *shape[1:])])
    return run(EXPAND, [x, (call.size, *size), call["implicit"]]), 0


def permute(call: Call) -> Result:
    """A new order of the sample's dimensions."""
    dims = call["dims"]
    rank = call.rank(0)
    if len(dims) != rank:
        raise RuntimeError(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {rank} is not equal to len(dims) = {len(dims)}"
        )
    return run(PERMUTE, [call.to_front(0), (0, *(d + 1 for d in wrap_dims(dims, rank)))]), 0


def transposed(call: Call) -> Result:
    """`t()`."""
    x, rank = call.to_front(0), call.rank(0)
    if rank > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {rank}D")
    return (run(TRANSPOSE, [x, 1, 2]) if rank == 2 else x), 0


def squeeze(call: Call) -> Result:
    """All dimensions of size 1 but the batch's."""
    x, d = call.values[0], call.dims[0]
    shape = [n for i, n in enumerate(x.shape) if n != 1 or i == d]
    before = sum(n != 1 for n in x.shape[:d])
    return run(VIEW, [x, tuple(shape)]), before


def squeeze_dim(call: Call) -> Result:
    """Named dimensions of size 1."""
    x, at, dim, rank = call.values[0], call.dims[0], call["dim"], call.rank(0)
    dims = wrap_dims(dim if isinstance(dim, tuple | list) else (dim,), rank)
    if not rank:
        return x, at
    below = [d + (d >= at) for d in dims]
    return run(SQUEEZE_DIMS, [x, tuple(below)]), at - sum(d < at and x.shape[d] == 1 for d in below)


def unsqueeze(call: Call) -> Result:
    """One more dimension of size 1."""
    return run(UNSQUEEZE, [call.to_front(0), wrap_dim(call["dim"], call.rank(0) + 1) + 1]), 0


def as_strided(call: Call) -> Result:
    """A view with given strides and offset, those of one sample."""
    x = call.to_front(0)
    offset = x.storage_offset() if call["storage_offset"] is None else call["storage_offset"]
    return run(call.op, [x, (call.size, *call["size"]), (x.stride(0), *call["stride"]), offset]), 0


def trace(call: Call) -> Result:
    """The sum of the diagonal."""
    return run(SUM_DIM, [run(DIAGONAL, [call.to_front(0), 0, 1, 2]), (-1,), False, None]), 0


def repeat(call: Call) -> Result:
    """Copies side by side, not of the batch."""
    x, repeats = call.to_front(0), tuple(call["repeats"])
    return run(call.op, [padded(x, len(repeats)), (1, *repeats)]), 0


def flip_or_roll(call: Call) -> Result:
    """flip and roll with named dimensions; roll without any counts all elements in a row."""
    x, rank = call.to_front(0), call.rank(0)
    values = list(call.values)
    values[0] = x
    at = call.names.index("dims")
    if call.op.signature.base == "roll" and not values[at]:
        flat = run(call.op, [x.reshape((call.size, -1)), values[1], (1,)])
        return flat.reshape(tuple(x.shape)), 0
    values[at] = tuple(d + 1 for d in wrap_dims(values[at], rank)) if rank else ()
    return call.run(values), 0


def cat(call: Call) -> Result:
    """Tensors one after the other; empty ones of one dimension are left out, as everywhere."""
    dims: Any = call.dims[0]
    tensors = []
    for t, d in zip(call["tensors"], dims, strict=True):
        tensors.append(with_samples(t, call.size) if d is None else front(t, d))
    ranks = [t.ndim - 1 for t in tensors if t.ndim != 2 or t.shape[1]]
    return run(CAT, [tensors, wrap_dim(call["dim"], max(ranks, default=1)) + 1]), 0


def stack(call: Call) -> Result:
    """Tensors side by side along a new dimension."""
    dims: Any = call.dims[0]
    tensors = [
        run(EXPAND, [run(UNSQUEEZE, [t, 0]), (call.size, *t.shape), False]) if d is None else moved(t, d, 0)
        for t, d in zip(call["tensors"], dims, strict=True)
    ]
    return run(STACK, [tensors, wrap_dim(call["dim"], tensors[0].ndim) + 1]), 0


def pieces(call: Call) -> list[Result]:
    """split, unbind: several views."""
    values = list(call.values)
    values[0] = call.to_front(0)
    at = call.names.index("dim")
    values[at] = wrap_dim(values[at], call.rank(0)) + 1
    return [(t, 0) for t in run(call.op, values)]


def diagonal_copy(call: Call) -> Result:
    """A copy of the diagonal."""
    rank = call.rank(0)
    values = [call.to_front(0), call["offset"], *(wrap_dim(call[n], rank) + 1 for n in ("dim1", "dim2"))]
    return run(CLONE, [run(DIAGONAL, values), None]), 0


def clone(call: Call) -> Result:
    """A copy; one whose elements lie in order has the batch first."""
    if call["memory_format"] is None or "preserve" in str(call["memory_format"]):
        return call.run(), call.dims[0]
    return run(CLONE, [call.to_front(0), call["memory_format"]]), 0


def diag_embed(call: Call) -> Result:
    """A matrix with the sample on a diagonal."""
    rank = call.rank(0) + 1
    values = [call.to_front(0), call["offset"], *(wrap_dim(call[n], rank) + 1 for n in ("dim1", "dim2"))]
    return run(call.op, values), 0


def zeros_of(call: Call) -> Result:
    """Zeros of a size, for every sample."""
    return run(call.op, [call.values[0], (call.size, *call["size"])]), 0


def reshaped_inplace(call: Call) -> Result:
    """`t_()`, `squeeze_()` and their kin: the tensor below the level is reshaped in place too."""
    x, rank, base = call.to_front(0), call.rank(0), call.op.signature.base
    at = None if call.dims[0] is None else 0
    shift = 1 if at == 0 else 0
    if base == "t_":
        return (run_inplace(TRANSPOSE_, [x, shift, shift + 1]) if rank == 2 else x), at
    if base == "transpose_":
        dims = [wrap_dim(d, rank) + shift for d in call.values[1:]]
        return (run_inplace(TRANSPOSE_, [x, *dims]) if rank else x), at
    if base == "unsqueeze_":
        return run_inplace(call.op, [x, wrap_dim(call["dim"], rank + 1) + shift]), at
    dim = call["dim"] if "dim" in call.names else tuple(range(rank))
    dims = wrap_dims(dim if isinstance(dim, tuple | list) else (dim,), rank)
    return (run_inplace(SQUEEZE_DIMS_, [x, tuple(d + shift for d in dims)]) if rank else x), at
