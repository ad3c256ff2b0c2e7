"""The grids of affine maps, which sample an image or a volume."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.checks import wrap_dim
from engine.ops.linear import BMM
from engine.ops.spacing import evenly_spaced
from engine.ops.views import TRANSPOSE


def _base(size: Sequence[int], align_corners: bool, dtype: np.dtype) -> np.ndarray:
    """The identity's grid in homogeneous coordinates: (places, 3) of a plane, (places, 4) of a volume."""

    def line(count: int) -> np.ndarray:
        if count <= 1:
            return np.zeros(count, dtype)
        at = evenly_spaced(-1, 1, count, dtype)
        return at if align_corners else at * dtype.type(count - 1) / dtype.type(count)

    places = np.meshgrid(*map(line, size[2:]), indexing="ij")[::-1]
    return np.stack([*places, np.ones_like(places[0])], -1).reshape(-1, len(size) - 1)


def _affine(theta: np.ndarray, size: Sequence[int], align_corners: bool) -> np.ndarray:
    wrap_dim(1, theta.ndim)
    if theta.ndim != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    if theta.shape[0] != size[0] or theta.shape[2] != len(size) - 1:
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{size[0]}, {len(size) - 1}] but got: [{theta.shape[0]}, {theta.shape[2]}]."
        )
    base = _base(size, align_corners, theta.dtype)
    return (base @ theta.swapaxes(1, 2)).reshape(size[0], *size[2:], len(size) - 2)


def _affine_rule(grad: Any, size: Sequence[int], align_corners: bool) -> Any:
    base = _base(size, align_corners, getattr(grad, "_a", grad).dtype)
    places = np.broadcast_to(base.T, (size[0], *base.T.shape))
    return TRANSPOSE(BMM(places, grad.reshape((size[0], len(base), len(size) - 2))), 1, 2)


AFFINE_GRID = Op(
    "affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor",
    _affine,
    "AffineGridGeneratorBackward0",
    {
        "theta": Grad(
            _affine_rule,
            r"[[grad]]^{\top} (x, y, 1)",
        )
    },
    r"[[theta]] (x, y, 1)^{\top}",
    where=("function",),
    samples=lambda rng: [
        *({"theta": rng.normal(size=(2, 2, 3)), "size": (2, 1, 3, 4), "align_corners": a} for a in (False, True)),
        {"theta": rng.normal(size=(1, 3, 4)), "size": (1, 1, 2, 2, 2), "align_corners": False},
    ],
)
