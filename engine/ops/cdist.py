"""Distances between all pairs of rows of two matrices."""

from typing import Any, NoReturn

import numpy as np

from engine.op import Grad, Op
from engine.ops.copy import contiguous
from engine.ops.kinds import wide_only
from engine.ops.layouts import contiguous_results
from engine.ops.views import TRANSPOSE


def _differences(x1: np.ndarray, x2: np.ndarray) -> np.ndarray:
    return x1[..., :, None, :] - x2[..., None, :, :]


@contiguous_results
def _forward(x1: np.ndarray, x2: np.ndarray, p: float, compute_mode: int | None = None) -> np.ndarray:
    if x1.shape[-1] == 0:
        return np.zeros(np.broadcast_shapes((*x1.shape[:-1], 1), (*x2.shape[:-2], 1, x2.shape[-2])), x1.dtype)
    d = np.abs(_differences(x1, x2))
    if p == 0:
        return (d != 0).sum(-1).astype(x1.dtype)
    if p == 1:
        return d.sum(-1)
    if p == 2:
        return np.sqrt((d * d).sum(-1))
    if p == np.inf:
        return d.max(-1)
    return (d**p).sum(-1) ** (1 / p)


def _backward(grad: np.ndarray, x1: np.ndarray, x2: np.ndarray, p: float, cdist: np.ndarray) -> np.ndarray:
    """The gradient for x1; a distance of zero has none."""
    d = _differences(x1, x2)
    size, sign = np.abs(d), np.sign(d)
    far = cdist[..., None]
    with np.errstate(divide="ignore", invalid="ignore"):
        if p == 0:
            part = np.zeros_like(d)
        elif p == 1:
            part = sign
        elif p == np.inf:
            part = sign * (size == far)
        elif p < 1:
            part = np.where((far == 0) | (size == 0), 0, sign * size ** (p - 1) * far ** (1 - p))
        else:
            part = np.where(far == 0, 0, sign * (size / far) ** (p - 1))
    return (part * grad[..., None]).sum(-2).astype(x1.dtype)


def _back_second(grad: Any, x1: Any, x2: Any, p: float, result: Any) -> Any:
    flipped = [contiguous(TRANSPOSE(t, -2, -1)) for t in (grad, result)]
    return CDIST_BACKWARD(flipped[0], x2, x1, p, flipped[1])


def _not_implemented(grad: Any) -> NoReturn:
    raise NotImplementedError("the derivative for '_cdist_backward' is not implemented.")


CDIST_FORWARD = Op(
    "_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor",
    wide_only("cdist", _forward),
    "CdistBackward0",
    {
        "x1": Grad(
            lambda grad, x1, x2, p, result: CDIST_BACKWARD(contiguous(grad), x1, x2, p, result),
            r"\textstyle\sum_j [[grad]]_{ij} \frac{[[x1]]_i - [[x2]]_j}{[[result]]_{ij}}",
        ),
        "x2": Grad(_back_second, r"\textstyle\sum_i [[grad]]_{ij} \frac{[[x2]]_j - [[x1]]_i}{[[result]]_{ij}}"),
    },
    r"\lVert [[x1]]_i - [[x2]]_j \rVert_{[[p]]}",
    where=(),
    samples=lambda rng: [
        {"x1": rng.normal(size=(2, 3)), "x2": rng.normal(size=(4, 3)), "p": p, "compute_mode": None}
        for p in (2.0, 1.0, 3.0, np.inf, 0.5)
    ],
)
CDIST_BACKWARD = Op(
    "_cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor",
    _backward,
    "CdistBackwardBackward0",
    {name: Grad(_not_implemented, r"\text{not implemented}") for name in ("grad", "x1", "x2", "cdist")},
    r"\textstyle\sum_j [[grad]]_{ij} \frac{[[x1]]_i - [[x2]]_j}{[[cdist]]_{ij}}",
    where=(),
    unchecked="PyTorch does not implement its derivative",
)
