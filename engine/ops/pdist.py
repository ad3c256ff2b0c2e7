"""Distances between all pairs of rows of one matrix."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.kinds import wide_only
from engine.ops.norms import norm_backward, p_norm
from engine.ops.undifferentiable import not_implemented


def _pairs(n: int) -> tuple[Any, Any]:
    """Row numbers i < j of every pair, in order."""
    return np.triu_indices(n, 1)


def _pdist(self: Any, p: float = 2) -> Any:
    if self.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {self.ndim}D")
    if self.dtype.kind not in "fV":
        raise RuntimeError("pdist only supports floating-point dtypes")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    first, second = _pairs(self.shape[0])
    if not self.shape[1]:
        return np.zeros(len(first), self.dtype)
    return p_norm(self[first] - self[second], p, 1, False)


def _pdist_backward(grad: Any, self: Any, p: float, pdist: Any) -> Any:
    first, second = _pairs(self.shape[0])
    back = norm_backward(grad, self[first] - self[second], p, pdist, (1,), False)
    out = np.zeros_like(self)
    if back is not None:
        np.add.at(out, first, back)
        np.subtract.at(out, second, back)
    return out


PDIST_BACKWARD = Op(
    "_pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor",
    _pdist_backward,
    "PdistBackwardBackward0",
    {name: not_implemented("_pdist_backward") for name in ("grad", "self", "pdist")},
    r"\partial \operatorname{pdist}",
    where=(),
    unchecked="PyTorch has no derivative for it",
)
PDIST = Op(
    "pdist(Tensor self, float p=2) -> Tensor",
    wide_only("pdist", _pdist),
    "PdistBackward0",
    {
        "self": Grad(
            lambda grad, self, p, result: PDIST_BACKWARD(grad, self, p, result),
            r"\textstyle\sum_j [[grad]]_{ij} \frac{x_i - x_j}{[[result]]_{ij}}",
        )
    },
    r"\left\Vert x_i - x_j \right\Vert_{[[p]]}",
    where=("function", "nn"),
    samples=lambda rng: [{"self": rng.normal(size=(4, 3)), "p": p} for p in (2, 1, 3, float("inf"))],
)
