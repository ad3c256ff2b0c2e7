"""Variance and standard deviation."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.arithmetic import DIV_SCALAR, MUL_SCALAR
from engine.ops.layouts import contiguous_results
from engine.ops.masking import MASKED_FILL, WHERE
from engine.ops.reduced import axes, count, restore, spread
from engine.ops.reducers import add_up
from engine.ops.reduction import MEAN, MEAN_DIM
from engine.ops.rounded import READABLE
from engine.warning import warn


@contiguous_results
def _moments(name: str, self: Any, dim: Any, correction: Any, keepdim: bool, root: bool = False) -> tuple[Any, Any]:
    """Variance, or its square root, and mean."""
    if self.dtype.kind not in "fc":
        who = name if name.endswith("_mean") else "std and var"
        raise RuntimeError(f"{who} only support floating point and complex dtypes")
    if self.dtype.char in "ef" and self.size <= READABLE:  # as PyTorch: in double precision, rounded once
        spread, mean = _moments(name, self.astype(np.float64), dim, correction, keepdim, root)
        return spread.astype(self.dtype), mean.astype(self.dtype)
    axis = axes(dim, self.ndim)
    n = count(self.shape, axis)
    freedom = n - (1 if correction is None else correction)
    if freedom <= 0:
        warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
            "(input numel divided by output numel)."
        )
    dtype = self.dtype.type
    mean = add_up(self, axis, None, None, True) / dtype(n)
    off = self - mean
    squares = off * off if self.dtype.kind == "f" else off.real * off.real + off.imag * off.imag
    square = add_up(squares, axis, None, None, keepdim)
    if not keepdim:
        mean = mean.reshape(square.shape) if square.ndim else mean.reshape(())[()]
    var = np.true_divide(square, square.dtype.type(max(freedom, 0)))
    return np.sqrt(var) if root else var, mean


def _var(self: Any, dim: Any = None, correction: Any = None, keepdim: bool = False) -> Any:
    return _moments("var", self, dim, correction, keepdim)[0]


def _std(self: Any, dim: Any = None, correction: Any = None, keepdim: bool = False) -> Any:
    return _moments("std", self, dim, correction, keepdim, True)[0]


def _var_mean(self: Any, dim: Any = None, correction: Any = None, keepdim: bool = False) -> tuple[Any, Any]:
    return _moments("var_mean", self, dim, correction, keepdim)


def _std_mean(self: Any, dim: Any = None, correction: Any = None, keepdim: bool = False) -> tuple[Any, Any]:
    return _moments("std_mean", self, dim, correction, keepdim, True)


def _var_backward(grad: Any, self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    correction = 1 if correction is None else correction
    if not self.ndim or dim is None:
        n = count(self.shape, None) - correction
        if n <= 0:
            return grad * WHERE(self == MEAN(self), float("nan"), float("inf"))
        return MUL_SCALAR(grad, 2.0 / n) * (self - MEAN(self))
    if self.ndim > 1:
        grad = restore(grad, dim, keepdim, self.ndim)
    n = count(self.shape, dim) - correction
    return MUL_SCALAR(grad, 2.0 / n if n else float("inf")) * (self - MEAN_DIM(self, dim, True))


def _std_backward(grad: Any, self: Any, dim: Any, correction: Any, keepdim: bool, result: Any) -> Any:
    grad_var = MASKED_FILL(grad / MUL_SCALAR(result, 2), result == 0, 0)
    return _var_backward(grad_var, self, dim, correction, keepdim)


def _mean_part(grad: Any, self: Any, dim: Any, keepdim: bool) -> Any:
    return DIV_SCALAR(spread(grad, self.shape, dim or (), keepdim), count(self.shape, dim))


def _var_mean_backward(grads: Any, self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    of_var, of_mean = grads
    if of_mean is None:
        return _var_backward(of_var, self, dim, correction, keepdim)
    mean = _mean_part(of_mean, self, dim, keepdim)
    return mean if of_var is None else _var_backward(of_var, self, dim, correction, keepdim) + mean


def _std_mean_backward(grads: Any, self: Any, dim: Any, correction: Any, keepdim: bool, result0: Any) -> Any:
    of_std, of_mean = grads
    if of_mean is None:
        return _std_backward(of_std, self, dim, correction, keepdim, result0)
    mean = _mean_part(of_mean, self, dim, keepdim)
    return mean if of_std is None else _std_backward(of_std, self, dim, correction, keepdim, result0) + mean


def _samples(rng: np.random.Generator) -> list[dict[str, Any]]:
    return [
        {"self": rng.normal(size=(2, 3))},
        {"self": rng.normal(size=(2, 3)), "dim": (1,), "correction": 0},
        {"self": rng.normal(size=(3, 4)).T, "dim": (0, -1), "keepdim": True},
        {"self": rng.normal(size=(2, 3, 2)), "dim": (0, 2), "correction": 1.5},
    ]


_OFF = r"\frac{2}{n - 1} [[grad]] \odot ([[self]] - \mu)"
VAR = Op(
    "var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
    _var,
    "VarBackward0",
    {"self": Grad(_var_backward, _OFF)},
    r"\operatorname{var}([[self]])",
    where=(),
    samples=_samples,
)
STD = Op(
    "std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
    _std,
    "StdBackward0",
    {"self": Grad(_std_backward, r"\frac{[[grad]]}{(n - 1) [[result]]} \odot ([[self]] - \mu)")},
    r"\operatorname{std}([[self]])",
    where=(),
    samples=_samples,
)
VAR_MEAN = Op(
    "var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False)"
    " -> (Tensor, Tensor)",
    _var_mean,
    "VarMeanBackward0",
    {"self": Grad(_var_mean_backward, _OFF + r" + \frac{1}{n} [[grad]]")},
    r"(\operatorname{var}([[self]]), \operatorname{mean}([[self]]))",
    where=(),
    samples=_samples,
)
STD_MEAN = Op(
    "std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False)"
    " -> (Tensor, Tensor)",
    _std_mean,
    "StdMeanBackward0",
    {
        "self": Grad(
            _std_mean_backward, r"\frac{[[grad]]}{(n - 1) [[result0]]} \odot ([[self]] - \mu) + \frac{1}{n} [[grad]]"
        )
    },
    r"(\operatorname{std}([[self]]), \operatorname{mean}([[self]]))",
    where=(),
    samples=_samples,
)
