"""torch.linalg's inverses, determinants and solvers: the operators with their checks."""

from typing import Any

from engine.composite import composite, python_function
from engine.composites.checks_of_matrices import (
    check_equation,
    check_float,
    check_info,
    check_matrix,
    check_same_dtype,
    check_square,
)
from engine.composites.parsed import checked
from engine.dtypes import int32
from engine.ops.batched import batch_shape, matmul
from engine.ops.checks import wrap_dim
from engine.ops.determinants import DET, SLOGDET
from engine.ops.lu import LINALG_LU_SOLVE, LU_FACTOR_EX
from engine.ops.masking import WHERE
from engine.ops.matrix_functions import CROSS, PINV
from engine.ops.solvers import INV_EX, SOLVE_EX, SOLVE_TRIANGULAR, is_vector_side
from engine.ops.views import EXPAND
from engine.return_types import return_type
from engine.warning import warn_once

_LINALG, _TOP = ("linalg",), ("function", "method")
_NO_INVERSE = (
    "The diagonal element {n} is zero, the inversion could not be completed because the input matrix is singular."
)
INV_EX_RESULT = return_type("linalg_inv_ex", ("inverse", "info"))
SOLVE_EX_RESULT = return_type("linalg_solve_ex", ("result", "info"))
SLOGDET_RESULT = return_type("linalg_slogdet", ("sign", "logabsdet"))
OLD_SLOGDET_RESULT = return_type("slogdet", ("sign", "logabsdet"))
LU_FACTOR_RESULT = return_type("linalg_lu_factor", ("LU", "pivots"))


def invert(A: Any) -> Any:
    """The inverse. Raises LinAlgError for a singular matrix."""
    check_square(A, "linalg.inv")
    check_float(A, "linalg.inv")
    inverse, info = INV_EX(A)
    check_info(info, "linalg.inv", _NO_INVERSE)
    return inverse


@composite("linalg_inv(Tensor A) -> Tensor", where=_LINALG)
def inv(A: Any) -> Any:
    """The inverse of a matrix."""
    return invert(A)


@composite("inverse(Tensor self) -> Tensor", where=_TOP)
def inverse(self: Any) -> Any:
    """The inverse of a matrix."""
    return invert(self)


@composite(
    "linalg_inv_ex.checked(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)", where=_LINALG
)
def inv_ex(A: Any, check_errors: bool = False) -> Any:
    """The inverse, and a number that is not zero where there is none."""
    check_square(A, "linalg.inv")
    check_float(A, "linalg.inv")
    result, info = INV_EX(A)
    if check_errors:
        check_info(info, "linalg.inv_ex", _NO_INVERSE)
    return INV_EX_RESULT((result, info))


def _det(A: Any) -> Any:
    check_square(A, "linalg.det")
    check_float(A, "linalg.det")
    return DET(A)[0]


@composite("linalg_det(Tensor A) -> Tensor", where=_LINALG)
def linalg_det(A: Any) -> Any:
    """The determinant."""
    return _det(A)


@composite("det(Tensor self) -> Tensor", where=_TOP)
def det(self: Any) -> Any:
    """The determinant."""
    return _det(self)


def _slogdet(A: Any) -> tuple[Any, Any]:
    check_square(A, "linalg.slogdet")
    check_float(A, "linalg.slogdet")
    return SLOGDET(A)[:2]


@composite("linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)", where=_LINALG)
def linalg_slogdet(A: Any) -> Any:
    """The sign of the determinant and the logarithm of its size."""
    return SLOGDET_RESULT(_slogdet(A))


@composite("slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)", where=_TOP)
def slogdet(self: Any) -> Any:
    """The sign of the determinant and the logarithm of its size."""
    return OLD_SLOGDET_RESULT(_slogdet(self))


@composite("logdet(Tensor self) -> Tensor", where=_TOP)
def logdet(self: Any) -> Any:
    """The logarithm of the determinant; nan where that is negative."""
    check_square(self, "logdet")
    check_float(self, "logdet")
    sign, size = SLOGDET(self)[:2]
    return WHERE(sign == -1, float("nan"), size)


@composite(
    "linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info)",
    where=_LINALG,
)
def solve_ex(A: Any, B: Any, left: bool = True, check_errors: bool = False) -> Any:
    """The solution of AX = B, and a number that is not zero where there is none."""
    return SOLVE_EX_RESULT(_solve(A, B, left, "torch.linalg.solve_ex" if check_errors else ""))


@composite("linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor", where=_LINALG)
def solve(A: Any, B: Any, left: bool = True) -> Any:
    """The solution of AX = B."""
    return _solve(A, B, left, "torch.linalg.solve")[0]


