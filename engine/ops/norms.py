"""Vector norms, distances, log-sum-exp."""

from math import inf
from typing import Any

import numpy as np

from engine.dtypes import dtype as Dtype
from engine.dtypes import from_numpy
from engine.errors import BOOL_SUBTRACTION, BOTH_BOOL
from engine.op import Grad, Op
from engine.ops.exponentials import EXP
from engine.ops.kinds import torch_name
from engine.ops.layouts import contiguous_results
from engine.ops.masking import MASKED_FILL
from engine.ops.powers import POW
from engine.ops.reduced import axes, restore
from engine.ops.reducers import add_up, largest, smallest
from engine.ops.reduction import SUM_DIM
from engine.ops.rounding import ABS, SGN
from engine.ops.samples import pairs, reductions


def p_norm(self: Any, p: float, axis: Any, keepdim: bool) -> Any:
    """The p-norm over numpy's axis, in the real dtype of `self`."""
    if p == 2 and self.dtype.kind == "f":
        return np.sqrt(add_up(self * self, axis, None, None, keepdim))
    if p == 0:
        return add_up(self != 0, axis, self.real.dtype, None, keepdim)
    size = np.abs(self)
    if p == 1:
        return add_up(size, axis, None, None, keepdim)
    if p in (inf, -inf):
        return (largest if p > 0 else smallest)(size, axis, None, None, keepdim)
    return add_up(size**p, axis, None, None, keepdim) ** (1 / p)


