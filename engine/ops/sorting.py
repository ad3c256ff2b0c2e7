"""Sorted elements, and elements by rank."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops import selection
from engine.ops.checks import wrap_dim
from engine.ops.extremes import select_backward, share_equally
from engine.ops.kinds import only, refusing
from engine.ops.layouts import contiguous_results, laid_out_like
from engine.ops.reducers import add_up
from engine.ops.samples import along_dim, reduced_dim, singles


def order(x: Any, axis: int, descending: bool) -> Any:
    """Positions in sorted order. Equal elements keep theirs; nan counts as largest."""
    if not descending:
        return np.argsort(x, axis, "stable")
    # Turned round twice, so that equal elements stay in the order they had.
    backwards = np.argsort(np.flip(x, axis), axis, "stable")
    return x.shape[axis] - 1 - np.flip(backwards, axis)


def _sort(self: Any, dim: int = -1, descending: bool = False) -> tuple[Any, Any]:
    d = wrap_dim(dim, self.ndim)
    if self.dtype.kind == "c":
        raise RuntimeError(" Sort does not support complex dtypes on CPU")
    if not self.ndim:
        return self.copy(), np.int64(0)
    at = order(self, d, descending)
    return laid_out_like(self, np.take_along_axis(self, at, d)), laid_out_like(self, at)


def _kept(grad: Any, dim: int, indices: Any, self_sym_sizes: Any) -> Any:
    return select_backward(grad, dim, indices, self_sym_sizes, True)


_SORTED = Grad(_kept, r"\operatorname{scatter}([[grad]], [[indices]])")
_PICKED = Grad(
    lambda grad, dim, indices, self_sym_sizes, keepdim: select_backward(grad, dim, indices, self_sym_sizes, keepdim),
    r"\operatorname{scatter}([[grad]], [[indices]])",
)
_SHARED = Grad(
    lambda grad, self, result: share_equally(grad, self, result),
    r"[[grad]] \cdot \mathbf{1}[[[self]] = [[result]]] / k",
)
SORT = Op(
    "sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    _sort,
    "SortBackward0",
    {"self": _SORTED},
    r"\operatorname{sort}([[self]])",
    outputs=("values", "indices"),
    names=("values", "indices"),
    samples=lambda rng: [*along_dim(rng), {"self": rng.normal(size=(2, 3)), "descending": True}],
)
SORT_STABLE = Op(
    "sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    lambda self, stable=None, dim=-1, descending=False: _sort(self, dim, descending),
    "SortBackward1",
    {"self": _SORTED},
    r"\operatorname{sort}([[self]])",
    outputs=("values", "indices"),
    names=("values", "indices"),
    samples=lambda rng: [{**s, "stable": True} for s in along_dim(rng)],
)
ARGSORT = Op(
    "argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
    lambda self, dim=-1, descending=False: _sort(self, dim, descending)[1],
    latex=r"\operatorname{argsort}_{[[dim]]} [[self]]",
    example="torch.argsort(torch.tensor([3.0, 1.0, 2.0]))",
)
ARGSORT_STABLE = Op(
    "argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
    lambda self, stable, dim=-1, descending=False: _sort(self, dim, descending)[1],
    latex=r"\operatorname{argsort}_{[[dim]]} [[self]]",
    example="torch.argsort(torch.tensor([3.0, 1.0, 1.0]), stable=True)",
)


@contiguous_results
def _topk(self: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Any, Any]:
    d = wrap_dim(dim, self.ndim)
    if not 0 <= k <= (self.shape[d] if self.ndim else 1):
        raise RuntimeError("selected index k out of range")
    if not self.ndim:
        return self.copy(), np.int64(0)
    every = order(self, d, largest)
    at = np.take(every, range(k), d)
    one_more = np.take_along_axis(self, np.take(every, range(min(k + 1, self.shape[d])), d), d)
    before, after = (np.take(one_more, range(i, one_more.shape[d] - 1 + i), d) for i in (0, 1))
    tied = np.any((before == after) | ((before != before) & (after != after)) | (not sorted), axis=d)
    if tied.any():  # which of equal elements come, and in which order, follows from how PyTorch looks for them
        rows, places = np.moveaxis(self, d, -1), np.moveaxis(at, d, -1)
        for index in map(tuple, np.argwhere(tied)):
            places[index] = selection.top(rows[index].tolist(), k, largest, sorted)
    return np.take_along_axis(self, at, d), at


TOPK = Op(
    "topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)",
    refusing(
        "b",
        RuntimeError,
        "topk does not support bool dtypes on CPU",
        refusing("c", RuntimeError, " topk does not support complex dtypes on CPU", _topk),
    ),
    "TopkBackward0",
    {"self": _SORTED},
    r"\operatorname{top}_{[[k]]}([[self]])",
    outputs=("values", "indices"),
    names=("values", "indices"),
    samples=lambda rng: [{**s, "k": 2, "largest": bool(i % 2)} for i, s in enumerate(along_dim(rng))],
)


def _pick(self: Any, at: Any, axis: int, keepdim: bool) -> tuple[Any, Any]:
    """Elements and positions, `at` holding one position along `axis`."""
    values = np.take_along_axis(self, at, axis)
    return (values, at) if keepdim else (np.squeeze(values, axis), np.squeeze(at, axis))


def _no_elements(self: Any, d: int, name: str) -> None:
    if self.ndim and not self.shape[d]:
        raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")


@contiguous_results
def _kthvalue(self: Any, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Any, Any]:
    d = wrap_dim(dim, self.ndim)
    _no_elements(self, d, "kthvalue")
    if not 0 < k <= (self.shape[d] if self.ndim else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {d}")
    if not self.ndim:
        return self.copy(), np.int64(0)
    at = np.take(order(self, d, False), [k - 1], d)
    found = np.take_along_axis(self, at, d)
    tied = np.count_nonzero((self == found) | ((self != self) & (found != found)), axis=d) > 1
    if tied.any():  # which of the equal elements it is follows from how PyTorch looks for it
        rows, places = np.moveaxis(self, d, -1), np.moveaxis(at, d, -1)
        for index in np.argwhere(tied):
            places[(*index, 0)] = selection.kth(rows[tuple(index)].tolist(), k - 1)
    return _pick(self, at, d, keepdim)


KTHVALUE = Op(
    "kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
    only("fiuV", "kthvalue_cpu", _kthvalue),
    "KthvalueBackward0",
    {"self": _PICKED},
    r"[[self]]_{([[k]])}",
    outputs=("values", "indices"),
    names=("values", "indices"),
    samples=lambda rng: [{**s, "k": 2} for s in reduced_dim(rng)],
)


def _middle(ignore_nan: bool) -> Callable[..., tuple[Any, Any]]:
    """The lower of two medians; the first nan where there is one, unless nan is ignored."""

    @contiguous_results
    def forward(self: Any, dim: int, keepdim: bool = False) -> tuple[Any, Any]:
        d = wrap_dim(dim, self.ndim)
        if not self.ndim:
            return self.copy(), np.int64(0)
        _no_elements(self, d, "median")
        n, nans = self.shape[d], add_up(self != self, d, np.int64, None, True)
        rank = np.maximum(n - nans - 1, 0) // 2
        if not ignore_nan:
            rank = np.where(nans > 0, n - nans, rank)
        return _pick(self, np.take_along_axis(order(self, d, False), rank, d), d, keepdim)

    return forward


def _middle_of_all(ignore_nan: bool) -> Callable[[Any], Any]:
    by_dim = _middle(ignore_nan)

    def forward(self: Any) -> Any:
        if not self.size:
            if self.dtype.kind != "f":
                return self.dtype.type(np.iinfo(self.dtype).min) if self.dtype.kind == "i" else self.dtype.type(0)
            return self.dtype.type(np.nan)
        return by_dim(np.reshape(self, -1), 0)[0]

    return forward


def _by_value(base: str, node: str, ignore_nan: bool) -> tuple[Op, Op]:
    over_all = Op(
        f"{base}(Tensor self) -> Tensor",
        only("fiuV", "median_cpu", _middle_of_all(ignore_nan)),
        f"{node}Backward0",
        {"self": _SHARED},
        r"\operatorname{median}([[self]])",
        samples=lambda rng: [s for s in singles(rng) if s["self"].size],
    )
    over_dim = Op(
        f"{base}.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        only("fiuV", "median_out", _middle(ignore_nan)),
        f"{node}Backward1",
        {"self": _PICKED},
        r"\operatorname{median}_{[[dim]]}([[self]])",
        outputs=("values", "indices"),
        names=("values", "indices"),
        samples=reduced_dim,
    )
    return over_all, over_dim


MEDIAN, MEDIAN_DIM = _by_value("median", "Median", False)
NANMEDIAN, NANMEDIAN_DIM = _by_value("nanmedian", "Nanmedian", True)


@contiguous_results
def _mode(self: Any, dim: int = -1, keepdim: bool = False) -> tuple[Any, Any]:
    d = wrap_dim(dim, self.ndim)
    if not self.ndim:
        return self.copy(), np.int64(0)
    _no_elements(self, d, "mode")
    at = np.moveaxis(order(self, d, False), d, -1)
    rows = np.take_along_axis(np.moveaxis(self, d, -1), at, -1)
    n = rows.shape[-1]
    fresh = np.ones(rows.shape, bool)
    fresh[..., 1:] = rows[..., 1:] != rows[..., :-1]
    place = np.arange(n)
    run = place - np.maximum.accumulate(np.where(fresh, place, 0), -1)
    last = np.argmax(run, -1)[..., None]  # the end of the first of the longest runs
    found = np.take_along_axis(at, last, -1)
    if n > selection.SMALL:
        moved = np.moveaxis(self, d, -1)
        for index in np.ndindex(moved.shape[:-1]):
            found[index] = selection.ascending(moved[index].tolist())[last[(*index, 0)]]
    return _pick(self, np.moveaxis(found, -1, d), d, keepdim)


MODE = Op(
    "mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
    only("fiubV", "mode_cpu", _mode),
    "ModeBackward0",
    {"self": _PICKED},
    r"\operatorname{mode}_{[[dim]]}([[self]])",
    outputs=("values", "indices"),
    names=("values", "indices"),
    unchecked="a small step breaks the ties that a mode counts",
    example="torch.mode(torch.tensor([1.0, 2.0, 2.0]))",
)
