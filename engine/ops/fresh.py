"""In-place steps that composite functions take on a result nobody else has seen: same node names, no view to track."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.views import SQUEEZE_DIM, TRANSPOSE, UNSQUEEZE


def _squeeze(self: Any, dim: int) -> Any:
    return np.squeeze(self, dim) if self.shape[dim] == 1 else self


SQUEEZE_FRESH = Op(
    "_squeeze_fresh(Tensor self, int dim) -> Tensor",
    _squeeze,
    "SqueezeBackward4",
    {
        "self": Grad(
            lambda grad, self_sym_sizes, dim: UNSQUEEZE(grad, dim) if self_sym_sizes[dim] == 1 else grad,
            r"\operatorname{unsqueeze}([[grad]], [[dim]])",
        )
    },
    r"\operatorname{squeeze}([[self]], [[dim]])",
    where=(),
    samples=lambda rng: [{"self": rng.normal(size=(1, 3)), "dim": 0}, {"self": rng.normal(size=(3, 1)), "dim": -1}],
)
UNSQUEEZE_FRESH = Op(
    "_unsqueeze_fresh(Tensor self, int dim) -> Tensor",
    np.expand_dims,
    "UnsqueezeBackward1",
    {"self": Grad(lambda grad, dim: SQUEEZE_DIM(grad, dim), r"\operatorname{squeeze}([[grad]], [[dim]])")},
    r"\operatorname{unsqueeze}([[self]], [[dim]])",
    where=(),
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "dim": 0}],
)
TRANSPOSE_FRESH = Op(
    "_transpose_fresh(Tensor self, int dim0, int dim1) -> Tensor",
    np.swapaxes,
    "TransposeBackward1",
    {"self": Grad(lambda grad, dim0, dim1: TRANSPOSE(grad, dim0, dim1), r"[[grad]]^{\top}")},
    r"[[self]]^{\top}",
    where=(),
    samples=lambda rng: [{"self": rng.normal(size=(2, 3, 4)), "dim0": 0, "dim1": -1}],
)
