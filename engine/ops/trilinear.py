"""Products of three tensors summed over some dimensions: what bilinear layers are made of."""

from typing import Any

import numpy as np

from engine.op import Grad, Op


def _unsqueezed(x: Any, dims: Any) -> Any:
    return np.expand_dims(x, tuple(dims)) if dims else x


def _trilinear(
    i1: Any, i2: Any, i3: Any, expand1: Any, expand2: Any, expand3: Any, sumdim: Any, unroll_dim: int = 1
) -> Any:
    """`expand1` to `expand3` are the dimensions each operand lacks."""
    a, b, c = _unsqueezed(i1, expand1), _unsqueezed(i2, expand2), _unsqueezed(i3, expand3)
    letters = list(range(a.ndim))
    kept = [d for d in letters if d not in set(sumdim)]
    return np.einsum(a, letters, b, letters, c, letters, kept)


TRILINEAR = Op(
    "_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim,"
    " int unroll_dim=1) -> Tensor",
    _trilinear,
    "TrilinearBackward0",
    {
        "i1": Grad(
            lambda grad, i2, i3, expand1, expand2, expand3, sumdim: TRILINEAR(
                grad, i2, i3, sumdim, expand2, expand3, expand1
            ),
            r"\textstyle\sum [[grad]]\, [[i2]]\, [[i3]]",
        ),
        "i2": Grad(
            lambda grad, i1, i3, expand1, expand2, expand3, sumdim: TRILINEAR(
                i1, grad, i3, expand1, sumdim, expand3, expand2
            ),
            r"\textstyle\sum [[i1]]\, [[grad]]\, [[i3]]",
        ),
        "i3": Grad(
            lambda grad, i1, i2, expand1, expand2, expand3, sumdim: TRILINEAR(
                i1, i2, grad, expand1, expand2, sumdim, expand3
            ),
            r"\textstyle\sum [[i1]]\, [[i2]]\, [[grad]]",
        ),
    },
    r"\textstyle\sum [[i1]]\, [[i2]]\, [[i3]]",
    where=(),
    samples=lambda rng: [
        {
            "i1": rng.normal(size=(2, 3)),
            "i2": rng.normal(size=(4, 3, 2)),
            "i3": rng.normal(size=(2, 2)),
            "expand1": (1, 3),
            "expand2": (0,),
            "expand3": (1, 2),
            "sumdim": (2, 3),
        }
    ],
)