@contiguous_results
def _vector_norm(self: Any, ord: float = 2, dim: Any = None, keepdim: bool = False, dtype: Dtype | None = None) -> Any:
    if self.dtype.kind not in "fc":
        kind = from_numpy(self.dtype).torch_name
        raise RuntimeError(f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {kind}")
    axis = axes(dim, self.ndim)
    if not self.size and (ord < 0 or ord == inf):
        reduced = range(self.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
        if any(not self.shape[d] for d in reduced):
            what = "inf" if ord == inf else "-inf" if ord == -inf else f"{ord:g}"
            if axis is None:
                where = "an empty tensor because the"
            else:
                empty = next(d for d in reduced if not self.shape[d])
                where = f"the dimension {empty}because this dimension is empty and the"
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {what} norm on {where} operation does not have an identity"
            )
    x = self if dtype is None else self.astype(dtype.numpy)
    return p_norm(x, ord, axis, keepdim)


def norm_backward(grad: Any, self: Any, p: float, norm: Any, dim: Any = None, keepdim: bool = True) -> Any:
    """Gradient of a p-norm with respect to the vector. Where the norm is zero it is zero."""
    grad = restore(grad, dim, keepdim, self.ndim)
    norm = restore(norm, dim, keepdim, self.ndim)
    if p == 0:
        return None
    if p == 1:
        return SGN(self) * grad
    if p == 2:
        return grad * MASKED_FILL(self / norm, norm == 0, 0)
    if p in (inf, -inf):
        at = (ABS(self) == norm) | ((self != self) & (norm != norm))
        ties = SUM_DIM(at, dim or (), True)
        return SGN(self) * ((grad / ties) * at)
    if p < 1:
        scaled = SGN(self) * MASKED_FILL(POW(ABS(self), p - 1), self == 0, 0)
        return scaled * grad * POW(norm, 1 - p)
    if p < 2:
        scaled = SGN(self) * POW(ABS(self), p - 1)
    else:
        scaled = self * POW(ABS(self), p - 2)
    return scaled * MASKED_FILL(grad / POW(norm, p - 1), norm == 0, 0)


def _with_p(name: str) -> Any:
    def make(rng: np.random.Generator) -> list[dict[str, Any]]:
        return [{**s, name: p} for p in (2, 1, inf, 3, 1.5, 0.5, -inf) for s in reductions(rng)[:4]]

    return make


_NORM_LATEX = r"[[grad]] \cdot \operatorname{sgn}([[self]]) \left(\frac{|[[self]]|}{[[result]]}\right)^{[[%s]]-1}"


def _dist(self, other, p=2):
    if self.dtype.kind == "b" or other.dtype.kind == "b":
        raise RuntimeError(BOOL_SUBTRACTION if {self.dtype.kind, other.dtype.kind} != {"b"} else BOTH_BOOL)
    if np.result_type(self, other).kind not in "fcV":
        kind = torch_name(np.zeros(0, np.result_type(self, other)))
        raise RuntimeError(f"norm(): input dtype should be either floating point or complex. Got {kind} instead.")
    return p_norm(self - other, p, None, False)


VECTOR_NORM = Op(
    "linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    _vector_norm,
    "LinalgVectorNormBackward0",
    {
        "self": Grad(
            lambda grad, self, ord, result, dim, keepdim: norm_backward(
                grad, self, ord, result, dim, keepdim or dim is None
            ),
            _NORM_LATEX % "ord",
        )
    },
    r"\left\Vert [[self]] \right\Vert_{[[ord]]}",
    where=(),
    samples=_with_p("ord"),
)
NORM = Op(
    "norm.Scalar(Tensor self, Scalar p=2) -> Tensor",
    lambda self, p=2: _vector_norm(self, p),
    "NormBackward0",
    {"self": Grad(lambda grad, self, p, result: norm_backward(grad, self, p, result), _NORM_LATEX % "p")},
    r"\left\Vert [[self]] \right\Vert_{[[p]]}",
    where=(),
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "p": p} for p in (2, 1, 3)],
)
NORM_DIM = Op(
    "norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
    lambda self, p, dim, keepdim=False: _vector_norm(self, 2 if p is None else p, dim, keepdim),
    "NormBackward1",
    {
        "self": Grad(
            lambda grad, self, p, result, dim, keepdim: norm_backward(
                grad, self, 2 if p is None else p, result, dim, keepdim
            ),
            _NORM_LATEX % "p",
        )
    },
    r"\left\Vert [[self]] \right\Vert_{[[p]]}",
    where=(),
    samples=_with_p("p"),
)
DIST = Op(
    "dist(Tensor self, Tensor other, Scalar p=2) -> Tensor",
    _dist,
    "DistBackward0",
    {
        "self": Grad(
            lambda grad, self, other, p, result: norm_backward(grad, self - other, p, result),
            r"[[grad]] \cdot \frac{[[self]] - [[other]]}{[[result]]}",
        ),
        "other": Grad(
            lambda grad, self, other, p, result: -norm_backward(grad, self - other, p, result),
            r"-[[grad]] \cdot \frac{[[self]] - [[other]]}{[[result]]}",
        ),
    },
    r"\left\Vert [[self]] - [[other]] \right\Vert_{[[p]]}",
    promote="common",
    samples=lambda rng: [{**s, "p": p} for s in pairs(rng) for p in (2, 1, 3)],
)


@contiguous_results
def _logsumexp(self: Any, dim: Any, keepdim: bool = False) -> Any:
    axis = axes(dim, self.ndim)
    if not self.size:
        return np.log(add_up(np.exp(self), axis, None, None, keepdim))
    top = largest(self, axis, None, None, True)
    top = np.where(np.isinf(top), self.dtype.type(0), top)
    total = np.log(add_up(np.exp(self - top), axis, None, None, True)) + top
    return total if keepdim else np.squeeze(total, axis)


LOGSUMEXP = Op(
    "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    _logsumexp,
    "LogsumexpBackward0",
    {
        "self": Grad(
            lambda grad, self, result, dim, keepdim: (
                restore(grad, dim, keepdim, self.ndim) * EXP(self - restore(result, dim, keepdim, self.ndim))
            ),
            r"[[grad]] \cdot e^{[[self]] - [[result]]}",
        )
    },
    r"\log \textstyle\sum_{[[dim]]} e^{[[self]]}",
    promote="float",
    pointwise=False,
    samples=reductions,
)