def _solve(A: Any, B: Any, left: bool, complain_as: str) -> tuple[Any, Any]:
    check_float(A, "linalg.solve")
    check_same_dtype(A, B, "linalg.solve")
    check_square(A, "linalg.solve")
    vector = is_vector_side(A, B)
    if not vector:
        check_equation(A, B, left, "linalg.solve")
    elif not left:
        raise RuntimeError("linalg.solve: Vector broadcasting of the left hand side is not supported for left=False.")
    elif B.shape[-1] != A.shape[-1]:
        raise RuntimeError(
            "linalg.solve: Incompatible shapes of A and B for the equation AX = B "
            f"({A.shape[-2]}x{A.shape[-1]} and {B.shape[-1]}x1)"
        )
    result, _, _, info = SOLVE_EX(A, B, left)
    if complain_as:
        check_info(info, complain_as, "The solver failed because the input matrix is singular.")
    return result, info


@composite(
    "linalg_solve_triangular.checked(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False)"
    " -> Tensor",
    where=_LINALG,
)
def solve_triangular(self: Any, B: Any, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
    """The solution of AX = B for a triangular A."""
    check_same_dtype(self, B, "linalg.solve_triangular")
    check_square(self, "linalg.solve_triangular")
    check_equation(self, B, left, "linalg.solve_triangular")
    lead = batch_shape(tuple(self.shape[:-2]), tuple(B.shape[:-2]))
    if lead != tuple(self.shape[:-2]):
        self = EXPAND(self, (*lead, *self.shape[-2:]))
    if lead != tuple(B.shape[:-2]):
        B = EXPAND(B, (*lead, *B.shape[-2:]))
    return SOLVE_TRIANGULAR(self, B, upper=upper, left=left, unitriangular=unitriangular)


@composite("linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)", where=_LINALG)
def lu_factor(A: Any, pivot: bool = True) -> Any:
    """Both triangular factors in one matrix, and the row exchanges."""
    if A.ndim < 2:
        raise RuntimeError(
            f"torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: {list(A.shape)} instead"
        )
    check_float(A, "torch.linalg.lu_factor")
    lu, pivots, info = LU_FACTOR_EX(A, pivot)
    codes = info._all_samples()._a.reshape(-1).tolist()
    if any(codes):
        n = next(n for n in codes if n)
        raise RuntimeError(
            f"torch.linalg.lu_factor: U[{n},{n}] is zero and using it on lu_solve would result in a division by zero. "
            "If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or "
            "linalg.lu_factor_ex(A, pivot)"
        )
    return LU_FACTOR_RESULT((lu, pivots))


def _pinv(self: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    if self.ndim < 2 or self.dtype.itemsize == 2 or not (self.dtype.is_floating_point or self.dtype.is_complex):
        raise RuntimeError(
            f"linalg.pinv({self.dtype.torch_name}{{{list(self.shape)}}}): expected a tensor with 2 or more dimensions "
            "of float, double, cfloat or cdouble types"
        )
    return PINV(self, atol=atol, rtol=rtol, hermitian=hermitian)


@composite(
    "linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor",
    where=_LINALG,
)
def pinv(self: Any, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Any:
    """The pseudo-inverse."""
    return _pinv(self, atol, rtol, hermitian)


def _one_number(t: Any) -> float | None:
    return None if t is None else float(t)


@composite(
    "linalg_pinv.atol_rtol_tensor_checked(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False)"
    " -> Tensor",
    where=_LINALG,
)
def pinv_by_tensors(self: Any, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Any:
    """The pseudo-inverse, with tolerances of one element each."""
    return _pinv(self, _one_number(atol), _one_number(rtol), hermitian)


@composite("linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor", where=_LINALG)
def pinv_by_rcond_tensor(self: Any, rcond: Any, hermitian: bool = False) -> Any:
    """The pseudo-inverse, with a tolerance of one element."""
    return _pinv(self, None, float(rcond), hermitian)


@composite("linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor", where=_LINALG)
def pinv_by_rcond(self: Any, rcond: float, hermitian: bool = False) -> Any:
    """The pseudo-inverse, singular values below `rcond` times the largest counting as zero."""
    return _pinv(self, None, rcond, hermitian)


@composite("pinverse(Tensor self, float rcond=1e-15) -> Tensor", where=_TOP)
def pinverse(self: Any, rcond: float = 1e-15) -> Any:
    """The pseudo-inverse."""
    return _pinv(self, None, rcond, False)


def power(A: Any, n: int) -> Any:
    """A matrix times itself, by repeated squaring."""
    check_square(A, "linalg.matrix_power")
    if n == 0:
        eye = (A.detach() * 0).contiguous()
        eye.diagonal(0, -2, -1).fill_(1)
        return eye
    if n < 0:
        return power(invert(A), -n)
    if n == 1:
        return A.clone()
    if n == 2:
        return matmul(A, A)
    if n == 3:
        return matmul(matmul(A, A), A)
    result, square = None, None
    while n:
        square = A if square is None else matmul(square, square)
        if n % 2:
            result = square if result is None else matmul(result, square)
        n //= 2
    return result


@composite("linalg_matrix_power(Tensor self, int n) -> Tensor", where=_LINALG)
def linalg_matrix_power(self: Any, n: int) -> Any:
    """A matrix to a whole power."""
    return power(self, n)


@composite("matrix_power(Tensor self, int n) -> Tensor", where=_TOP)
def matrix_power(self: Any, n: int) -> Any:
    """A matrix to a whole power."""
    return power(self, n)


@composite("cross(Tensor self, Tensor other, int? dim=None) -> Tensor", where=_TOP)
def cross(self: Any, other: Any, dim: int | None = None) -> Any:
    """The cross product along `dim`, or the first dimension of size 3."""
    if dim is None:
        warn_once(
            "Using torch.cross without specifying the dim arg is deprecated.\n"
            "Please either pass the dim explicitly or simply use torch.linalg.cross.\n"
            "The default value of dim will change to agree with that of linalg.cross in a future release."
        )
        dim = next((d for d, n in enumerate(self.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return CROSS(self, other, dim=wrap_dim(dim, self.ndim))


@composite(
    "linalg_lu_solve.checked(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor",
    where=_LINALG,
)
def lu_solve(LU: Any, pivots: Any, B: Any, left: bool = True, adjoint: bool = False) -> Any:
    """The solution of AX = B, given the factors of A; `adjoint` solves for its transpose."""
    check_square(LU, "torch.linalg.lu_solve")
    check_matrix(B, "linalg.lu_solve", "B")
    if pivots.dtype is not int32:
        raise RuntimeError("linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32")
    check_equation(LU, B, left, "linalg.lu_solve")
    return LINALG_LU_SOLVE(LU, pivots, B, left=left, adjoint=adjoint)


TRIANGULAR_RESULT = return_type("triangular_solve", ("solution", "cloned_coefficient"))


@composite(
    "triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False)"
    " -> (Tensor solution, Tensor cloned_coefficient)",
    where=_TOP,
)
def triangular_solve(
    self: Any, A: Any, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> Any:
    """Solve a triangular equation, by the old name; the second result is a copy of the triangle's matrix."""
    for name, x in (("b", self), ("A", A)):
        if x.ndim < 2:
            raise RuntimeError(
                f"torch.triangular_solve: Expected {name} to have at least 2 dimensions, but it has {x.ndim} "
                "dimensions instead"
            )
    solution = solve_triangular(A.mT if transpose else A, self, upper != transpose, True, unitriangular)
    return TRIANGULAR_RESULT((solution, A.clone()))


@composite("lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor", where=_TOP)
def old_lu_solve(self: Any, LU_data: Any, LU_pivots: Any) -> Any:
    """`torch.linalg.lu_solve`, by the old name and with its arguments in the old order."""
    warn_once(
        "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a future PyTorch "
        "release.\nNote that torch.linalg.lu_solve has its arguments reversed.\nX = torch.lu_solve(B, LU, pivots)\n"
        "should be replaced with\nX = torch.linalg.lu_solve(LU, pivots, B)"
    )
    return checked(lu_solve)(LU_data, LU_pivots, self)


@python_function("function")
def lu(A: Any, pivot: bool = True, get_infos: bool = False, out: Any = None) -> Any:
    """The factors of a matrix in one, and the order of its rows; by the old name."""
    warn_once(
        "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will be removed in "
        "a future PyTorch release.\nLU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\n"
        "LU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\n"
        "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\n"
        "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)"
    )
    factors, pivots, info = checked(LU_FACTOR_EX)(A, pivot=pivot)
    return (factors, pivots, info) if get_infos else (factors, pivots)


lu.function.__qualname__ = "_lu_no_infos"  # the name PyTorch's messages have


def _tensor_lu(self: Any, pivot: bool = True, get_infos: bool = False) -> Any:
    """`torch.lu` of the tensor."""
    return lu(self, pivot, get_infos)


_tensor_lu.__name__, _tensor_lu.__qualname__ = "lu", "Tensor.lu"
TENSOR_LU = python_function("method")(_tensor_lu)
