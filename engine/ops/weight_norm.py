"""Weight normalisation over the first or the last dimension, as one operator."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.powers import SQRT
from engine.ops.reduction import SUM_DIM


def _others(v: Any, dim: int) -> tuple[int, ...]:
    return tuple(d for d in range(len(v.shape)) if d != dim)


def _forward(v: Any, g: Any, dim: int) -> tuple[np.ndarray, np.ndarray]:
    norms = np.sqrt(np.sum(v * v, axis=_others(v, dim), keepdims=True))
    return v * (g / norms), norms


def _backward(grad: Any, v: Any, g: Any, dim: int) -> tuple[Any, Any]:
    """By v and by g. The norm is taken anew, so that its own slope is known too."""
    dims = _others(v, dim)
    norms = SQRT(SUM_DIM(v * v, dims, True, None))
    along = SUM_DIM(grad * v, dims, True, None) / norms
    return (grad - v * (along / norms)) * (g / norms), along


WEIGHT_NORM_INTERFACE = Op(
    "_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)",
    _forward,
    "WeightNormInterfaceBackward0",
    {
        "v, g": Grad(
            _backward,
            {
                "v": r"\frac{[[g]]}{\|[[v]]\|} \left([[grad]] - [[v]] \frac{[[grad]] \cdot [[v]]}{\|[[v]]\|^2}\right)",
                "g": r"\frac{[[grad]] \cdot [[v]]}{\|[[v]]\|}",
            },
        )
    },
    r"[[g]] \cdot \frac{[[v]]}{\|[[v]]\|}",
    where=("function",),
    save_also=("result1",),
    nondiff=(1,),
    samples=lambda rng: [
        {"v": rng.normal(size=(2, 3)), "g": rng.normal(size=(2, 1)), "dim": 0},
        {"v": rng.normal(size=(2, 3)), "g": rng.normal(size=(1, 3)), "dim": 1},
    ],
)
