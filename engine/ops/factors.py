"""Cholesky, QR, singular value and eigenvalue decompositions."""

from math import prod
from typing import Any

import numpy as np

from engine.errors import LinAlgError
from engine.op import Grad, Op
from engine.ops.arithmetic import MUL_SCALAR
from engine.ops.batched import adjoint, is_array, matmul
from engine.ops.copy import NEW_ZEROS
from engine.ops.join import CAT, DIAG_EMBED, TRIL, TRIU
from engine.ops.kinds import wide_only
from engine.ops.layouts import by_columns
from engine.ops.slicing import DIAGONAL, SLICE
from engine.ops.solvers import SOLVE_TRIANGULAR, general
from engine.ops.triangular import swapped
from engine.ops.views import UNSQUEEZE

SYMMETRIC = "it reads one triangle and takes its input for symmetric, which a step in any direction is not"


def _cholesky_ex(self: Any, upper: bool = False, check_errors: bool = False) -> tuple[Any, Any]:
    a = swapped(self) if upper else self
    flat = a.reshape(prod(a.shape[:-2]), *a.shape[-2:])
    lower, info = np.zeros_like(flat), np.zeros(len(flat), np.int32)
    for i, m in enumerate(flat):
        lower[i], info[i] = _cholesky(m)
    lower = lower.reshape(a.shape)
    return by_columns(swapped(lower) if upper else lower), info.reshape(a.shape[:-2])[()]


def _cholesky(m: np.ndarray) -> tuple[np.ndarray, int]:
    """The lower factor and 0, or the order of the first leading minor that is not positive."""
    low = np.tril(m)
    try:
        factor = np.linalg.cholesky(low)
        undefined = np.flatnonzero(np.isnan(np.diagonal(factor)))
        return factor, int(undefined[0]) + 1 if undefined.size else 0
    except np.linalg.LinAlgError:
        n = len(m)
        for k in range(1, n + 1):
            try:
                np.linalg.cholesky(low[:k, :k])
            except np.linalg.LinAlgError:
                return low, k
        return low, n


def cholesky_backward(grads: Any, upper: bool, L: Any) -> Any:
    lower, g = (adjoint(L), adjoint(grads[0])) if upper else (L, grads[0])
    phi = TRIL(matmul(adjoint(lower), g))
    phi = MUL_SCALAR(phi + adjoint(TRIL(phi, -1)), 0.5)
    inner = SOLVE_TRIANGULAR(adjoint(lower), phi, upper=True, left=True)
    return SOLVE_TRIANGULAR(lower, inner, upper=False, left=False)


CHOLESKY_EX = Op(
    "linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)",
    wide_only("cholesky_cpu", _cholesky_ex),
    "LinalgCholeskyExBackward0",
    {"self": Grad(cholesky_backward, r"L^{-\top}\, \Phi(L^{\top} [[grad]])\, L^{-1}")},
    r"[[self]] = L L^{\top}",
    where=("linalg",),
    outputs=("L", "info"),
    names=("L", "info"),
    nondiff=(1,),
    unchecked=SYMMETRIC,
    example="torch.linalg.cholesky_ex(torch.tensor([[4.0, 2.0], [2.0, 3.0]]))",
)


def _qr(A: Any, mode: str = "reduced") -> tuple[Any, Any]:
    if mode not in ("reduced", "r", "complete"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    if mode == "r":
        return np.empty(0, A.dtype), by_columns(np.linalg.qr(A, "r"))
    return tuple(by_columns(x) for x in np.linalg.qr(A, mode))


def _qr_backward(grads: Any, Q: Any, R: Any, mode: str) -> Any:
    of_q, of_r = grads
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
            "linalg.qr(A, mode='reduced') if you are going to require gradients."
        )
    m, n = Q.shape[-2], R.shape[-1]
    if mode == "complete" and m > n:
        raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
    if m >= n:
        return _tall_qr_backward(of_q, of_r, Q, R)
    # Wide: the first m columns make Q; the others are Q times the rest of R.
    first, rest = SLICE(R, -1, 0, m), SLICE(R, -1, m, n)
    if of_r is None:
        of_first = _tall_qr_backward(of_q, None, Q, first)
        return CAT([of_first, NEW_ZEROS(of_q, (*rest.shape[:-2], m, n - m))], -1)
    of_rest = SLICE(of_r, -1, m, n)
    through_q = matmul(matmul(Q, rest), adjoint(of_rest))
    of_q = through_q if of_q is None else of_q + through_q
    return CAT([_tall_qr_backward(of_q, SLICE(of_r, -1, 0, m), Q, first), matmul(Q, of_rest)], -1)


