"""Whole slices along one dimension, named by a vector of indices: index_select, index_add, index_copy, index_fill."""

from typing import Any

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.checks import wrap_dim
from engine.ops.combining import combined, reduced_gradients
from engine.ops.copy import NEW_ZEROS
from engine.ops.layouts import copied
from engine.ops.positions import (
    OUTSIDE,
    add_rows,
    at_dim,
    check_any_rows,
    check_range,
    check_rows,
    listed,
    outside,
    vector_index,
)
from engine.warning import warn_once


def _index_select(self: np.ndarray, dim: int, index: np.ndarray) -> np.ndarray:
    d = wrap_dim(dim, self.ndim)
    index = vector_index(index, "index_select()")
    if index.dtype.kind != "i" or index.itemsize < 4:
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if not self.ndim and index.size != 1:
        raise RuntimeError(f"index_select(): Index to scalar can have only 1 value, got {index.size} value(s)")
    size = self.shape[d] if self.ndim else 1
    check_any_rows(index, size)
    if (bad := outside(index, size)) is not None:
        if d == 1:  # columns have a loop of their own
            raise RuntimeError(f"INDICES element is out of DATA bounds, id={bad} axis_dim={size}")
        raise IndexError(OUTSIDE)
    return self.take(index, axis=d) if self.ndim else np.reshape(self, 1).take(index).reshape(())


def _check_slices(who: str, self: np.ndarray, d: int, index: np.ndarray, source: np.ndarray) -> None:
    """One slice of `source` for each index, like those of `self`. Raises IndexError, RuntimeError."""
    if index.ndim > 1:
        raise IndexError(
            f"{who}: Index is supposed to be a vector, but got dim: {index.ndim} with type: "
            f"{from_numpy(index.dtype).torch_name} and size: {listed(index.shape)}"
        )
    if index.dtype.kind != "i" or index.itemsize < 4:
        raise RuntimeError(f"{who}: Expected dtype int32/int64 for index but got: {from_numpy(index.dtype).torch_name}")
    if self.dtype != source.dtype:
        raise RuntimeError(
            f"{who}: self ({from_numpy(self.dtype).torch_name}) and source "
            f"({from_numpy(source.dtype).torch_name}) must have the same scalar type"
        )
    if source.ndim <= d and (source.ndim or d):
        raise RuntimeError(f"{who}: Indexing dim {d} is out of bounds of the source tensor with dim {source.ndim}")
    length = source.shape[d] if source.ndim else 1
    if index.size != length:
        raise RuntimeError(
            f"{who}: Number of indices ({index.size}) should be equal to source.size(dim): ({length}), for dim: {d}"
        )
    if source.shape[:d] != self.shape[:d] or source.shape[d + 1 :] != self.shape[d + 1 :]:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{listed(self.shape)} source.shape = {listed(source.shape)}"
        )


def _index_add(self: np.ndarray, dim: int, index: np.ndarray, source: np.ndarray, alpha: float = 1) -> np.ndarray:
    d = wrap_dim(dim, self.ndim)
    _check_slices("index_add_()", self, d, index, source)
    out, rows = np.atleast_1d(self), index.reshape(-1)
    if out.ndim > 1 and d in (0, out.ndim - 1):  # PyTorch scatters there
        check_range(rows, out.shape[d], d)
    else:
        check_rows(rows, out.shape[d])
    if self.dtype.kind in "iu":
        alpha = int(alpha)
    added = source if alpha == 1 else source * alpha
    # Always a copy with the dimension in front, so that rows are contiguous.
    moved = np.array(np.moveaxis(out, d, 0), order="C")
    add_rows(moved, rows, np.moveaxis(np.atleast_1d(added), d, 0))
    return np.ascontiguousarray(np.moveaxis(moved, 0, d)).reshape(self.shape)


