"""Softmax and its logarithm."""

from typing import Any

import numpy as np

from engine.dtypes import dtype as Dtype
from engine.op import Grad, Op
from engine.ops import rounded
from engine.ops.cascade import register_sum
from engine.ops.checks import wrap_dim
from engine.ops.exponentials import EXP
from engine.ops.kinds import check_kind
from engine.ops.layouts import contiguous_results
from engine.ops.reducers import add_up, every, largest
from engine.ops.reduction import SUM_DIM
from engine.ops.samples import along_dim

_CLOSE = 3e-4  # e^-8: a row whose largest element is at most this far below the maximum keeps its digits


def _axis(dim: int, ndim: int) -> int | None:
    d = wrap_dim(dim, ndim)
    return d if ndim else None


def _shifted(self: Any, axis: int | None, name: str) -> Any:
    """The input minus its maximum along `axis`. `name` is what PyTorch calls the kernel when it refuses a dtype."""
    last = "_lastdim" if axis is None or axis == self.ndim - 1 else ""
    check_kind(f"{name}{last}_kernel_impl", self, "f")
    return self - largest(self, axis, None, None, True) if self.size else self


def _exponentials(self: Any, axis: int | None, name: str) -> tuple[Any, Any, Any]:
    """The input shifted so that nothing overflows, its exponentials, and their sums along `axis`.

    Large arrays along the last dimension are shifted by their one maximum, which costs a fraction of one per row,
    unless some row lies so far below that it would lose digits; a masked element may lie anywhere.
    """
    large = self.size > rounded.READABLE and self.dtype.kind == "f"
    if large and axis == self.ndim - 1 and self.flags.c_contiguous:
        x = self - self.max()
        e = np.exp(x)
        total = np.matmul(e, np.ones(e.shape[-1], e.dtype))
        if total.min() > _CLOSE:
            return x, e, total[..., None]
    x = _shifted(self, axis, name)
    e = rounded.exp(x)
    if axis == e.ndim - 1 and e.shape[-1] >= 8 and e.dtype.char == "f" and e.flags.c_contiguous:
        return x, e, register_sum(e)
    return x, e, add_up(e, axis, None, None, True)


@contiguous_results
def _softmax(self: Any, dim: int, half_to_float: bool = False) -> Any:
    axis = _axis(dim, self.ndim)
    _, e, total = _exponentials(self, axis, "softmax")
    if not e.ndim:
        return e / e
    if axis == e.ndim - 1:  # PyTorch multiplies by the reciprocal along the last dimension, and divides along others
        e *= 1 / total
    else:
        e /= total
    return e


@contiguous_results
def _log_softmax(self: Any, dim: int, half_to_float: bool = False) -> Any:
    axis = _axis(dim, self.ndim)
    x, _, total = _exponentials(self, axis, "log_softmax")
    return x - rounded.log(total)


def _totals(x: Any, dim: int) -> Any:
    """Sums along one dimension, which stays."""
    if x.size > rounded.READABLE and dim in (-1, x.ndim - 1) and x.flags.c_contiguous:
        return np.matmul(x, np.ones(x.shape[-1], x.dtype))[..., None]
    return add_up(x, dim if x.ndim else None, None, None, True)


def _softmax_backward_data(grad_output: Any, output: Any, dim: int, input_dtype: Any = None) -> Any:
    weighted = grad_output * output
    weighted -= output * _totals(weighted, dim)
    return weighted


def _log_softmax_backward_data(grad_output: Any, output: Any, dim: int, input_dtype: Any = None) -> Any:
    return grad_output - rounded.exp(output) * _totals(grad_output, dim)


def _softmax_double_backward(grad: Any, grad_output: Any, dim: int, output: Any) -> Any:
    return (
        grad_output * grad
        - SUM_DIM(output * grad_output, (dim,), True) * grad
        - grad_output * SUM_DIM(output * grad, (dim,), True)
    )


