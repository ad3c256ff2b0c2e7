"""Euclidean distances of many rows by one matrix product, as ATen computes them from 26 rows on.

The square of a distance is |a|^2 - 2 a.b + |b|^2, so that its digits are those of a difference of large numbers.
"""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.batched import matmul
from engine.ops.comparison import EQ_SCALAR
from engine.ops.kinds import wide_only
from engine.ops.linear import MM
from engine.ops.masking import MASKED_FILL
from engine.ops.reduction import SUM_DIM
from engine.ops.views import TRANSPOSE, UNSQUEEZE


def _forward(x1: np.ndarray, x2: np.ndarray) -> np.ndarray:
    norm1, norm2 = ((x * x).sum(-1, keepdims=True) for x in (x1, x2))
    left = np.concatenate([x1 * -2, norm1, np.ones_like(norm1)], -1)
    right = np.concatenate([x2, np.ones_like(norm2), norm2], -1)
    out = np.matmul(left, np.swapaxes(right, -1, -2))
    np.maximum(out, 0, out=out)
    return np.sqrt(out, out=out)


def _product(a: Any, b: Any) -> Any:
    if a.ndim == 2:
        return MM(a, b)
    return np.matmul(a, b) if isinstance(a, np.ndarray) else matmul(a, b)


def _backward(grad: Any, x1: Any, x2: Any, result: Any) -> tuple[Any, Any]:
    """The gradients for both; a distance of zero has none."""
    ratio = MASKED_FILL(grad / result, EQ_SCALAR(result, 0), 0)
    first = x1 * SUM_DIM(ratio, [-1], True) - _product(ratio, x2)
    second = x2 * UNSQUEEZE(SUM_DIM(ratio, [-2], False), -1) - _product(TRANSPOSE(ratio, -2, -1), x1)
    return first, second


EUCLIDEAN_DIST = Op(
    "_euclidean_dist(Tensor x1, Tensor x2) -> Tensor",
    wide_only("cdist", _forward),
    "EuclideanDistBackward0",
    {
        "x1, x2": Grad(
            _backward,
            {
                "x1": r"\textstyle\sum_j [[grad]]_{ij} \frac{[[x1]]_i - [[x2]]_j}{[[result]]_{ij}}",
                "x2": r"\textstyle\sum_i [[grad]]_{ij} \frac{[[x2]]_j - [[x1]]_i}{[[result]]_{ij}}",
            },
        ),
    },
    r"\sqrt{|[[x1]]_i|^2 - 2\, [[x1]]_i \cdot [[x2]]_j + |[[x2]]_j|^2}",
    where=(),
    samples=lambda rng: [
        {"x1": rng.normal(size=(2, 3)), "x2": rng.normal(size=(4, 3))},
        {"x1": rng.normal(size=(2, 3, 2)), "x2": rng.normal(size=(2, 4, 2))},
    ],
)