def _tall_qr_backward(of_q: Any, of_r: Any, Q: Any, R: Any) -> Any:
    inner = None if of_r is None else matmul(of_r, adjoint(R))
    if of_q is not None:
        turned = matmul(adjoint(Q), of_q)
        inner = -turned if inner is None else inner - turned
    inner = TRIU(inner)
    symmetric = inner + adjoint(inner)
    if is_array(symmetric):
        symmetric[..., range(symmetric.shape[-1]), range(symmetric.shape[-1])] *= 0.5
    else:
        DIAGONAL(symmetric, 0, -2, -1).mul_(0.5)
    g = matmul(Q, symmetric)
    g = g if of_q is None else g + of_q
    return SOLVE_TRIANGULAR(adjoint(R), g, upper=False, left=False)


QR = Op(
    "linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)",
    wide_only("geqrf_cpu", _qr),
    "LinalgQrBackward0",
    {
        "A": Grad(
            _qr_backward, r"\left(\bar Q + Q\, \operatorname{sym}(\bar R R^{\top} - Q^{\top} \bar Q)\right) R^{-\top}"
        )
    },
    r"[[A]] = Q R",
    where=(),
    outputs=("Q", "R"),
    names=("Q", "R"),
    samples=lambda rng: [
        {"A": general(rng)},
        {"A": rng.normal(size=(2, 4, 2))},
        {"A": rng.normal(size=(2, 4))},
        {"A": general(rng), "mode": "complete"},
    ],
)