def _backward_samples(rng: np.random.Generator) -> list[dict[str, Any]]:
    made = [(s["self"], rng.uniform(0.1, 0.6, size=s["self"].shape), s["dim"]) for s in along_dim(rng)]
    return [{"grad_output": g, "output": o, "dim": d, "input_dtype": None} for g, o, d in made]


SOFTMAX_BACKWARD = Op(
    "_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor",
    _softmax_backward_data,
    "SoftmaxBackwardDataBackward0",
    {
        "grad_output": Grad(
            lambda grad, output, dim, input_dtype: SOFTMAX_BACKWARD(grad, output, dim, input_dtype),
            r"[[output]] \odot ([[grad]] - \langle [[grad]], [[output]] \rangle)",
        ),
        "output": Grad(
            lambda grad, grad_output, dim, output: _softmax_double_backward(grad, grad_output, dim, output),
            r"[[grad_output]] \odot [[grad]] - \langle [[output]], [[grad_output]] \rangle [[grad]]"
            r" - \langle [[output]], [[grad]] \rangle [[grad_output]]",
        ),
    },
    r"[[output]] \odot ([[grad_output]] - \langle [[grad_output]], [[output]] \rangle)",
    where=(),
    samples=_backward_samples,
)
LOG_SOFTMAX_BACKWARD = Op(
    "_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor",
    _log_softmax_backward_data,
    "LogSoftmaxBackwardDataBackward0",
    {
        "grad_output": Grad(
            lambda grad, output, dim: grad - SUM_DIM(grad * EXP(output), (dim,), True),
            r"[[grad]] - \textstyle\sum [[grad]] \odot e^{[[output]]}",
        ),
        "output": Grad(
            lambda grad, grad_output, dim, output: -SUM_DIM(grad_output, (dim,), True) * EXP(output) * grad,
            r"-(\textstyle\sum [[grad_output]])\, e^{[[output]]} \odot [[grad]]",
        ),
    },
    r"[[grad_output]] - e^{[[output]]} \textstyle\sum [[grad_output]]",
    where=(),
    samples=_backward_samples,
)
SOFTMAX = Op(
    "_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
    _softmax,
    "SoftmaxBackward0",
    {
        "self": Grad(
            lambda grad, result, dim, self_dtype: SOFTMAX_BACKWARD(grad, result, dim, self_dtype),
            r"[[result]] \odot ([[grad]] - \langle [[grad]], [[result]] \rangle)",
        )
    },
    r"\frac{e^{[[self]]}}{\sum_{[[dim]]} e^{[[self]]}}",
    where=(),
    samples=lambda rng: [{**s, "half_to_float": False} for s in along_dim(rng)],
)
LOG_SOFTMAX = Op(
    "_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
    _log_softmax,
    "LogSoftmaxBackward0",
    {
        "self": Grad(
            lambda grad, result, dim, self_dtype: LOG_SOFTMAX_BACKWARD(grad, result, dim, self_dtype),
            r"[[grad]] - e^{[[result]]} \textstyle\sum [[grad]]",
        )
    },
    r"[[self]] - \log \textstyle\sum_{[[dim]]} e^{[[self]]}",
    where=(),
    samples=lambda rng: [{**s, "half_to_float": False} for s in along_dim(rng)],
)


def _safe_softmax(self: Any, dim: int, dtype: Dtype | None = None) -> Any:
    x = self if dtype is None else self.astype(dtype.numpy)
    axis = _axis(dim, self.ndim)
    result = _softmax(x, dim)
    return np.where(every(x == -np.inf, axis, None, None, True), x.dtype.type(0), result)


SAFE_SOFTMAX = Op(
    "_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    _safe_softmax,
    "SafeSoftmaxBackward0",
    {
        "self": Grad(
            lambda grad, result, dim, self_dtype: SOFTMAX_BACKWARD(grad, result, dim, self_dtype),
            r"[[result]] \odot ([[grad]] - \langle [[grad]], [[result]] \rangle)",
        )
    },
    r"\frac{e^{[[self]]}}{\sum_{[[dim]]} e^{[[self]]}}",
    where=("function",),
    samples=along_dim,
)
