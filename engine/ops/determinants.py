"""Determinants, and their derivatives where a matrix has no inverse."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.batched import is_array, matmul, transposed, varies
from engine.ops.factors import SVD
from engine.ops.fill import ZEROS_LIKE
from engine.ops.join import DIAG_EMBED
from engine.ops.kinds import wide_only
from engine.ops.layouts import by_columns
from engine.ops.products import product_of_others
from engine.ops.reducers import add_up, multiply_up
from engine.ops.solvers import SOLVE_EX, general
from engine.ops.triangular import identity, lu_factor, swapped
from engine.ops.views import EXPAND, UNSQUEEZE

_EPS = {4: 1e-6, 8: 1e-14, 16: 1e-14}  # of single and double precision, with room for rounding


def _on_diagonal(x: Any, n: int) -> Any:
    """One number per matrix, along its whole diagonal."""
    return DIAG_EMBED(EXPAND(UNSQUEEZE(x, -1), (*x.shape, n)))


def _sign_and_diagonal(lu: Any, pivots: Any) -> tuple[Any, Any]:
    """The sign of the row exchanges, and the diagonal of U."""
    k = pivots.shape[-1]
    swaps = add_up(pivots != np.arange(1, k + 1), -1)
    return (1 - 2 * (swaps % 2)).astype(lu.dtype), np.diagonal(lu, 0, -2, -1)


def _factors(A: Any) -> tuple[Any, Any]:
    """LU of the transpose where that is the one that lies in memory column by column, as LAPACK wants it."""
    lu, pivots, _ = lu_factor(swapped(A) if A.flags.c_contiguous else A)
    return by_columns(lu), pivots


def _det(A: Any) -> tuple[Any, Any, Any]:
    lu, pivots = _factors(A)
    sign, diagonal = _sign_and_diagonal(lu, pivots)
    return sign * multiply_up(diagonal, -1), lu, pivots


def _through_singular_values(grad: Any, A: Any) -> Any:
    """The derivative as a product of singular values that leaves each out in turn, so that zeros do no harm."""
    u, s, vh = SVD(A)
    sign = DET(u)[0] * DET(vh)[0]
    return matmul(u * UNSQUEEZE(product_of_others(UNSQUEEZE(grad * sign, -1), s, s.ndim - 1), -2), vh)


def _det_backward(grads: Any, A: Any, result: Any, LU: Any) -> Any:
    """In an ordinary pass, zero for a determinant of zero: the right side of the equation that PyTorch solves is."""
    n = A.shape[-1]
    if 0 in A.shape:
        return ZEROS_LIKE(A)
    if is_array(A):
        right = _on_diagonal(grads[0] * result, n)
        flat = np.where((result == 0)[..., None, None], identity(n, n, A), A)
        return SOLVE_EX(transposed(flat), transposed(right))[0]
    diagonal = abs(LU.diagonal(0, -2, -1))
    if varies(LU) or bool((diagonal <= diagonal.max() * _EPS[A.dtype.itemsize]).any()):
        return _through_singular_values(grads[0], A)
    return SOLVE_EX(transposed(A), transposed(_on_diagonal(grads[0] * result, n)))[0]


DET = Op(
    "_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)",
    wide_only("lu_cpu", _det),
    "LinalgDetBackward0",
    {"A": Grad(_det_backward, r"[[grad]] \cdot [[result]]\, [[A]]^{-\top}")},
    r"\det [[A]]",
    where=(),
    outputs=("result", "LU", "pivots"),
    nondiff=(1, 2),
    save_also=("pivots",),
    samples=lambda rng: [{"A": general(rng)}, {"A": general(rng, 2)}],
)


def _slogdet(A: Any) -> tuple[Any, Any, Any, Any]:
    lu, pivots = _factors(A)
    sign, diagonal = _sign_and_diagonal(lu, pivots)
    size = add_up(np.log(np.abs(diagonal)), -1)
    return sign * multiply_up(np.sign(diagonal), -1), size, lu, pivots


def _slogdet_backward(grads: Any, A: Any) -> Any:
    if grads[1] is None:
        return None
    return SOLVE_EX(transposed(A), _on_diagonal(grads[1], A.shape[-1]))[0]


SLOGDET = Op(
    "_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)",
    wide_only("linalg.slogdet: Low precision dtypes not supported. Got {}", _slogdet),
    "LinalgSlogdetBackward0",
    {"A": Grad(_slogdet_backward, r"[[grad]] \cdot [[A]]^{-\top}")},
    r"(\operatorname{sgn} \det [[A]], \ln |\det [[A]]|)",
    where=(),
    outputs=("sign", "logabsdet", "LU", "pivots"),
    nondiff=(2, 3),
    save_also=("sign", "LU", "pivots"),
    samples=lambda rng: [{"A": general(rng)}, {"A": general(rng, 2)}],
)
