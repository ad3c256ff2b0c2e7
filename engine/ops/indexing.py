"""`x[tensors]` and `x[tensors] = values`: reading and writing at places that other tensors name."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.copy import NEW_ZEROS
from engine.ops.layouts import iterated, laid_out_like
from engine.ops.positions import add_at, add_rows, listed

Indices = Sequence[np.ndarray | None]
_ALL = slice(None)


def _places(shape: tuple[int, ...], indices: Indices) -> tuple[Any, ...]:
    """The index tensors as numpy's index; numpy and torch agree on what such an index selects."""
    where: list[Any] = []
    for i in indices:
        if i is None:
            where.append(_ALL)
        elif i.dtype.kind == "b" or i.dtype == np.int64:
            where.append(i)
        elif i.dtype == np.uint8:
            where.append(i.astype(bool))
        elif i.dtype.kind == "i" and i.itemsize == 4:
            where.append(i)
        else:
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return tuple(where)


def _explain(shape: tuple[int, ...], where: tuple[Any, ...]) -> None:
    """Raise IndexError in torch's words for an index that numpy refused."""
    dim, taken = 0, []
    for w in where:
        if w is _ALL:
            dim += 1
        elif w.dtype.kind == "b":
            for j in range(w.ndim):
                if dim + j >= len(shape):
                    raise IndexError(f"too many indices for tensor of dimension {len(shape)}")
                if w.shape[j] != shape[dim + j]:
                    raise IndexError(
                        f"The shape of the mask {listed(w.shape)} at index {j} does not match the shape of the indexed "
                        f"tensor {listed(shape)} at index {dim + j}"
                    )
            taken += [(dim + j, n) for j, n in enumerate(np.nonzero(w))]
            dim += w.ndim
        else:
            taken.append((dim, w))
            dim += 1
    if dim > len(shape):
        raise IndexError(f"too many indices for tensor of dimension {len(shape)}")
    try:
        np.broadcast_shapes(*(w.shape for _, w in taken))
    except ValueError:
        shapes = ", ".join(listed(w.shape) for _, w in taken)
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
        ) from None
    for nth, (d, w) in enumerate(taken):  # messages count the dimensions that are indexed
        bad = w[(w < -shape[d]) | (w >= shape[d])]
        if bad.size and not shape[d]:
            raise IndexError("index is out of bounds for dimension with size 0")
        if bad.size:
            raise IndexError(f"index {bad.reshape(-1)[0]} is out of bounds for dimension {nth} with size {shape[d]}")


def _index(self: np.ndarray, indices: Indices) -> np.ndarray:
    where = _places(self.shape, indices)
    try:
        last = where[-1]
        if last is not _ALL and last.dtype.kind != "b" and all(w is _ALL for w in where[:-1]):
            out = self.take(last, axis=len(where) - 1)
        else:
            out = self[where]
    except (IndexError, ValueError):
        _explain(self.shape, where)
        raise
    if out.flags.c_contiguous and self.flags.c_contiguous:
        return out
    return _in_memory_order(out, self, where)


def _in_memory_order(out: np.ndarray, self: np.ndarray, where: tuple[Any, ...]) -> np.ndarray:
    """What was picked, laid out as the source is: along the dimensions that are named the indices decide."""
    places = [w for w in where if w is not _ALL]
    at = [d for w in places for d in (np.nonzero(w) if w.dtype.kind == "b" else [w])]
    named = [n for n, w in zip(_taken(where), where, strict=True) if w is not _ALL]
    dims = [d for first, count in named for d in range(first, first + count)]
    rank = np.broadcast_shapes(*(w.shape for w in at))
    front = dims[0] if dims == list(range(dims[0], dims[-1] + 1)) else 0
    kept = [s for d, s in enumerate(self.strides) if d not in dims]
    strides = (*kept[:front], *[0] * len(rank), *kept[front:])
    source = np.lib.stride_tricks.as_strided(self, out.shape, strides)  # only looked at for its strides
    after = (1,) * (out.ndim - front - len(rank))
    return iterated(out, source, *[w.reshape(*w.shape, *after) for w in at])


def _taken(where: tuple[Any, ...]) -> list[tuple[int, int]]:
    """For each part of an index the dimension it begins at, and how many it takes."""
    found, dim = [], 0
    for w in where:
        count = w.ndim if w is not _ALL and w.dtype.kind == "b" else 1
        found.append((dim, count))
        dim += count
    return found


