"""Distinct elements, positions among sorted ones, and histograms."""

from typing import Any

import numpy as np

from engine.op import Op
from engine.ops.checks import wrap_dim
from engine.ops.kinds import check_kind, only
from engine.ops.undifferentiable import NODE, REASON, no_derivative, not_implemented

_NOTHING = np.zeros(0, np.int64)


def _unique2(
    self: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Any, Any, Any]:
    values, inverse, counts = np.unique(self, return_inverse=True, return_counts=True, equal_nan=False)
    return (
        values,
        inverse.reshape(self.shape) if return_inverse else _NOTHING,
        counts if return_counts else _NOTHING,
    )


UNIQUE2 = Op(
    "_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False)"
    " -> (Tensor, Tensor, Tensor)",
    only("fiubV", "unique", _unique2),
    "Unique2Backward0",
    {"self": not_implemented("_unique2")},
    r"\operatorname{unique}([[self]])",
    where=(),
    nondiff=(1, 2),
    unchecked=REASON,
)


def _unique_dim(
    self: Any, dim: int, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Any, Any, Any]:
    d = wrap_dim(dim, self.ndim)
    values, inverse, counts = np.unique(self, return_inverse=True, return_counts=True, axis=d, equal_nan=False)
    return values, inverse.reshape(-1) if return_inverse else _NOTHING, counts if return_counts else _NOTHING


UNIQUE_DIM = Op(
    "unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False)"
    " -> (Tensor, Tensor, Tensor)",
    _unique_dim,
    "UniqueDimBackward0",
    {"self": not_implemented("unique_dim")},
    r"\operatorname{unique}([[self]])",
    where=(),
    nondiff=(1, 2),
    unchecked=REASON,
)


def _unique_consecutive(
    self: Any, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> tuple[Any, Any, Any]:
    if dim is None:
        flat, axis = np.reshape(self, -1), 0
        fresh = np.ones(flat.shape, bool)
        fresh[1:] = flat[1:] != flat[:-1]
    else:
        flat, axis = self, wrap_dim(dim, self.ndim)
        rows = np.moveaxis(flat, axis, 0).reshape(flat.shape[axis], -1)
        fresh = np.ones(len(rows), bool)
        fresh[1:] = (rows[1:] != rows[:-1]).any(1)
    starts = np.flatnonzero(fresh)
    inverse = np.cumsum(fresh) - 1
    return (
        np.take(flat, starts, axis),
        (inverse.reshape(self.shape) if dim is None else inverse) if return_inverse else _NOTHING,
        np.diff(np.append(starts, len(fresh))) if return_counts else _NOTHING,
    )


UNIQUE_CONSECUTIVE = Op(
    "unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None)"
    " -> (Tensor, Tensor, Tensor)",
    _unique_consecutive,
    "UniqueConsecutiveBackward0",
    {"self": not_implemented("unique_consecutive")},
    r"\operatorname{unique}([[self]])",
    where=(),
    nondiff=(1, 2),
    unchecked=REASON,
)


def _positions(edges: Any, x: Any, out_int32: bool, right: bool, side: Any, sorter: Any) -> Any:
    if side == "left" and right:
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True"
        )
    where = side or ("right" if right else "left")
    check_kind("searchsorted_out_cpu", edges, "fiuV")
    if sorter is not None:
        edges = np.take_along_axis(edges, sorter, -1)
    if edges.ndim == 1:
        found = np.searchsorted(edges, x, where)
    else:
        flat = edges.reshape(-1, edges.shape[-1])
        wanted = np.asarray(x).reshape(len(flat), -1)
        found = np.stack([np.searchsorted(e, w, where) for e, w in zip(flat, wanted, strict=True)]).reshape(x.shape)
    return found.astype(np.int32 if out_int32 else np.int64)


def _searchsorted(
    sorted_sequence: Any,
    self: Any,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Any = None,
) -> Any:
    if sorted_sequence.ndim > 1 and np.shape(self)[:-1] != sorted_sequence.shape[:-1]:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries "
            f"tensor and input value tensor must match, but we got boundaries tensor {list(sorted_sequence.shape)} "
            f"and input value tensor {list(np.shape(self))}"
        )
    return _positions(sorted_sequence, self, out_int32, right, side, sorter)


SEARCHSORTED = Op(
    "searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False,"
    " str? side=None, Tensor? sorter=None) -> Tensor",
    _searchsorted,
    where=("function",),
    latex=r"\lvert \{i : [[sorted_sequence]]_i < [[self]]\} \rvert",
    example="torch.searchsorted(torch.tensor([1.0, 3.0, 5.0]), torch.tensor([2.0, 5.0]))",
)
SEARCHSORTED_SCALAR = Op(
    "searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False,"
    " str? side=None, Tensor? sorter=None) -> Tensor",
    _searchsorted,
    where=("function",),
    latex=r"\lvert \{i : [[sorted_sequence]]_i < [[self]]\} \rvert",
    example="torch.searchsorted(torch.tensor([1.0, 3.0, 5.0]), 2.0)",
)


def _bucketize(self: Any, boundaries: Any, out_int32: bool = False, right: bool = False) -> Any:
    if boundaries.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    return _positions(boundaries, self, out_int32, right, None, None)


BUCKETIZE = Op(
    "bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
    _bucketize,
    where=("function",),
    latex=r"\lvert \{i : [[boundaries]]_i < [[self]]\} \rvert",
    example="torch.bucketize(torch.tensor([2.0, 5.0]), torch.tensor([1.0, 3.0, 5.0]))",
)
BUCKETIZE_SCALAR = Op(
    "bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
    _bucketize,
    where=("function",),
    latex=r"\lvert \{i : [[boundaries]]_i < [[self]]\} \rvert",
    example="torch.bucketize(2.0, torch.tensor([1.0, 3.0, 5.0]))",
)


def _bincount(self: Any, weights: Any = None, minlength: int = 0) -> Any:
    check_kind("bincount_cpu", self, "iu")
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if self.ndim != 1 or (self.size and self.min() < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is not None and weights.shape != self.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    counts = np.bincount(self, weights, minlength)
    return counts.astype(np.float32) if weights is not None and weights.dtype == np.float32 else counts


BINCOUNT = Op(
    "bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor",
    _bincount,
    NODE,
    {"weights": no_derivative("bincount")},
    unchecked=REASON,
    latex=r"y_k = \lvert \{i : [[self]]_i = k\} \rvert",
    example="torch.bincount(torch.tensor([0, 2, 2]))",
)


def _histc(self: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    check_kind("linspace_cpu" if self.dtype.kind == "b" else "aminmax_cpu", self, "fiu")
    check_kind("histogram_cpu", self, "f")
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if min == max and self.size:
        min, max = float(self.min()), float(self.max())
    if min == max:
        min, max = min - 1, max + 1
    if not (np.isfinite(min) and np.isfinite(max)):
        raise RuntimeError(f"torch.histc: range of [{min:g}, {max:g}] is not finite")
    if min > max:
        raise RuntimeError("torch.histc: max must be larger than min")
    return np.histogram(self, bins, (min, max))[0].astype(self.dtype)


HISTC = Op(
    "histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
    _histc,
    latex=r"y_k = \lvert \{i : [[self]]_i \text{ in bin } k\} \rvert",
    example="torch.histc(torch.tensor([1.0, 2.0, 2.5]), 2)",
)
