"""QR as LAPACK leaves it: R above the diagonal, below it the vectors of the reflections, and their factors."""

import numpy as np

from engine.op import Op
from engine.ops.kinds import wide_only
from engine.ops.layouts import by_columns
from engine.ops.undifferentiable import REASON, not_implemented


def _geqrf(self: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if self.ndim < 2:
        raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")
    lead, (m, n) = self.shape[:-2], self.shape[-2:]
    out, factors = np.empty_like(self, order="C"), np.empty((*lead, min(m, n)), self.dtype)
    if out.size:
        for at in np.ndindex(*lead):
            packed, factors[at] = np.linalg.qr(self[at], "raw")
            out[at] = packed.T
    return by_columns(out), factors


GEQRF = Op(
    "geqrf(Tensor self) -> (Tensor a, Tensor tau)",
    wide_only("geqrf_cpu", _geqrf, "fc"),
    "GeqrfBackward0",
    {"self": not_implemented("geqrf")},
    r"[[self]] = (I - \tau_1 v_1 v_1^{\top}) (I - \tau_2 v_2 v_2^{\top}) \cdots R",
    outputs=("a", "tau"),
    names=("a", "tau"),
    unchecked=REASON,
    example="torch.geqrf(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))",
)
