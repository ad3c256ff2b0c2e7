"""Symmetric and Hermitian matrices as L D L^T, D of blocks of one and two rows, by Bunch's and Kaufman's pivoting."""

import numpy as np

from engine.op import Op
from engine.ops.kinds import wide_only
from engine.ops.layouts import by_columns
from engine.ops.undifferentiable import NODE, REASON, no_derivative

_GROWTH = (1 + 17**0.5) / 8
"""Keeps the elements from growing: where the diagonal is smaller than this share of its column, two rows are taken."""


def _size(x: np.ndarray) -> np.ndarray:
    """The size that LAPACK goes by: of complex numbers the sum of both parts."""
    return np.abs(np.real(x)) + np.abs(np.imag(x)) if x.dtype.kind == "c" else np.abs(x)


def _choose(a: np.ndarray, k: int) -> tuple[int, int]:
    """The row to exchange, and how many rows to take; (k, 0) for a column of zeros."""
    size, below = float(_size(a[k, k])), _size(a[k + 1 :, k])
    largest = float(below.max(initial=0))
    if max(size, largest) == 0 or np.isnan(size):
        return k, 0
    if size >= _GROWTH * largest:
        return k, 1
    row = k + 1 + int(below.argmax())
    around = _size(a[row, k:]).astype(float)
    around[row - k] = 0
    across = float(around.max())
    if size >= _GROWTH * largest * (largest / across):
        return k, 1
    return row, 1 if float(_size(a[row, row])) >= _GROWTH * across else 2


def _factor(matrix: np.ndarray, hermitian: bool) -> tuple[np.ndarray, np.ndarray, int]:
    """L below D, the exchanges counted from 1 (below 0: of two rows), and the first column of zeros or 0."""
    n = len(matrix)
    lower = np.tril(matrix, -1)
    a = lower + (lower.conj() if hermitian else lower).T + np.diag(np.diag(matrix))
    if hermitian:
        a[range(n), range(n)] = np.real(a.diagonal())
    out, pivots, info = np.zeros_like(a), np.zeros(n, np.int32), 0
    k = 0
    while k < n:
        row, step = _choose(a, k)
        info = info or (k + 1 if step == 0 else 0)
        step = max(step, 1)
        here, behind = slice(k, k + step), slice(k + step, n)
        pivots[here] = row + 1 if step == 1 else -(row + 1)
        order = np.arange(n)
        order[[k + step - 1, row]] = order[[row, k + step - 1]]
        a = a[order][:, order]
        block, column = a[here, here], a[behind, here]
        out[here, here] = np.tril(block)
        if not (step == 1 and block[0, 0] == 0):
            factors = column @ np.linalg.inv(block)
            out[behind, here] = factors
            a[behind, behind] -= factors @ (column.conj() if hermitian else column).T
            if hermitian:
                a[range(n), range(n)] = np.real(a.diagonal())
        k += step
    return out, pivots, info


def _ldl_factor_ex(
    self: np.ndarray, hermitian: bool = False, check_errors: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    lead, n = self.shape[:-2], self.shape[-1]
    out, pivots = np.empty_like(self, order="C"), np.empty((*lead, n), np.int32)
    info = np.zeros(lead, np.int32)
    for at in np.ndindex(*lead):
        out[at], pivots[at], info[at] = _factor(self[at], hermitian)
    return by_columns(out), pivots, info


def _solve(lower: np.ndarray, pivots: np.ndarray, b: np.ndarray, hermitian: bool) -> np.ndarray:
    """One system: exchanges and L, then D, then L^T and the exchanges undone."""
    n, x, k = len(lower), b.copy(), 0
    blocks = []
    while k < n:
        step = 1 if pivots[k] > 0 else 2
        row, last = abs(int(pivots[k])) - 1, k + step - 1
        here, behind = slice(k, k + step), slice(k + step, n)
        x[[last, row]] = x[[row, last]]
        x[behind] -= lower[behind, here] @ x[here]
        block = np.tril(lower[here, here])
        below = np.tril(block, -1)
        block = block + (below.conj() if hermitian else below).T
        x[here] = np.linalg.solve(block, x[here]) if block.any() else x[here] / block[0, 0]
        blocks.append((here, behind, last, row))
        k += step
    for here, behind, last, row in reversed(blocks):
        factors = lower[behind, here]
        x[here] -= (factors.conj() if hermitian else factors).T @ x[behind]
        x[[last, row]] = x[[row, last]]
    return x


def _ldl_solve(LD: np.ndarray, pivots: np.ndarray, B: np.ndarray, hermitian: bool = False) -> np.ndarray:
    lead = np.broadcast_shapes(LD.shape[:-2], B.shape[:-2])
    out = np.broadcast_to(B, (*lead, *B.shape[-2:])).copy()
    lower = np.broadcast_to(LD, (*lead, *LD.shape[-2:]))
    exchanged = np.broadcast_to(pivots, (*lead, pivots.shape[-1]))
    if out.size:
        for at in np.ndindex(*lead):
            out[at] = _solve(lower[at], exchanged[at], out[at], hermitian)
    return by_columns(out)


LDL_FACTOR_EX = Op(
    "_linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) "
    "-> (Tensor LD, Tensor pivots, Tensor info)",
    wide_only("ldl_factor_kernel_cpu", _ldl_factor_ex),
    NODE,
    {"self": no_derivative("linalg_ldl_factor_ex")},
    r"[[self]] = P L D L^{\top} P^{\top}",
    where=(),
    outputs=("LD", "pivots", "info"),
    nondiff=(1, 2),
    unchecked=REASON,
)
LDL_SOLVE = Op(
    "_linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor",
    wide_only("ldl_solve_kernel_cpu", _ldl_solve),
    NODE,
    {name: no_derivative("linalg_ldl_solve") for name in ("LD", "B")},
    r"(P L D L^{\top} P^{\top})^{-1} [[B]]",
    where=(),
    unchecked=REASON,
)
