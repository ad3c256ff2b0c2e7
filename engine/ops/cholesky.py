"""What Cholesky factors are good for: solving and inverting, and the factor itself under its old name."""

from typing import Any

import numpy as np

from engine.errors import LinAlgError
from engine.op import Grad, Op
from engine.ops.batched import matmul, transposed
from engine.ops.factors import CHOLESKY_EX, SYMMETRIC, cholesky_backward
from engine.ops.kinds import torch_name, wide_only
from engine.ops.layouts import by_columns
from engine.ops.triangular import identity, solve_triangular, swapped


def _lower(factor: Any, upper: bool) -> Any:
    return swapped(factor) if upper else factor


def _solve(self: Any, input2: Any, upper: bool = False) -> Any:
    for name, x in (("b", self), ("u", input2)):
        if x.ndim < 2:
            raise RuntimeError(f"{name} should have at least 2 dimensions, but has {x.ndim} dimensions instead")
    if self.dtype != input2.dtype:
        raise RuntimeError(
            f"Expected b and A to have the same dtype, but found b of type {torch_name(self)} and A of type "
            f"{torch_name(input2)} instead."
        )
    (c, d), (a, b) = self.shape[-2:], input2.shape[-2:]
    if a != c:
        raise RuntimeError(
            f"Incompatible matrix sizes for cholesky_solve: each A matrix is {a} by {b} but each b matrix is {c} by {d}"
        )
    low = _lower(input2, upper)
    return by_columns(solve_triangular(swapped(low), solve_triangular(low, self, False), True))


def _solve_backward(grad: Any, input2: Any, result: Any, upper: bool, mask: Any) -> tuple[Any, Any]:
    of_b = CHOLESKY_SOLVE(grad, input2, upper)
    if not mask[1]:
        return of_b, None
    common = matmul(of_b, transposed(result))
    common = common + transposed(common)
    return of_b, -matmul(input2, common) if upper else -matmul(common, input2)


CHOLESKY_SOLVE = Op(
    "cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
    wide_only("cholesky_solve_cpu", _solve),
    "CholeskySolveBackward0",
    {
        "self, input2": Grad(
            _solve_backward,
            {
                "self": r"(L L^{\top})^{-1} [[grad]],\; L = [[input2]]",
                "input2": (
                    r"-\left(\bar B\, [[result]]^{\top} + [[result]]\, \bar B^{\top}\right) L"
                    r",\; \bar B = (L L^{\top})^{-1} [[grad]]"
                ),
            },
        )
    },
    r"([[input2]]\, [[input2]]^{\top})^{-1} [[self]]",
    unchecked="its factor counts as triangular, which a step in any direction does not keep",
    example="torch.cholesky_solve(torch.ones(2, 1), torch.tensor([[2.0, 0.0], [1.0, 1.5]]))",
)


def _inverse(self: Any, upper: bool = False) -> Any:
    m, n = self.shape[-2:] if self.ndim > 1 else (1, 1)
    if m != n:
        raise RuntimeError(f"cholesky_inverse: A must be batches of square matrices, but they are {m} by {n} matrices")
    return _solve(identity(self.shape[-1], self.shape[-1], self), self, upper)


def _inverse_backward(grad: Any, self: Any, upper: bool, result: Any) -> Any:
    common = matmul(matmul(result, grad + transposed(grad)), result)
    return -matmul(self, common) if upper else -matmul(common, self)


CHOLESKY_INVERSE = Op(
    "cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
    wide_only("cholesky_inverse_out_cpu", _inverse),
    "CholeskyInverseBackward0",
    {"self": Grad(_inverse_backward, r"-L^{-\top} \ldots L^{-1}")},
    r"([[self]]\, [[self]]^{\top})^{-1}",
    unchecked="its factor counts as triangular, which a step in any direction does not keep",
    example="torch.cholesky_inverse(torch.tensor([[2.0, 0.0], [1.0, 1.5]]))",
)


def _cholesky(self: Any, upper: bool = False) -> Any:
    if self.ndim < 2:
        raise RuntimeError("cholesky: The input tensor A must have at least 2 dimensions.")
    m, n = self.shape[-2:]
    if m != n:
        raise RuntimeError(f"cholesky: A must be batches of square matrices, but they are {m} by {n} matrices")
    factor, info = CHOLESKY_EX.forward(self, upper)
    failed = np.flatnonzero(info)
    if failed.size:
        where = f"(Batch element {failed[0]}): " if self.ndim > 2 else ""
        raise LinAlgError(
            f"cholesky: {where}The factorization could not be completed because the input is not positive-definite "
            f"(the leading minor of order {np.ravel(info)[failed[0]]} is not positive-definite)."
        )
    return factor


CHOLESKY = Op(
    "cholesky(Tensor self, bool upper=False) -> Tensor",
    wide_only("cholesky_cpu", _cholesky),
    "CholeskyBackward0",
    {
        "self": Grad(
            lambda grad, upper, result: cholesky_backward([grad], upper, result),
            r"L^{-\top}\, \Phi(L^{\top} [[grad]])\, L^{-1}",
        )
    },
    r"[[self]] = L L^{\top}",
    unchecked=SYMMETRIC,
    example="torch.cholesky(torch.tensor([[4.0, 2.0], [2.0, 3.0]]))",
)
