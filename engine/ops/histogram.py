"""Histograms of numbers and of points, with the edges of their bins."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Op
from engine.ops.kinds import check_kind, wide_only
from engine.ops.spacing import evenly_spaced
from engine.ops.undifferentiable import NODE, REASON, no_derivative

_WHO = "torch.histogramdd"


def _range_of(points: np.ndarray, d: int, given: Sequence[float] | None) -> tuple[float, float]:
    """The first and the last edge of a dimension: as given, else around all points."""
    if given is not None:
        low, high = given[2 * d : 2 * d + 2]
    else:
        low, high = (points[:, d].min(), points[:, d].max()) if len(points) else (0.0, 1.0)
    if not (np.isfinite(low) and np.isfinite(high)):
        raise RuntimeError(f"{_WHO}: dimension {d}'s range [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError(f"{_WHO}: min should not exceed max, but got min {low:g} max {high:g} for dimension {d}")
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _check(points: np.ndarray, bins: Sequence[Any], weight: np.ndarray | None) -> None:
    """Raise RuntimeError for bins and weights that do not fit the points."""
    own = from_numpy(points.dtype).cpp_name
    if points.ndim < 2:
        raise RuntimeError(f"{_WHO}: input tensor should have at least 2 dimensions")
    if len(bins) != points.shape[-1]:
        raise RuntimeError("histogramdd: The size of bins must be equal to the innermost dimension of the input.")
    for d, edges in enumerate(bins):
        if isinstance(edges, int):
            continue
        if edges.dtype != points.dtype:
            raise RuntimeError(
                f"{_WHO}: input tensor and bins tensors should have the same dtype, but got input with dtype {own} "
                f"and bins for dimension {d} with dtype {from_numpy(edges.dtype).cpp_name}"
            )
        if edges.ndim != 1:
            raise RuntimeError(
                f"{_WHO}: bins tensor should have one dimension, but got {edges.ndim} dimensions in the bins tensor "
                f"for dimension {d}"
            )
        if not edges.size:
            raise RuntimeError(
                f"{_WHO}: bins tensor should have at least 1 element, but got 0 elements in the bins tensor for "
                f"dimension {d}"
            )
    if weight is not None and weight.dtype != points.dtype:
        raise RuntimeError(
            f"{_WHO}: if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got "
            f"input({own}), and weight({from_numpy(weight.dtype).cpp_name})"
        )
    if weight is not None and weight.shape != points.shape[:-1]:
        raise RuntimeError(
            f"{_WHO}: if weight tensor is provided it should have the same shape as the input tensor excluding its "
            f"innermost dimension, but got input with shape {list(points.shape)} and weight with shape "
            f"{list(weight.shape)}"
        )


def _edges(points: np.ndarray, bins: Sequence[Any], given: Sequence[float] | None) -> list[np.ndarray]:
    """The edges of the bins of every dimension, from their numbers or as they are."""
    dims = points.shape[-1]
    if given is not None and len(given) != 2 * dims:
        raise RuntimeError(
            f"{_WHO}: for a {dims}-dimensional histogram range should have {2 * dims} elements, but got {len(given)}"
        )
    found = []
    for d, n in enumerate(bins):
        count = n if isinstance(n, int) else n.size - 1
        if count <= 0:
            raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {count} for dimension {d}")
        if isinstance(n, int):
            low, high = _range_of(points.reshape(-1, dims), d, given)
            found.append(evenly_spaced(low, high, n + 1, points.dtype))
        else:
            found.append(n)
    return found


def _counted(points: np.ndarray, edges: Sequence[np.ndarray], weight: np.ndarray | None, density: bool) -> np.ndarray:
    """How many points, or how much weight of them, every bin holds; the last bin holds its upper edge as well."""
    shape = tuple(e.size - 1 for e in edges)
    flat = points.reshape(-1, points.shape[-1])
    at, inside = np.zeros(len(flat), np.int64), np.ones(len(flat), bool)
    for d, e in enumerate(edges):
        x = flat[:, d]
        inside &= (x >= e[0]) & (x <= e[-1])
        place = np.minimum(np.searchsorted(e, x, "right") - 1, shape[d] - 1)
        at = at * shape[d] + np.maximum(place, 0)
    weights = None if weight is None else weight.reshape(-1)[inside]
    counts = np.bincount(at[inside], weights, int(np.prod(shape))).reshape(shape).astype(points.dtype)
    if density:
        counts = counts / counts.sum()
        for d, e in enumerate(edges):
            counts = counts / np.diff(e).reshape([-1 if i == d else 1 for i in range(len(shape))])
    return counts


def _points_histogram(points: Any, bins: Sequence[Any], given: Any, weight: Any, density: bool) -> Any:
    _check(points, bins, weight)
    edges = _edges(points, bins, given)
    check_kind("histogramdd", points, "f")
    return _counted(points, edges, weight, density), edges


def _histogram(self: Any, bins: Any, given: Any, weight: Any, density: bool) -> tuple[Any, Any]:
    flat = None if weight is None else weight.reshape(-1)
    counts, edges = _points_histogram(self.reshape(-1, 1), [bins], given, flat, density)
    return counts, edges[0].copy()


HISTOGRAM = Op(
    "histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) "
    "-> (Tensor hist, Tensor bin_edges)",
    wide_only(
        "histogramdd", lambda self, bins, weight=None, density=False: _histogram(self, bins, None, weight, density)
    ),
    NODE,
    {name: no_derivative("histogram") for name in ("self", "bins", "weight")},
    r"y_k = \lvert \{i : [[self]]_i \in [e_k, e_{k+1})\} \rvert,\; e = [[bins]]",
    names=("hist", "bin_edges"),
    unchecked=REASON,
    example="torch.histogram(torch.tensor([1.0, 2.0, 2.5]), torch.tensor([0.0, 2.0, 4.0]))",
)
HISTOGRAM_OF_COUNT = Op(
    "histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) "
    "-> (Tensor hist, Tensor bin_edges)",
    wide_only(
        "histogramdd",
        lambda self, bins=100, range=None, weight=None, density=False: _histogram(self, bins, range, weight, density),
    ),
    NODE,
    {name: no_derivative("histogram") for name in ("self", "weight")},
    r"y_k = \lvert \{i : [[self]]_i \in [e_k, e_{k+1})\} \rvert",
    names=("hist", "bin_edges"),
    unchecked=REASON,
    example="torch.histogram(torch.tensor([1.0, 2.0, 2.5]), 2)",
)
POINTS_EDGES = Op(
    "_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None) -> Tensor[]",
    wide_only(
        "histogramdd", lambda self, bins, range=None: tuple(_points_histogram(self, bins, range, None, False)[1])
    ),
    NODE,
    {"self": no_derivative("_histogramdd_bin_edges")},
    r"\text{edges}([[self]], [[bins]])",
    where=(),
    unchecked=REASON,
)
POINTS_HISTOGRAM = Op(
    "_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False) -> Tensor",
    wide_only(
        "histogramdd",
        lambda self, bins, weight=None, density=False: _points_histogram(self, bins, None, weight, density)[0],
    ),
    NODE,
    {name: no_derivative("_histogramdd_from_bin_tensors") for name in ("self", "weight")},
    r"y_k = \lvert \{i : [[self]]_i \in \text{bin } k\} \rvert",
    where=(),
    unchecked=REASON,
)
