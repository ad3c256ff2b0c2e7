"""torch.linalg's LDL factorisation and the solver that goes with it: the operators with their checks."""

from typing import Any

from engine.composite import composite
from engine.composites.checks_of_matrices import check_float, check_square
from engine.ops.ldl import LDL_FACTOR_EX, LDL_SOLVE
from engine.return_types import return_type

_LINALG = ("linalg",)
FACTOR_RESULT = return_type("linalg_ldl_factor", ("LD", "pivots"))
FACTOR_EX_RESULT = return_type("linalg_ldl_factor_ex", ("LD", "pivots", "info"))


def _factor(A: Any, hermitian: bool, checked_by: str) -> tuple[Any, Any, Any]:
    """The factors. Raises RuntimeError for what has none, and, when `checked_by` a name, for a singular matrix."""
    who = "torch.linalg.ldl_factor_ex"
    check_square(A, who)
    check_float(A, who)
    found = LDL_FACTOR_EX(A, hermitian, False)
    codes = found[2]._all_samples()._a.reshape(-1)
    if checked_by and codes.any():
        where = f"(Batch element {int(codes.argmax())}): " if codes.size > 1 else ""
        raise RuntimeError(
            f"{checked_by}: {where}The factorization could not be completed: D has a zero on its diagonal in row "
            f"{codes[codes != 0][0]}."
        )
    return found


@composite("linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)", where=_LINALG)
def ldl_factor(self: Any, hermitian: bool = False) -> Any:
    """L and D of a symmetric matrix in one, and the exchanges of rows."""
    return FACTOR_RESULT(_factor(self, hermitian, "torch.linalg.ldl_factor")[:2])


@composite(
    "linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) "
    "-> (Tensor LD, Tensor pivots, Tensor info)",
    where=_LINALG,
)
def ldl_factor_ex(self: Any, hermitian: bool = False, check_errors: bool = False) -> Any:
    """The same, and a number that is not zero where D has a zero on its diagonal."""
    return FACTOR_EX_RESULT(_factor(self, hermitian, "torch.linalg.ldl_factor_ex" if check_errors else ""))


@composite("linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor", where=_LINALG)
def ldl_solve(LD: Any, pivots: Any, B: Any, hermitian: bool = False) -> Any:
    """The solution of a system whose matrix is factored."""
    who = "torch.linalg.ldl_solve"
    check_square(LD, who)
    check_float(LD, who)
    if B.ndim < 2:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got -2)")
    rows, (height, width) = LD.shape[-1], B.shape[-2:]
    if rows != height:
        raise RuntimeError(
            f"Incompatible matrix sizes for {who}: each A matrix is {rows} by {rows} but each b matrix is "
            f"{height} by {width}"
        )
    if pivots.shape != LD.shape[:-1]:
        raise RuntimeError(
            f"{who}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape "
            f"{list(pivots.shape)} instead"
        )
    if pivots.is_floating_point() or pivots.is_complex():
        raise RuntimeError(f"{who}: Expected pivots to be integers. Got {pivots.dtype.torch_name}")
    if B.dtype is not LD.dtype:
        raise RuntimeError(
            f"Expected b and A to have the same dtype, but found b of type {B.dtype.torch_name} and A of type "
            f"{LD.dtype.torch_name} instead."
        )
    return LDL_SOLVE(LD, pivots, B, hermitian)