def _index_put(self: np.ndarray, indices: Indices, values: np.ndarray, accumulate: bool = False) -> np.ndarray:
    if self.dtype != values.dtype:
        where = _places(self.shape, indices)
        _explain(self.shape, where)  # a wrong index is told first
        _check_values(self, where, values)
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{from_numpy(self.dtype).torch_name} for the destination and {from_numpy(values.dtype).torch_name} for "
            "the source."
        )
    where = _places(self.shape, indices)
    out = self.copy("C")
    try:
        if not accumulate or (len(where) == 1 and where[0].dtype.kind == "b"):
            if accumulate:
                out[where] += values  # a mask names no place twice
            else:
                out[where] = values
        elif len(where) == 1 and where[0].ndim == 1 and values.shape == (where[0].size, *out.shape[1:]):
            rows = where[0]
            _in_range(rows, out.shape[0])
            add_rows(out, np.where(rows < 0, rows + out.shape[0], rows), values)
        else:
            add_at(out, where, values)
    except (IndexError, ValueError, TypeError):  # of numpy: TypeError where a mask indexes
        _check_values(self, where, values)
        _explain(self.shape, where)
        raise
    return laid_out_like(self, out)


def _check_values(self: np.ndarray, where: Any, values: np.ndarray) -> None:
    """Raise RuntimeError when values do not broadcast to the places they are to go to, wherever these are."""
    try:
        result = self[tuple(w * 0 if w is not _ALL and w.dtype.kind in "iu" else w for w in where)].shape
    except (IndexError, ValueError):
        return  # of the indices themselves
    try:
        fits = np.broadcast_shapes(values.shape, result) == result
    except ValueError:
        fits = False
    if not fits:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {listed(values.shape)} cannot be broadcast to indexing result of "
            f"shape {listed(result)}"
        )


def _in_range(rows: np.ndarray, size: int) -> None:
    if rows.size and (rows.min() < -size or rows.max() >= size):
        raise IndexError


def _index_back(grad: Any, self_sym_sizes: Sequence[int], indices: Indices) -> Any:
    return INDEX_PUT_IMPL(NEW_ZEROS(grad, self_sym_sizes), indices, grad, True, True)


def _kept(grad: Any, indices: Indices, accumulate: bool) -> Any:
    """The gradient of what was there before: nothing at the places that were overwritten."""
    return grad if accumulate else INDEX_PUT(grad, indices, NEW_ZEROS(grad, ()), False)


def _samples(rng: np.random.Generator) -> list[dict[str, Any]]:
    at = np.array([0, 2, 2, -1])
    return [
        {"self": rng.normal(size=(4, 2)), "indices": [at]},
        {"self": rng.normal(size=(3, 4)), "indices": [None, at]},
        {"self": rng.normal(size=(3, 2, 4)), "indices": [np.array([0, 2]), None, np.array([[1], [1]])]},
        {"self": rng.normal(size=(2, 3)), "indices": [np.array([[True, False, True], [False, True, False]])]},
        {"self": rng.normal(size=(3, 2)), "indices": [np.array(1)]},
    ]


def _put_samples(rng: np.random.Generator) -> list[dict[str, Any]]:
    both = [{**s, "values": rng.normal(size=np.shape(s["self"][_places((), s["indices"])]))} for s in _samples(rng)]
    once = [
        {"self": rng.normal(size=(4, 2)), "indices": [np.array([0, 2])], "values": rng.normal(size=(2, 2))},
        {"self": rng.normal(size=(2, 3)), "indices": [np.eye(2, 3, dtype=bool)], "values": rng.normal(size=())},
        {"self": rng.normal(size=(2, 3)), "indices": [None, np.array([1])], "values": rng.normal(size=(2, 1))},
    ]
    return [{**s, "accumulate": True} for s in both] + once


INDEX = Op(
    "index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
    _index,
    "IndexBackward0",
    {"self": Grad(_index_back, r"\operatorname{scatter\_add}([[grad]])")},
    r"[[self]]_{[[indices]]}",
    where=(),
    samples=_samples,
)
INDEX_PUT = Op(
    "index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
    _index_put,
    "IndexPutBackward0",
    {
        "self": Grad(_kept, r"[[grad]]"),
        "values": Grad(lambda grad, indices: INDEX(grad, indices), r"[[grad]]_{[[indices]]}"),
    },
    r"[[self]]_{[[indices]]} \leftarrow [[values]]",
    inplace=True,
    samples=_put_samples,
)
INDEX_PUT_IMPL = Op(
    "_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) "
    "-> Tensor",
    lambda self, indices, values, accumulate=False, unsafe=False: _index_put(self, indices, values, accumulate),
    "IndexPutImplBackward0",
    {
        "self": Grad(_kept, r"[[grad]]"),
        "values": Grad(lambda grad, indices: INDEX(grad, indices), r"[[grad]]_{[[indices]]}"),
    },
    r"[[self]]_{[[indices]]} \mathrel{+}= [[values]]",
    where=(),
    samples=_put_samples,
)
