"""torch.linalg's decompositions: the operators with their checks."""

from typing import Any

from engine import dtypes
from engine.composite import composite
from engine.composites.checks_of_matrices import (
    check_float,
    check_info,
    check_kernel,
    check_matrix,
    check_square,
    check_wide,
)
from engine.modes import STATE
from engine.ops.eig import EIG
from engine.ops.factors import CHOLESKY_EX, EIGH, QR, SVD
from engine.ops.matrix_functions import MATRIX_EXP
from engine.ops.views import TRANSPOSE
from engine.return_types import return_type

_LINALG, _TOP = ("linalg",), ("function", "method")
QR_RESULT = return_type("linalg_qr", ("Q", "R"))
SVD_RESULT = return_type("linalg_svd", ("U", "S", "Vh"))
OLD_SVD_RESULT = return_type("svd", ("U", "S", "V"))
OLD_QR_RESULT = return_type("qr", ("Q", "R"))
EIG_RESULT = return_type("linalg_eig", ("eigenvalues", "eigenvectors"))
EIGH_RESULT = return_type("linalg_eigh", ("eigenvalues", "eigenvectors"))
_NOT_POSITIVE = (
    "The factorization could not be completed because the input is not positive-definite (the leading minor of order "
    "{n} is not positive-definite)."
)


def _needs_vectors(A: Any) -> bool:
    """Derivatives of singular values and eigenvalues need the vectors."""
    return (A._needs_grad and STATE.grad_enabled) or A._tangent is not None


@composite("linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor", where=_LINALG)
def linalg_cholesky(self: Any, upper: bool = False) -> Any:
    """The triangular factor of a positive-definite matrix."""
    check_square(self, "linalg.cholesky")
    check_float(self, "linalg.cholesky")
    factor, info = CHOLESKY_EX(self, upper)
    check_info(info, "linalg.cholesky", _NOT_POSITIVE)
    return factor


@composite("linalg_qr.checked(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)", where=_LINALG)
def qr(A: Any, mode: str = "reduced") -> Any:
    """Orthogonal times triangular."""
    check_matrix(A, "linalg.qr")
    check_float(A, "linalg.qr")
    return QR_RESULT(QR(A, mode))


@composite("qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)", where=_TOP)
def old_qr(self: Any, some: bool = True) -> Any:
    """Orthogonal times triangular, by its old name."""
    return OLD_QR_RESULT(qr(self, "reduced" if some else "complete"))


@composite(
    "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
    where=_LINALG,
)
def svd(A: Any, full_matrices: bool = True, driver: str | None = None) -> Any:
    """Singular values and vectors."""
    check_matrix(A, "linalg.svd")
    check_float(A, "linalg.svd")
    check_wide(A, "linalg_svd_cpu")
    return SVD_RESULT(SVD(A, full_matrices, True))


@composite("linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor", where=_LINALG)
def svdvals(A: Any, driver: str | None = None) -> Any:
    """Singular values, largest first."""
    check_matrix(A, "linalg.svd")
    check_float(A, "linalg.svd")
    check_wide(A, "linalg_svd_cpu")
    return SVD(A, False, _needs_vectors(A))[1]


@composite("svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)", where=_TOP)
def old_svd(self: Any, some: bool = True, compute_uv: bool = True) -> Any:
    """Singular values and vectors, by its old name: V instead of its transpose."""
    if self.ndim < 2:
        raise RuntimeError(
            f"linalg.svd: input should have at least 2 dimensions, but has {self.ndim} dimensions instead"
        )
    check_float(self, "linalg.svd")
    u, s, vh = SVD(self, not some, True)
    return OLD_SVD_RESULT((u, s, TRANSPOSE(vh, -2, -1)))


@composite(
    "linalg_eigh(Tensor self, str UPLO='L') -> (Tensor eigenvalues, Tensor eigenvectors)",
    where=_LINALG,
)
def eigh(self: Any, UPLO: str = "L") -> Any:
    """Eigenvalues and eigenvectors of a symmetric matrix."""
    check_square(self, "linalg.eigh")
    check_kernel(self, "linalg_eigh_cpu")
    return EIGH_RESULT(EIGH(self, UPLO, True))


@composite("linalg_eigvalsh(Tensor self, str UPLO='L') -> Tensor", where=_LINALG)
def eigvalsh(self: Any, UPLO: str = "L") -> Any:
    """Eigenvalues of a symmetric matrix, smallest first."""
    check_square(self, "linalg.eigh")
    check_kernel(self, "linalg_eigh_cpu")
    return EIGH(self, UPLO, _needs_vectors(self))[0]


def _eig(A: Any, who: str) -> Any:
    if not (A.is_floating_point() or A.is_complex()):
        raise RuntimeError(f"Unknown Complex ScalarType for {A.dtype.torch_name}")
    check_square(A, who)
    check_wide(A, "linalg_eig_out_cpu")
    return EIG(A)


@composite("linalg_eigvals(Tensor self) -> Tensor", where=_LINALG)
def eigvals(self: Any) -> Any:
    """Eigenvalues, complex."""
    return _eig(self, "linalg.eig" if _needs_vectors(self) else "linalg.eigvals")[0]


@composite("linalg_eig.checked(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)", where=_LINALG)
def eig(self: Any) -> Any:
    """Eigenvalues and vectors, complex."""
    return EIG_RESULT(_eig(self, "linalg.eig"))


@composite("matrix_exp(Tensor self) -> Tensor", where=_TOP)
def matrix_exp(self: Any) -> Any:
    """The matrix exponential."""
    return MATRIX_EXP(self)


@composite(
    "linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False)"
    " -> Tensor",
    where=_LINALG,
)
def matrix_rank_by_tensors(input: Any, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Any:
    """The same, with tolerances of one element each."""
    return matrix_rank(input, *(None if t is None else float(t) for t in (atol, rtol)), hermitian)


@composite("linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor", where=_LINALG)
def matrix_rank_by_tolerance_tensor(input: Any, tol: Any, hermitian: bool = False) -> Any:
    """The same, with one absolute tolerance."""
    return matrix_rank(input, float(tol), 0.0, hermitian)


@composite("linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor", where=_LINALG)
def matrix_rank_by_tolerance(self: Any, tol: float, hermitian: bool = False) -> Any:
    """The same, with one absolute tolerance."""
    return matrix_rank(self, tol, 0.0, hermitian)


@composite(
    "linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False)"
    " -> Tensor",
    where=_LINALG,
)
def matrix_rank(self: Any, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Any:
    """How many singular values are above max(atol, rtol * largest)."""
    if self.ndim < 2:
        raise RuntimeError("torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions.")
    if not self.numel():
        return self.new_zeros(self.shape[:-2], dtype=dtypes.int64)
    if self.dtype not in (dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128) and rtol is None:
        raise RuntimeError("This function doesn't handle types other than float and double")
    s = svdvals(self.detach())
    if rtol is None:
        eps = 2.0**-23 if self.dtype.itemsize == 4 else 2.0**-52
        rtol = 0.0 if atol is not None and atol > 0 else max(self.shape[-2:]) * eps
    floor = (s.amax((-1,), True) * rtol).clamp(min=atol or 0.0)
    return (s > floor).sum(-1)
