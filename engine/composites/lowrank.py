"""Factorisations of low rank by random projection: `svd_lowrank` and `pca_lowrank`."""

from typing import Any

from engine.composite import python_function
from engine.composites.decompositions import qr, svd
from engine.composites.random_factories import randn


def _basis(A: Any, q: int, niter: int) -> Any:
    """Columns that span nearly what A's largest singular vectors span."""
    kind = A.dtype if A.is_floating_point() or A.is_complex() else None
    start = randn((A.shape[-1], q), None, kind, None, None, None, False)
    found = qr(A @ start)[0]
    for _ in range(niter):
        found = qr(A.mH @ found)[0]
        found = qr(A @ found)[0]
    return found


@python_function("function")
def svd_lowrank(A: Any, q: int | None = 6, niter: int | None = 2, M: Any = None) -> tuple[Any, Any, Any]:
    """The q largest singular values and their vectors, nearly."""
    rows, columns = A.shape[-2:]
    q, niter = 6 if q is None else q, 2 if niter is None else niter
    if M is not None:
        A = A - M.broadcast_to(A.size())
    wide = rows < columns
    if wide:
        A = A.mH
    basis = _basis(A, q, niter)
    u, s, vh = svd(basis.mH @ A, False)
    left, right = basis @ u, vh.mH
    return (right, s, left) if wide else (left, s, right)


@python_function("function")
def pca_lowrank(A: Any, q: int | None = None, center: bool = True, niter: int = 2) -> tuple[Any, Any, Any]:
    """The principal directions of rows of data. Raises ValueError for a rank or count that makes no sense."""
    rows, columns = A.shape[-2:]
    if q is None:
        q = min(6, rows, columns)
    elif not (q >= 0 and q <= min(rows, columns)):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(rows, columns)}")
    if not niter >= 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean((-2,), True) if center else A, q, niter=niter, M=None)
