"""Slices whose norm is too large, scaled down to the largest that is allowed."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.arithmetic import ADD_SCALAR, MUL_SCALAR
from engine.ops.checks import wrap_dim
from engine.ops.layouts import by_rows
from engine.ops.masking import WHERE
from engine.ops.norms import VECTOR_NORM, norm_backward
from engine.ops.powers import RECIPROCAL
from engine.ops.reduction import SUM_DIM

_EPS = 1e-7


def _others(ndim: int, dim: int) -> tuple[int, ...]:
    return tuple(d for d in range(ndim) if d != wrap_dim(dim, ndim))


def _renorm(self: Any, p: float, dim: int, maxnorm: float) -> Any:
    if not p > 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if not maxnorm >= 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    if self.ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {self.ndim} dimensions")
    norm = VECTOR_NORM.forward(self, p, _others(self.ndim, dim), True)
    return by_rows(self * np.where(norm > maxnorm, maxnorm / (norm + _EPS), 1).astype(self.dtype))


def _backward(grad: Any, self: Any, p: float, dim: int, maxnorm: float) -> Any:
    over = _others(self.ndim, dim)
    norm = VECTOR_NORM(self, p, over, True)
    through = norm_backward(SUM_DIM(grad * self, over, True), self, p, norm, over, True)
    inverse = RECIPROCAL(ADD_SCALAR(norm, _EPS))
    scaled = MUL_SCALAR(inverse * (grad - inverse * through), maxnorm)
    return WHERE(norm > maxnorm, scaled, grad)


RENORM = Op(
    "renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor",
    _renorm,
    "RenormBackward0",
    {"self": Grad(_backward, r"\frac{m}{\Vert x \Vert} \left([[grad]] - \ldots\right)")},
    r"[[self]] \cdot \min\left(1, \frac{[[maxnorm]]}{\Vert [[self]] \Vert_{[[p]]}}\right)",
    inplace=True,
    samples=lambda rng: [{"self": rng.normal(size=(3, 4)), "p": p, "dim": 0, "maxnorm": 1.0} for p in (2, 1, 3)],
)
