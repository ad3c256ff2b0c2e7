"""Running sums and extremes."""

from functools import partial
from typing import Any

import numpy as np

from engine.dtypes import dtype as Dtype
from engine.op import Grad, Op
from engine.ops.checks import wrap_dim
from engine.ops.copy import NEW_ZEROS
from engine.ops.exponentials import EXP, LOG, add_logarithms
from engine.ops.gather_scatter import SCATTER_ADD
from engine.ops.join import FLIP
from engine.ops.kinds import check_dtype, only
from engine.ops.layouts import contiguous_results
from engine.ops.masking import WHERE
from engine.ops.samples import along_dim

_INT64 = np.dtype(np.int64)
_KERNELS = {np.add: "cumsum_out_cpu", np.multiply: "cumprod_out_cpu"}


@contiguous_results
def accumulated(ufunc: Any, self: Any, dim: int, dtype: Dtype | None) -> Any:
    """Running sums or products: integers in int64, or in the dtype asked for."""
    d = wrap_dim(dim, self.ndim)
    kind = _INT64 if self.dtype.kind in "iub" else self.dtype
    kind = dtype.numpy if dtype is not None else kind
    check_dtype(_KERNELS[ufunc], kind, "fciuV")
    if not self.ndim:
        return self.astype(kind)
    if kind.char in "ef":  # PyTorch carries the running value in double precision
        return ufunc.accumulate(self, d, np.float64).astype(kind)
    return ufunc.accumulate(self, d, kind)


def backward_sums(grad: Any, dim: int) -> Any:
    """Sums from each element to the end."""
    if not grad.ndim or grad.shape[dim] <= 1:
        return grad
    return FLIP(CUMSUM(FLIP(grad, (dim,)), dim), (dim,))


CUMSUM = Op(
    "cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
    lambda self, dim, dtype=None: accumulated(np.add, self, dim, dtype),
    "CumsumBackward0",
    {"self": Grad(backward_sums, r"\textstyle\sum_{j \ge i} [[grad]]_j")},
    r"\textstyle\sum_{j \le i} [[self]]_j",
    inplace=True,
    samples=along_dim,
)


@contiguous_results
def _running(ufunc: Any, name: str, self: Any, dim: int) -> tuple[Any, Any]:
    if not self.ndim:
        if dim not in (-1, 0):
            raise IndexError(f"{name}(): Expected reduction dim -1 or 0 for scalar but got {dim}")
        return self.copy(), np.int64(0)
    d = wrap_dim(dim, self.ndim)
    values = ufunc.accumulate(self, d)
    # An element is where its running extreme was last reached; nan, once met, stays.
    position = np.arange(self.shape[d]).reshape([-1 if i == d else 1 for i in range(self.ndim)])
    at = (self == values) | (self != self)
    return values, np.maximum.accumulate(np.where(at, position, 0), d)


_RUNNING = Grad(
    lambda grad, self, indices, dim: SCATTER_ADD(NEW_ZEROS(grad, self.shape), dim, indices, grad),
    r"\operatorname{scatter\_add}([[grad]], [[indices]])",
)
CUMMAX = Op(
    "cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)",
    only("fiubV", "cummax_cpu", partial(_running, np.maximum, "cummax")),
    "CummaxBackward0",
    {"self": _RUNNING},
    r"\max_{j \le i} [[self]]_j",
    outputs=("values", "indices"),
    names=("values", "indices"),
    samples=along_dim,
)
CUMMIN = Op(
    "cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)",
    only("fiubV", "cummin_cpu", partial(_running, np.minimum, "cummin")),
    "CumminBackward0",
    {"self": _RUNNING},
    r"\min_{j \le i} [[self]]_j",
    outputs=("values", "indices"),
    names=("values", "indices"),
    samples=along_dim,
)


@contiguous_results
def _logcumsumexp(self: Any, dim: int) -> Any:
    d = wrap_dim(dim, self.ndim)
    if not self.ndim:
        return self.copy()
    if self.dtype.kind != "c":
        return np.logaddexp.accumulate(self, d)
    out = self.copy()
    rows, sums = np.moveaxis(self, d, 0), np.moveaxis(out, d, 0)
    for i in range(1, len(rows)):
        sums[i] = add_logarithms(sums[i - 1], rows[i])
    return out


def _logcumsumexp_backward(grad: Any, self: Any, result: Any, dim: int) -> Any:
    """In logarithms, the positive and the negative part of the gradient apart, so that nothing overflows."""
    if not grad.ndim or not self.shape[dim]:
        return grad
    if getattr(grad, "_a", grad).dtype.kind == "c":
        return EXP(FLIP(LOGCUMSUMEXP(FLIP(LOG(grad) - result, (dim,)), dim), (dim,)) + self)
    lowest = -3.4028234663852886e38 if "32" in str(grad.dtype) else -1.7976931348623157e308
    halves = []
    for up, size in ((grad > 0, LOG(grad)), (grad < 0, LOG(-grad))):
        log_grad = WHERE(up, size, lowest)
        backwards = FLIP(LOGCUMSUMEXP(FLIP(log_grad - result, (dim,)), dim), (dim,))
        halves.append(EXP(backwards + self))
    return halves[0] - halves[1]


LOGCUMSUMEXP = Op(
    "logcumsumexp(Tensor self, int dim) -> Tensor",
    only("fcV", "logcumsumexp_out_cpu", _logcumsumexp),
    "LogcumsumexpBackward0",
    {"self": Grad(_logcumsumexp_backward, r"\textstyle\sum_{j \ge i} [[grad]]_j\, e^{[[self]]_i - [[result]]_j}")},
    r"\log \textstyle\sum_{j \le i} e^{[[self]]_j}",
    samples=along_dim,
)