def _index_copy(self: np.ndarray, dim: int, index: np.ndarray, source: np.ndarray) -> np.ndarray:
    d = wrap_dim(dim, self.ndim)
    if index.ndim > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {index.ndim})")
    if not source.ndim and index.size != 1:
        raise IndexError(f"index_copy_(): When source is scalar, index should have one element (got {index.size})")
    if source.ndim and self.ndim and source.ndim != self.ndim:
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source "
            f"dimensionality ({source.ndim}), destination dimensionality ({self.ndim})"
        )
    if index.dtype != np.int64:
        raise RuntimeError(
            "index_copy_(): Expected a long tensor for index, but got " + from_numpy(index.dtype).torch_name
        )
    if self.dtype != source.dtype:
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{from_numpy(self.dtype).torch_name} and (source) {from_numpy(source.dtype).torch_name}"
        )
    slices = [a.shape[:d] + a.shape[d + 1 :] for a in (self, source)]
    if slices[0] != slices[1]:
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: "
            f"{' '.join(map(str, slices[0]))} at dimension {d} and source slice shape: "
            f"{' '.join(map(str, slices[1]))} at dimension 0."
        )
    length = source.shape[d] if source.ndim > d else 1
    if index.size != length:
        raise IndexError(
            f"index_copy_(): Number of indices ({index.size}) should be equal to source.size(dim) ({length})"
        )
    out, rows = np.atleast_1d(self).copy("C"), index.reshape(-1)
    check_range(rows, out.shape[d], d, IndexError, "index_copy_(): ")
    out[at_dim(rows, d, out.ndim)] = source
    return out.reshape(self.shape)


def _index_reduce(
    self: np.ndarray, dim: int, index: np.ndarray, source: np.ndarray, reduce: str, include_self: bool = True
) -> np.ndarray:
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    warn_once("index_reduce() is in beta and the API may change at any time.")
    d = wrap_dim(dim, self.ndim)
    _check_slices("index_reduce_()", self, d, index, source)
    out, rows = np.atleast_1d(self).copy("C"), index.reshape(-1)
    check_rows(rows, out.shape[d])
    return combined(out, at_dim(rows, d, out.ndim), np.atleast_1d(source), reduce, include_self).reshape(self.shape)


def _index_reduce_back(
    grad: Any, self: Any, dim: int, index: Any, source: Any, reduce: str, include_self: bool, result: Any
) -> tuple[Any, Any]:
    """Both gradients; what the combined rows replaced gets none."""
    return reduced_gradients(
        grad, self, source, reduce, include_self, result,
        pick=lambda x: INDEX_SELECT(x, dim, index),
        add=lambda x, y: INDEX_ADD(x, dim, index, y),
        clear=lambda x: INDEX_FILL(x, dim, index, 0),
    )  # fmt: skip


def _index_fill(self: np.ndarray, dim: int, index: np.ndarray, value: Any) -> np.ndarray:
    d = wrap_dim(dim, self.ndim)
    if index.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    if getattr(value, "ndim", 0):
        raise RuntimeError(
            f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )
    if isinstance(value, complex) and self.dtype.kind != "c":
        raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
    rows = vector_index(index, "index_fill_()")
    out = copied(np.atleast_1d(self))
    bad = rows[(rows < -out.shape[d]) | (rows >= out.shape[d])]
    if bad.size:
        raise IndexError(f"index {bad[0]} is out of bounds for dimension {d} with size {out.shape[d]}")
    out[at_dim(rows, d, out.ndim)] = value
    return out.reshape(self.shape)


def _source_grad(grad: Any, dim: int, index: Any, source_dim: int) -> Any:
    picked = INDEX_SELECT(grad, dim, index)
    return picked if source_dim > 0 else picked.sum()


def _rows(rng: np.random.Generator) -> list[dict[str, Any]]:
    return [
        {"self": rng.normal(size=(3, 2)), "dim": 0, "index": np.array([2, 0])},
        {"self": rng.normal(size=(2, 3, 2)), "dim": -2, "index": np.array([1, 2])},
        {"self": rng.normal(size=4), "dim": 0, "index": np.array([3])},
    ]


def _with_source(rng: np.random.Generator) -> list[dict[str, Any]]:
    return [{**s, "source": rng.normal(size=s["self"].take(s["index"], s["dim"]).shape)} for s in _rows(rng)]


