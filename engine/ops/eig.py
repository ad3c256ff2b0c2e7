"""Eigenvalues and eigenvectors of any square matrix: complex, and each vector free to turn by a phase."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.batched import adjoint, is_array, matmul, varies
from engine.ops.complex import IMAG
from engine.ops.layouts import by_columns
from engine.ops.slicing import DIAGONAL, SELECT
from engine.ops.solvers import SOLVE_EX
from engine.ops.views import UNSQUEEZE, VIEW_AS_REAL

_ILL_DEFINED = (
    "linalg_eig_backward: The eigenvectors in the complex case are specified up to multiplication by e^{i phi}. The "
    "specified loss function depends on this quantity, so it is ill-defined."
)


def _eig(self: Any) -> tuple[Any, Any]:
    kind = np.complex64 if self.dtype in (np.float32, np.complex64) else np.complex128
    if not np.isfinite(self).all():
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")
    values, vectors = np.linalg.eig(self)
    return values.astype(kind), by_columns(vectors.astype(kind))


def _diagonal(x: Any) -> Any:
    return DIAGONAL(x, 0, -2, -1)


def _check_phase(turned: Any) -> None:
    """Raise RuntimeError where a loss would change as an eigenvector turns, which nothing keeps it from doing."""
    off = IMAG(_diagonal(turned))
    if not varies(off) and not np.allclose(getattr(off, "_a", off), 0, rtol=1e-2, atol=1e-2):
        raise RuntimeError(_ILL_DEFINED)


def _eig_backward(grads: Any, eigenvalues: Any, eigenvectors: Any) -> Any:
    """V^-H (diag(gL) + (V^H gV - V^H V Re(diag(V^H gV))) / E) V^H, E_ij = conj(L_j - L_i), 1 on its diagonal."""
    of_values, of_vectors = grads
    if of_vectors is None:
        back = adjoint(eigenvectors)
        return SOLVE_EX(back, UNSQUEEZE(of_values, -1) * back)[0]
    turned = matmul(adjoint(eigenvectors), of_vectors)
    _check_phase(turned)
    inner = turned - matmul(
        adjoint(eigenvectors), eigenvectors * UNSQUEEZE(SELECT(VIEW_AS_REAL(_diagonal(turned)), -1, 0), -2)
    )
    values = eigenvalues.conj()
    gaps = UNSQUEEZE(values, -2) - UNSQUEEZE(values, -1)
    if is_array(gaps):
        gaps[..., range(gaps.shape[-1]), range(gaps.shape[-1])] = 1
    else:
        _diagonal(gaps).fill_(1)
    inner = inner / gaps
    if of_values is not None:
        if is_array(inner):
            inner[..., range(inner.shape[-1]), range(inner.shape[-1])] = of_values
        else:
            _diagonal(inner).copy_(of_values)
    return SOLVE_EX(adjoint(eigenvectors), matmul(inner, adjoint(eigenvectors)))[0]


EIG = Op(
    "linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)",
    _eig,
    "LinalgEigBackward0",
    {
        "self": Grad(
            _eig_backward,
            r"V^{-H} \left(\bar L + (V^H \bar V - V^H V \operatorname{Re} \operatorname{diag}(V^H \bar V)) / E\right)"
            r" V^H",
        )
    },
    r"[[self]] = V L V^{-1}",
    where=(),
    outputs=("eigenvalues", "eigenvectors"),
    unchecked="each eigenvector may turn by a phase, so that only functions of it that do not change are checked",
)
