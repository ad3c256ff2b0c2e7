"""LU factors as a result of their own."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.batched import adjoint as turned
from engine.ops.batched import matmul, transposed
from engine.ops.copy import NEW_ZEROS
from engine.ops.join import DIAG_EMBED, TRIL, TRIU
from engine.ops.kinds import wide_only
from engine.ops.layouts import by_columns, by_rows
from engine.ops.solvers import SOLVE_TRIANGULAR, general
from engine.ops.triangular import identity, lu_factor, lu_solve, row_order, solve_triangular, swapped


def _permutation(pivots: Any, rows: int, dtype: Any) -> Any:
    """P with A = P L U."""
    return by_rows(swapped(np.eye(rows, dtype=dtype)[row_order(pivots, rows)]))


def _matrices(function: str, a: Any) -> None:
    """RuntimeError for what has no rows and columns."""
    if a.ndim < 2:
        raise RuntimeError(f"{function}: Expected tensor with 2 or more dimensions. Got size: {list(a.shape)} instead")


def unpack(lu: Any) -> tuple[Any, Any]:
    """L with ones on its diagonal, and U."""
    rows, columns = lu.shape[-2:]
    k = min(rows, columns)
    return np.tril(lu[..., :k], -1) + identity(rows, k, lu), np.triu(lu[..., :k, :])


def _lu(A: Any, pivot: bool = True) -> tuple[Any, Any, Any]:
    _matrices("linalg.lu", A)
    lu, pivots, _ = lu_factor(A, pivot)
    return (_permutation(pivots, A.shape[-2], A.dtype), *unpack(lu))


def _lu_backward(grads: Any, P: Any, L: Any, U: Any) -> Any:
    """P L^-T (tril(L^T gL, -1) + triu(gU U^T)) U^-T, for square matrices."""
    if L.shape[-2] != U.shape[-1]:
        raise NotImplementedError("the derivative for 'linalg_lu' of matrices that are not square is not implemented.")
    of_l, of_u = grads[1], grads[2]
    inner = None
    if of_l is not None:
        inner = TRIL(matmul(transposed(L), of_l), -1)
    if of_u is not None:
        upper = TRIU(matmul(of_u, transposed(U)))
        inner = upper if inner is None else inner + upper
    inner = SOLVE_TRIANGULAR(transposed(U), inner, upper=False, left=False)
    return matmul(P, SOLVE_TRIANGULAR(transposed(L), inner, upper=True, unitriangular=True))


LU = Op(
    "linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)",
    wide_only("lu_cpu", _lu),
    "LinalgLuBackward0",
    {"A": Grad(_lu_backward, r"P L^{-\top} \left(\ldots\right) U^{-\top}")},
    r"[[A]] = P L U",
    where=("linalg",),
    outputs=("P", "L", "U"),
    names=("P", "L", "U"),
    nondiff=(0,),
    samples=lambda rng: [{"A": general(rng)}, {"A": general(rng, 2)}],
)


def _unit_lower(LU: Any) -> Any:
    """L, of factors that lie in one square matrix."""
    return TRIL(LU, -1) + DIAG_EMBED(LU[..., 0] * 0 + 1)


def _factor_backward(grads: Any, LU: Any, pivots: Any, P: Any) -> Any:
    of_lu = grads[0]
    if 0 in LU.shape:
        return of_lu
    return _lu_backward([None, TRIL(of_lu, -1), TRIU(of_lu)], P, _unit_lower(LU), TRIU(LU))


def _lu_factor_ex(A: Any, pivot: bool = True, check_errors: bool = False) -> tuple[Any, Any, Any]:
    _matrices("torch.lu_factor", A)
    lu, pivots, info = lu_factor(A, pivot)
    return by_columns(lu), pivots, info


LU_FACTOR_EX = Op(
    "linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False)"
    " -> (Tensor LU, Tensor pivots, Tensor info)",
    wide_only("lu_cpu", _lu_factor_ex),
    "LinalgLuFactorExBackward0",
    {
        "A": Grad(
            lambda grads, LU, pivots: _factor_backward(grads, LU, pivots, PERMUTATION(pivots, LU)),
            r"P L^{-\top} \left(\ldots\right) U^{-\top}",
        )
    },
    r"[[A]] = P L U",
    where=("linalg",),
    outputs=("LU", "pivots", "info"),
    names=("LU", "pivots", "info"),
    nondiff=(1, 2),
    samples=lambda rng: [{"A": general(rng)}, {"A": general(rng, 2)}],
)
PERMUTATION = Op(
    "_row_permutation(Tensor pivots, Tensor LU) -> Tensor",
    lambda pivots, LU: _permutation(pivots, LU.shape[-2], LU.dtype),
    where=(),
)


def _lu_unpack(LU_data: Any, LU_pivots: Any, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    _matrices("torch.lu_unpack", LU_data)
    if 0 in LU_data.shape[-2:]:  # nothing was exchanged
        LU_pivots = LU_pivots[..., :0]
    nothing = np.zeros(0, LU_data.dtype)
    p = _permutation(LU_pivots, LU_data.shape[-2], LU_data.dtype) if unpack_pivots else nothing
    return (p, *unpack(LU_data)) if unpack_data else (p, nothing, nothing)


def _unpack_backward(grads: Any) -> Any:
    lower = None if grads[1] is None else TRIL(grads[1], -1)
    upper = None if grads[2] is None else TRIU(grads[2])
    return upper if lower is None else lower if upper is None else lower + upper


LU_UNPACK = Op(
    "lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True)"
    " -> (Tensor P, Tensor L, Tensor U)",
    _lu_unpack,
    "LuUnpackBackward0",
    {"LU_data": Grad(_unpack_backward, r"\operatorname{tril}(\bar L) + \operatorname{triu}(\bar U)")},
    r"(P, L, U)",
    where=("function",),
    outputs=("P", "L", "U"),
    names=("P", "L", "U"),
    nondiff=(0,),
    samples=lambda rng: [
        {"LU_data": general(rng), "LU_pivots": np.array([1, 3, 3], np.int32)},
        {"LU_data": np.stack([general(rng)] * 2), "LU_pivots": np.array([[1, 3, 3], [2, 2, 3]], np.int32)},
    ],
)


def _lu_solve(LU: Any, pivots: Any, B: Any, left: bool = True, adjoint: bool = False) -> Any:
    b = B if left else turned(B)
    if left != adjoint:
        x = lu_solve(LU, pivots, b)
    else:
        back = solve_triangular(turned(LU), solve_triangular(turned(LU), b, False), True, True)
        order = np.argsort(row_order(pivots, LU.shape[-1]), -1)
        x = np.take_along_axis(back, np.broadcast_to(order, back.shape[:-1])[..., None], -2)
    return by_columns(x) if left else turned(by_columns(x))


def _lu_solve_backward(
    grad: Any, LU: Any, pivots: Any, result: Any, left: bool, adjoint: bool, mask: Any
) -> tuple[Any, Any]:
    of_b = LINALG_LU_SOLVE(LU, pivots, grad, left, not adjoint)
    return _of_factors(grad, LU, pivots, result, left, adjoint) if mask[0] else None, of_b if mask[1] else None


def _of_factors(grad: Any, LU: Any, pivots: Any, result: Any, left: bool, adjoint: bool) -> Any:
    """With A = P L U, of A X = B: the gradient of A is -A^-H G X^H, and of its factors as in `_lu_backward`."""
    if 0 in LU.shape:
        return NEW_ZEROS(LU, LU.shape)
    L, U = _unit_lower(LU), TRIU(LU)
    g, x = (grad, turned(result)) if left else (turned(grad), result)
    if left != adjoint:
        inner = SOLVE_TRIANGULAR(turned(U), -matmul(g, x), upper=False)
        lower = SOLVE_TRIANGULAR(turned(L), matmul(inner, turned(U)), upper=True, unitriangular=True)
        return TRIL(lower, -1) + TRIU(inner)
    P = PERMUTATION(pivots, LU)
    inner = -matmul(matmul(transposed(P), matmul(turned(x), turned(g))), P)
    inner = SOLVE_TRIANGULAR(turned(L), inner, upper=True, left=False, unitriangular=True)
    upper = SOLVE_TRIANGULAR(turned(U), matmul(turned(L), inner), upper=False, left=False)
    return TRIL(inner, -1) + TRIU(upper)


_EXCHANGES = np.array([1, 3, 3], np.int32)

LINALG_LU_SOLVE = Op(
    "linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor",
    wide_only("linalg_lu_solve_cpu", _lu_solve),
    "LinalgLuSolveBackward0",
    {
        "LU, B": Grad(
            _lu_solve_backward,
            {
                "LU": r"\operatorname{tril}(\bar L) + \operatorname{triu}(\bar U)",
                "B": r"(L U)^{-\top} P^{\top} [[grad]]",
            },
        )
    },
    r"(P L U)^{-1} [[B]]",
    where=(),
    samples=lambda rng: [
        {"LU": general(rng), "pivots": _EXCHANGES, "B": rng.normal(size=(3, 2))},
        {"LU": general(rng), "pivots": _EXCHANGES, "B": rng.normal(size=(2, 3)), "left": False},
        {"LU": general(rng), "pivots": _EXCHANGES, "B": rng.normal(size=(3, 2)), "adjoint": True},
        {"LU": general(rng, 2), "pivots": np.stack([_EXCHANGES] * 2), "B": rng.normal(size=(2, 3, 2))},
    ],
)
