"""Inverses, determinants and solutions of linear systems."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.batched import matmul, transposed
from engine.ops.join import TRIL, TRIU
from engine.ops.kinds import wide_only
from engine.ops.layouts import by_columns
from engine.ops.triangular import identity, lu_factor, lu_solve, solve_triangular, swapped
from engine.ops.views import UNSQUEEZE


def general(rng: np.random.Generator, *lead: int, n: int = 3) -> np.ndarray:
    """Matrices far from singular."""
    return rng.normal(size=(*lead, n, n)) + 3 * np.eye(n)


def _inv_ex(A: Any, check_errors: bool = False) -> tuple[Any, Any]:
    lu, pivots, info = lu_factor(A)
    return by_columns(lu_solve(lu, pivots, identity(A.shape[-1], A.shape[-1], A))), info


def _inv_backward(grads: Any, inverse: Any) -> Any:
    return -matmul(transposed(inverse), matmul(grads[0], transposed(inverse)))


INV_EX = Op(
    "linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
    wide_only("linalg.inv: Low precision dtypes not supported. Got {}", _inv_ex),
    "LinalgInvExBackward0",
    {"A": Grad(_inv_backward, r"-[[inverse]]^{\top} [[grad]]\, [[inverse]]^{\top}")},
    r"[[A]]^{-1}",
    where=(),
    outputs=("inverse", "info"),
    names=("inverse", "info"),
    nondiff=(1,),
    samples=lambda rng: [{"A": general(rng)}, {"A": general(rng, 2)}],
)


def is_vector_side(A: Any, B: Any) -> bool:
    """Whether the right-hand side is one vector per matrix rather than a matrix."""
    return B.ndim == 1 or (A.ndim - 1 == B.ndim and tuple(B.shape) == tuple(A.shape[:-1]))


def _solve_ex(A: Any, B: Any, left: bool = True, check_errors: bool = False) -> tuple[Any, Any, Any, Any]:
    vector = is_vector_side(A, B)
    b = B[..., None] if vector else B
    lu, pivots, info = lu_factor(A if left else swapped(A))
    x = lu_solve(lu, pivots, b if left else swapped(b))
    x = by_columns(x) if left else swapped(by_columns(x))
    if vector:
        x = by_columns(x[..., 0]) if x.ndim > 2 else x[..., 0]
    return x, by_columns(lu), pivots, info


def _solve_backward(grads: Any, A: Any, result: Any, left: bool, mask: Any) -> tuple[Any, Any]:
    back = SOLVE_EX(transposed(A), grads[0], left)[0]
    of_a = None
    if mask[0]:
        if is_vector_side(A, result):
            of_a = -matmul(UNSQUEEZE(back, -1), UNSQUEEZE(result, -2))
        else:
            of_a = -matmul(back, transposed(result)) if left else -matmul(transposed(result), back)
    return of_a, back if mask[1] else None


def _systems(rng: np.random.Generator) -> list[dict[str, Any]]:
    return [
        {"A": general(rng), "B": rng.normal(size=(3, 2))},
        {"A": general(rng), "B": rng.normal(size=3)},
        {"A": general(rng, 2), "B": rng.normal(size=(2, 3, 2))},
        {"A": general(rng), "B": rng.normal(size=(2, 3)), "left": False},
    ]


SOLVE_EX = Op(
    "_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False)"
    " -> (Tensor result, Tensor LU, Tensor pivots, Tensor info)",
    wide_only("lu_cpu", _solve_ex),
    "LinalgSolveExBackward0",
    {
        "A, B": Grad(
            _solve_backward, {"A": r"-[[A]]^{-\top} [[grad]]\, [[result]]^{\top}", "B": r"[[A]]^{-\top} [[grad]]"}
        )
    },
    r"[[A]]^{-1} [[B]]",
    where=(),
    outputs=("result", "LU", "pivots", "info"),
    nondiff=(1, 2, 3),
    save_also=("LU", "pivots"),
    samples=_systems,
)


def _solve_triangular(self: Any, B: Any, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
    if left:
        return by_columns(solve_triangular(self, B, upper, unitriangular))
    return by_columns(swapped(solve_triangular(swapped(self), swapped(B), not upper, unitriangular)))


def _triangular_backward(
    grad: Any, self: Any, result: Any, upper: bool, left: bool, unitriangular: bool, mask: Any
) -> tuple[Any, Any]:
    back = SOLVE_TRIANGULAR(transposed(self), grad, upper=not upper, left=left, unitriangular=unitriangular)
    of_a = None
    if mask[0]:
        of_a = -matmul(back, transposed(result)) if left else -matmul(transposed(result), back)
        of_a = TRIU(of_a, int(unitriangular)) if upper else TRIL(of_a, -int(unitriangular))
    return of_a, back if mask[1] else None


SOLVE_TRIANGULAR = Op(
    "linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor",
    wide_only("triangular_solve_cpu", _solve_triangular),
    "LinalgSolveTriangularBackward0",
    {
        "self, B": Grad(
            _triangular_backward,
            {"self": r"-[[self]]^{-\top} [[grad]]\, [[result]]^{\top}", "B": r"[[self]]^{-\top} [[grad]]"},
        )
    },
    r"[[self]]^{-1} [[B]]",
    where=(),
    samples=lambda rng: [
        {"self": general(rng), "B": rng.normal(size=(3, 2)), "upper": True},
        {"self": general(rng, 2), "B": rng.normal(size=(2, 3, 2)), "upper": False, "unitriangular": True},
        {"self": general(rng), "B": rng.normal(size=(2, 3)), "upper": True, "left": False},
    ],
)
