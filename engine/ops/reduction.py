"""Sums, means, products and counts."""

from typing import Any

import numpy as np

from engine.dtypes import dtype as Dtype
from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.arithmetic import DIV_SCALAR
from engine.ops.cascade import cascade_sum
from engine.ops.kinds import check_dtype, check_kind, refusing
from engine.ops.layouts import by_rows, contiguous_results
from engine.ops.reduced import axes, count, spread
from engine.ops.reducers import add_up
from engine.ops.samples import reductions, singles
from engine.ops.views import EXPAND

_INT64 = np.dtype(np.int64)
_FLOAT32 = np.dtype(np.float32)


def accumulate(ufunc: Any, x: Any, axis: Any, keepdim: bool = False, dtype: Dtype | None = None) -> Any:
    """Reduce with `add` or `multiply`: integers in int64, half precision in float32, or in the dtype asked for."""
    if dtype is not None:
        return ufunc.reduce(x, axis, dtype.numpy, None, keepdim)
    kind = x.dtype.kind
    if kind == "f" and x.dtype.itemsize > 2:
        if ufunc is np.add:
            exact = cascade_sum(x, axis, keepdim)
            if exact is not None:
                return exact
        return ufunc.reduce(x, axis, None, None, keepdim)
    if kind in "iub":
        return ufunc.reduce(x, axis, _INT64, None, keepdim)
    if kind == "c":
        return ufunc.reduce(x, axis, None, None, keepdim)
    return ufunc.reduce(x, axis, _FLOAT32, None, keepdim).astype(x.dtype)


def _sum(self: Any, dtype: Dtype | None = None) -> Any:
    return accumulate(np.add, self, None, False, dtype)


@contiguous_results
def _sum_dim(self: Any, dim: Any, keepdim: bool = False, dtype: Dtype | None = None) -> Any:
    return accumulate(np.add, self, axes(dim, self.ndim), keepdim, dtype)


SUM = Op(
    "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    _sum,
    "SumBackward0",
    {"self": Grad(lambda grad, self_sym_sizes: EXPAND(grad, self_sym_sizes), r"[[grad]] \cdot \mathbf{1}")},
    r"\sum_i [[self]]_i",
    samples=singles,
)
SUM_DIM = Op(
    "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    _sum_dim,
    "SumBackward1",
    {
        "self": Grad(
            lambda grad, self_sym_sizes, dim, keepdim: spread(grad, self_sym_sizes, dim, keepdim),
            r"[[grad]] \cdot \mathbf{1}",
        )
    },
    r"\sum_{[[dim]]} [[self]]",
    samples=reductions,
)


def check_mean(name: str, given: np.dtype, asked: Dtype | None) -> None:
    """Raise RuntimeError where a mean would have to be a whole number or a truth value."""
    kind, whose = (from_numpy(given), "Input") if asked is None else (asked, "Optional")
    if kind.numpy.kind in "iub":
        raise RuntimeError(
            f"{name}(): could not infer output dtype. {whose} dtype must be either a floating point or complex dtype. "
            f"Got: {kind.torch_name}"
        )


@contiguous_results
def _mean(self: Any, dim: Any = None, keepdim: bool = False, dtype: Dtype | None = None) -> Any:
    check_mean("mean", self.dtype, dtype)
    axis = axes(dim, self.ndim)
    total = accumulate(np.add, self, axis, keepdim, dtype)
    return np.true_divide(total, count(self.shape, axis), dtype=total.dtype)


def _mean_backward(grad: Any, self_sym_sizes: Any, dim: Any, self_sym_numel: int, keepdim: bool) -> Any:
    n = count(self_sym_sizes, dim) if dim else self_sym_numel
    return DIV_SCALAR(spread(grad, self_sym_sizes, dim, keepdim), n)


MEAN = Op(
    "mean(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    lambda self, dtype=None: _mean(self, None, False, dtype),
    "MeanBackward0",
    {
        "self": Grad(
            lambda grad, self_sym_sizes, self_sym_numel: DIV_SCALAR(EXPAND(grad, self_sym_sizes), self_sym_numel),
            r"\frac{1}{n} [[grad]] \cdot \mathbf{1}",
        )
    },
    r"\frac{1}{n} \sum_i [[self]]_i",
    samples=lambda rng: [s for s in singles(rng) if s["self"].size],
)
MEAN_DIM = Op(
    "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    _mean,
    "MeanBackward1",
    {"self": Grad(_mean_backward, r"\frac{1}{n} [[grad]] \cdot \mathbf{1}")},
    r"\frac{1}{n} \sum_{[[dim]]} [[self]]",
    samples=reductions,
)


@contiguous_results
def _nansum(self: Any, dim: Any = None, keepdim: bool = False, dtype: Dtype | None = None) -> Any:
    if dtype is not None and self.dtype.kind in "fV":  # others hold no nan, and are summed like any
        check_dtype("nansum_cpu", dtype.numpy, "fiubV")
    numbers = np.where(self != self, self.dtype.type(0), self)
    return accumulate(np.add, numbers, axes(dim, self.ndim), keepdim, dtype)