INDEX_SELECT = Op(
    "index_select(Tensor self, int dim, Tensor index) -> Tensor",
    _index_select,
    "IndexSelectBackward0",
    {
        "self": Grad(
            lambda grad, self_sym_sizes, dim, index: INDEX_ADD(NEW_ZEROS(grad, self_sym_sizes), dim, index, grad),
            r"\operatorname{index\_add}([[grad]], [[index]])",
        )
    },
    r"[[self]]_{[[index]]}",
    samples=lambda rng: [
        *_rows(rng),
        *({"self": rng.normal(size=(2, 3)), "dim": d, "index": np.array([1, 0, 1])} for d in (0, 1, -1)),
    ],
)
INDEX_ADD = Op(
    "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
    _index_add,
    "IndexAddBackward0",
    {
        "self": Grad(lambda grad: grad, r"[[grad]]"),
        "source": Grad(
            lambda grad, dim, index, source_dim, alpha: (
                _source_grad(grad, dim, index, source_dim) * (1 if alpha == 1 else alpha)
            ),
            r"[[grad]]_{[[index]]}",
        ),
    },
    r"\operatorname{index\_add}([[self]], [[index]], [[source]])",
    inplace=True,
    save_also=("source",),
    samples=lambda rng: [
        *_with_source(rng),
        {
            "self": rng.normal(size=(2, 3)),
            "dim": 1,
            "index": np.array([1, 1, 0]),
            "source": rng.normal(size=(2, 3)),
            "alpha": 2.5,
        },
    ],
)
INDEX_COPY = Op(
    "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
    _index_copy,
    "IndexCopyBackward0",
    {
        "self": Grad(lambda grad, dim, index: INDEX_FILL(grad, dim, index, 0), r"[[grad]]_{\text{elsewhere}}"),
        "source": Grad(
            lambda grad, dim, index, source_dim: _source_grad(grad, dim, index, source_dim), r"[[grad]]_{[[index]]}"
        ),
    },
    r"[[self]]_{[[index]]} \leftarrow [[source]]",
    inplace=True,
    save_also=("source",),
    samples=_with_source,
)
INDEX_REDUCE = Op(
    "index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor",
    _index_reduce,
    "IndexReduceBackward0",
    {
        "self, source": Grad(
            _index_reduce_back,
            {
                "self": r"[[grad]] \cdot \tfrac{\partial y}{\partial [[self]]}",
                "source": r"\left([[grad]] \cdot \tfrac{\partial y}{\partial [[source]]}\right)_{[[index]]}",
            },
        )
    },
    r"\operatorname{index}_{[[reduce]]}([[self]], [[index]], [[source]])",
    inplace=True,
    samples=lambda rng: [
        {
            "self": rng.uniform(0.5, 2, size=(2, 3)),
            "dim": 1,
            "index": np.array([1, 1, 0]),
            "source": rng.uniform(0.5, 2, size=(2, 3)),
            "reduce": r,
            "include_self": i,
        }
        for r in ("prod", "mean", "amax", "amin")
        for i in (True, False)
    ],
)
INDEX_FILL = Op(
    "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
    _index_fill,
    "IndexFillBackward0",
    {"self": Grad(lambda grad, dim, index: INDEX_FILL(grad, dim, index, 0), r"[[grad]]_{\text{elsewhere}}")},
    r"[[self]]_{[[index]]} \leftarrow [[value]]",
    inplace=True,
    samples=lambda rng: [{**s, "value": 2.5} for s in _rows(rng)],
)
INDEX_FILL_TENSOR = Op(
    "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
    _index_fill,
    "IndexFillBackward1",
    {
        "self": Grad(lambda grad, dim, index: INDEX_FILL(grad, dim, index, 0), r"[[grad]]_{\text{elsewhere}}"),
        "value": Grad(
            lambda grad, dim, index: INDEX_SELECT(grad, dim, DISTINCT(index)).sum(),
            r"\textstyle\sum [[grad]]_{[[index]]}",
        ),
    },
    r"[[self]]_{[[index]]} \leftarrow [[value]]",
    inplace=True,
    samples=lambda rng: [{**s, "value": np.asarray(rng.normal())} for s in _rows(rng)],
)
DISTINCT = Op("_distinct(Tensor self) -> Tensor", np.unique, where=())