def singular_values(A: np.ndarray, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """What numpy's `svd` returns. Raises LinAlgError in PyTorch's words for a matrix with nan.

    All is nan for a matrix with an infinity, as nearly all is in PyTorch: OpenBLAS may search such a one for ever.
    """
    lost = np.isnan(A).any(axis=(-2, -1))
    if lost.any():
        where = f"(Batch element {np.flatnonzero(lost)[0]}): " if A.ndim > 2 else ""
        raise LinAlgError(
            f"linalg.svd: {where}The algorithm failed to converge because the input matrix contained non-finite values."
        )
    infinite: Any = np.isinf(A).any(axis=(-2, -1), keepdims=True)
    if not infinite.any():
        return np.linalg.svd(A, full_matrices, compute_uv)
    found: Any = np.linalg.svd(np.where(infinite, 0, A), full_matrices, compute_uv)
    if not compute_uv:
        return np.where(infinite[..., 0], np.nan, found).astype(found.dtype)
    return tuple(
        np.where(at, np.nan, x).astype(x.dtype)
        for at, x in zip((infinite, infinite[..., 0], infinite), found, strict=True)
    )


def _svd(A: Any, full_matrices: bool = False, compute_uv: bool = True, driver: Any = None) -> tuple[Any, Any, Any]:
    if compute_uv:
        u, s, vh = singular_values(A, full_matrices)
        return by_columns(u), s, by_columns(vh)
    return np.empty(0, A.dtype), singular_values(A, compute_uv=False), np.empty(0, A.dtype)


def _with_ones(differences: Any, like: Any) -> Any:
    """Differences of eigenvalues, with ones where an eigenvalue meets itself."""
    return differences + DIAG_EMBED(NEW_ZEROS(like, like.shape) + 1)


def _svd_backward(grads: Any, U: Any, S: Any, Vh: Any, full_matrices: bool) -> Any:
    of_u, of_s, of_v = grads
    k = S.shape[-1]
    m, n = U.shape[-2], Vh.shape[-1]
    if full_matrices:
        U, Vh = SLICE(U, -1, 0, k), SLICE(Vh, -2, 0, k)
        of_u = None if of_u is None else SLICE(of_u, -1, 0, k)
        of_v = None if of_v is None else SLICE(of_v, -2, 0, k)
    if of_u is None and of_v is None:
        if of_s is None:
            return None
        if m >= n:
            return matmul(U, UNSQUEEZE(of_s, -1) * Vh)
        return matmul(U * UNSQUEEZE(of_s, -2), Vh)
    squares = S * S
    gaps = _with_ones(UNSQUEEZE(squares, -2) - UNSQUEEZE(squares, -1), S)
    inner = None if of_s is None else DIAG_EMBED(of_s)
    if of_u is not None:
        turned = matmul(adjoint(U), of_u)
        part = ((turned - adjoint(turned)) / gaps) * UNSQUEEZE(S, -2)
        inner = part if inner is None else inner + part
    if of_v is not None:
        turned = matmul(Vh, adjoint(of_v))
        part = UNSQUEEZE(S, -1) * ((turned - adjoint(turned)) / gaps)
        inner = part if inner is None else inner + part
    out = matmul(matmul(U, inner), Vh)
    if of_u is not None and m > k:
        scaled = of_u / UNSQUEEZE(S, -2)
        out = out + matmul(scaled - matmul(U, matmul(adjoint(U), scaled)), Vh)
    if of_v is not None and n > k:
        scaled = of_v / UNSQUEEZE(S, -1)
        out = out + matmul(U, scaled - matmul(matmul(scaled, adjoint(Vh)), Vh))
    return out


SVD = Op(
    "_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None)"
    " -> (Tensor U, Tensor S, Tensor Vh)",
    wide_only("linalg_svd_cpu", _svd),
    "LinalgSvdBackward0",
    {
        "A": Grad(
            _svd_backward, r"U \left(\operatorname{skew}(U^{\top} \bar U) / E\; S + \ldots + \bar S\right) V^{\top}"
        )
    },
    r"[[A]] = U S V^{\top}",
    where=(),
    outputs=("U", "S", "Vh"),
    names=("U", "S", "Vh"),
    save_also=("S_sym_argsize_minus_1",),
    samples=lambda rng: [{"A": rng.normal(size=s)} for s in ((3, 3), (2, 4, 2), (2, 3))],
)


def _eigh(A: Any, UPLO: Any = "L", compute_v: bool = True) -> tuple[Any, Any]:
    if UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    if compute_v:
        values, vectors = np.linalg.eigh(A, UPLO)
        return values, by_columns(vectors)
    return np.linalg.eigvalsh(A, UPLO), np.empty(0, A.dtype)


def _eigh_backward(grads: Any, eigenvalues: Any, eigenvectors: Any) -> Any:
    of_values, of_vectors = grads
    back = adjoint(eigenvectors)
    if of_vectors is None:
        return matmul(eigenvectors * UNSQUEEZE(of_values, -2), back)
    turned = matmul(back, of_vectors)
    gaps = _with_ones(UNSQUEEZE(eigenvalues, -2) - UNSQUEEZE(eigenvalues, -1), eigenvalues)
    inner = turned - DIAG_EMBED(DIAGONAL(turned, 0, -2, -1))
    inner = inner / gaps
    if of_values is not None:
        inner = inner + DIAG_EMBED(of_values)
    return matmul(eigenvectors, matmul(inner, back))


EIGH = Op(
    '_linalg_eigh(Tensor A, str UPLO="L", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)',
    wide_only("linalg_eigh_cpu", _eigh),
    "LinalgEighBackward0",
    {"A": Grad(_eigh_backward, r"V \left(\bar L + V^{\top} \bar V / E\right) V^{\top}")},
    r"[[A]] = V L V^{\top}",
    where=(),
    outputs=("eigenvalues", "eigenvectors"),
    names=("eigenvalues", "eigenvectors"),
    unchecked=SYMMETRIC,
)