NANSUM = Op(
    "nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    refusing("c", RuntimeError, "nansum on CPU does not support complex inputs", _nansum),
    "NansumBackward0",
    {
        "self": Grad(
            lambda grad, self, dim, keepdim: spread(grad, self.shape, dim, keepdim) * (self == self),
            r"[[grad]] \cdot \mathbf{1}[[[self]] \neq \mathrm{nan}]",
        )
    },
    r"\sum_{[[dim]]} [[self]]",
    samples=reductions,
)
COUNT_NONZERO = Op(
    "count_nonzero(Tensor self, int? dim=None) -> Tensor",
    lambda self, dim=None: add_up(np.not_equal(by_rows(self), 0), axes(dim, self.ndim), _INT64),
    latex=r"\lvert \{i : [[self]]_i \neq 0\} \rvert",
    example="torch.count_nonzero(torch.tensor([[0.0, 1.0], [2.0, 3.0]]))",
)
COUNT_NONZERO_DIMS = Op(
    "count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor",
    lambda self, dim: add_up(np.not_equal(by_rows(self), 0), axes(dim, self.ndim), _INT64),
    latex=r"\lvert \{i : [[self]]_i \neq 0\} \rvert_{[[dim]]}",
    example="torch.count_nonzero(torch.tensor([[0.0, 1.0], [2.0, 3.0]]), (0, 1))",
)


def _truth_over(ufunc: Any, self: Any, dim: Any, keepdim: bool) -> Any:
    """Over several dimensions; over none of them each element stands for itself."""
    if dim is not None and not len(dim):
        return _truth(ufunc, self, ())
    return _truth(ufunc, self, axes(dim, self.ndim), keepdim)


def _truth(ufunc: Any, self: Any, axis: Any = None, keepdim: bool = False) -> Any:
    result = by_rows(ufunc.reduce(self, axis, None, None, keepdim))
    return result.astype(np.uint8) if self.dtype == np.uint8 else result


ALL = Op(
    "all(Tensor self) -> Tensor",
    lambda self: _truth(np.logical_and, self),
    latex=r"\bigwedge_i [[self]]_i",
    example="torch.all(torch.tensor([[0.0, 1.0], [2.0, 3.0]]) > -1)",
)
ALL_DIM = Op(
    "all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
    lambda self, dim, keepdim=False: _truth(np.logical_and, self, axes(dim, self.ndim), keepdim),
    latex=r"\bigwedge_{[[dim]]} [[self]]",
    example="torch.all(torch.tensor([[0.0, 1.0], [2.0, 3.0]]) > 0, 1)",
)
ALL_DIMS = Op(
    "all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
    lambda self, dim=None, keepdim=False: _truth_over(np.logical_and, self, dim, keepdim),
    latex=r"\bigwedge_{[[dim]]} [[self]]",
    example="torch.all(torch.tensor([[0.0, 1.0], [2.0, 3.0]]) > 0, (0, 1))",
)
ANY = Op(
    "any(Tensor self) -> Tensor",
    lambda self: _truth(np.logical_or, self),
    latex=r"\bigvee_i [[self]]_i",
    example="torch.any(torch.tensor([[0.0, 1.0], [2.0, 3.0]]) > 2)",
)
ANY_DIM = Op(
    "any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
    lambda self, dim, keepdim=False: _truth(np.logical_or, self, axes(dim, self.ndim), keepdim),
    latex=r"\bigvee_{[[dim]]} [[self]]",
    example="torch.any(torch.tensor([[0.0, 1.0], [2.0, 3.0]]) > 1, 1)",
)
ANY_DIMS = Op(
    "any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
    lambda self, dim=None, keepdim=False: _truth_over(np.logical_or, self, dim, keepdim),
    latex=r"\bigvee_{[[dim]]} [[self]]",
    example="torch.any(torch.tensor([[0.0, 1.0], [2.0, 3.0]]) > 2, (0, 1))",
)


def _trace(self: Any) -> Any:
    check_kind("trace", self, "fciuV")
    if self.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {self.ndim}")
    return accumulate(np.add, self.diagonal(), None)


def _trace_backward(grad: Any, sizes: Any) -> Any:
    return np.eye(*sizes, dtype=grad.dtype) * grad


TRACE_BACKWARD = Op(
    "trace_backward(Tensor grad, SymInt[] sizes) -> Tensor",
    _trace_backward,
    "TraceBackwardBackward0",
    {"grad": Grad(lambda grad: TRACE(grad), r"\operatorname{tr} [[grad]]")},
    r"[[grad]] \cdot I",
    where=(),
    samples=lambda rng: [{"grad": rng.normal(size=()), "sizes": s} for s in ((3, 2), (2, 2), (1, 4))],
)
TRACE = Op(
    "trace(Tensor self) -> Tensor",
    _trace,
    "TraceBackward0",
    {"self": Grad(lambda grad, self_sym_sizes: TRACE_BACKWARD(grad, self_sym_sizes), r"[[grad]] \cdot I")},
    r"\operatorname{tr} [[self]]",
    samples=lambda rng: [{"self": rng.normal(size=s)} for s in ((3, 3), (2, 4))],
)
