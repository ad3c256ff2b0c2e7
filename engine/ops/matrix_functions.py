"""Matrix exponential, pseudo-inverse, least squares and the cross product."""

from typing import Any

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.batched import adjoint, is_array, matmul, transposed
from engine.ops.checks import wrap_real_dim
from engine.ops.copy import NEW_ZEROS
from engine.ops.factors import singular_values
from engine.ops.kinds import check_kind, torch_name
from engine.ops.reducers import add_up
from engine.ops.slicing import SLICE
from engine.ops.triangular import identity, swapped

_TERMS = 18  # of the Taylor series after scaling to norm 1/2: below one part in 10^20


def _exponential(self: np.ndarray) -> np.ndarray:
    """Taylor series of the matrix scaled down, then squared as often."""
    if self.ndim < 2:
        raise RuntimeError("linalg.matrix_exp: The input tensor A must have at least 2 dimensions.")
    m, n = self.shape[-2:]
    if m != n:
        raise RuntimeError(f"linalg.matrix_exp: A must be batches of square matrices, but they are {m} by {n} matrices")
    if self.dtype.kind not in "fcV":
        kind = torch_name(self)
        raise RuntimeError(f"linalg.matrix_exp: Expected a floating point or complex tensor as input. Got {kind}")
    if not self.size:
        return self.copy()
    work = self.astype(np.float64) if self.dtype.kind == "f" else self.astype(np.complex128)
    size = np.abs(work).sum(-2).max()
    squarings = max(0, int(np.ceil(np.log2(size * 2)))) if size and np.isfinite(size) else 0
    x = work / 2.0**squarings
    term = total = np.broadcast_to(identity(n, n, work), work.shape)
    for k in range(1, _TERMS + 1):
        term = np.matmul(term, x) / k
        total = total + term
    for _ in range(squarings):
        total = np.matmul(total, total)
    return total.astype(self.dtype)


def _exponential_backward(grad: Any, self: Any) -> Any:
    """The upper right block of the exponential of [[A^T, G], [0, A^T]]."""
    n = self.shape[-1]
    back = transposed(self)
    whole = NEW_ZEROS(self, (*self.shape[:-2], 2 * n, 2 * n))
    for row, column, block in ((0, 0, back), (n, n, back), (0, n, grad)):
        place = SLICE(SLICE(whole, -2, row, row + n), -1, column, column + n)
        if is_array(place):
            place[...] = block
        else:
            place.copy_(block)
    return SLICE(SLICE(MATRIX_EXP(whole), -2, 0, n), -1, n, 2 * n)


MATRIX_EXP = Op(
    "linalg_matrix_exp(Tensor self) -> Tensor",
    _exponential,
    "LinalgMatrixExpBackward0",
    {"self": Grad(_exponential_backward, r"\textstyle\int_0^1 e^{s A^{\top}} [[grad]]\, e^{(1-s) A^{\top}} ds")},
    r"e^{[[self]]}",
    where=("linalg",),
    samples=lambda rng: [{"self": rng.normal(size=(3, 3))}, {"self": 3 * rng.normal(size=(2, 2, 2))}],
)


def pseudo_inverse(a: Any, atol: Any, rtol: Any, hermitian: bool = False) -> Any:
    """Through the singular values; those below max(atol, rtol * largest) count as zero."""
    u, s, vh = singular_values(a)
    top = s[..., :1] if s.shape[-1] else s
    if rtol is None:
        rtol = 0.0 if atol is not None else max(a.shape[-2:]) * float(np.finfo(a.dtype).eps)
    floor = np.maximum(0.0 if atol is None else np.asarray(atol)[..., None], np.asarray(rtol)[..., None] * top)
    inverse = np.where(s > floor, 1 / np.where(s > floor, s, 1), 0).astype(a.dtype)
    return np.matmul(swapped(vh).conj() * inverse[..., None, :], swapped(u).conj())


def pinv_backward(grad: Any, pinv: Any, A: Any) -> Any:
    """Gradient of the pseudo-inverse, ordered so that the small products come first."""
    pinv_t, grad_t = adjoint(pinv), adjoint(grad)
    if A.shape[-2] <= A.shape[-1]:
        k = matmul(grad_t, pinv)
        k_p = matmul(k, pinv_t)
        first = -adjoint(matmul(pinv, k)) + k_p - matmul(matmul(A, pinv), k_p)
        return first + matmul(matmul(pinv_t, pinv), grad_t - matmul(k, A))
    k = matmul(pinv, grad_t)
    p_k = matmul(pinv_t, k)
    first = -adjoint(matmul(k, pinv)) + matmul(matmul(grad_t - matmul(A, k), pinv), pinv_t)
    return first + p_k - matmul(matmul(p_k, pinv), A)


PINV = Op(
    "linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False)"
    " -> Tensor",
    lambda self, atol=None, rtol=None, hermitian=False: pseudo_inverse(self, atol, rtol, hermitian),
    "LinalgPinvBackward0",
    {"self": Grad(lambda grad, self, result: pinv_backward(grad, result, self), r"\partial\, [[self]]^{+}")},
    r"[[self]]^{+}",
    where=(),
    samples=lambda rng: [{"self": rng.normal(size=s)} for s in ((3, 3), (4, 2), (2, 2, 3))],
)


def _lstsq(self: Any, b: Any, rcond: float | None = None, driver: str | None = None) -> tuple[Any, Any, Any, Any]:
    if self.ndim < 2:
        raise RuntimeError("torch.linalg.lstsq: input must have at least 2 dimensions.")
    if self.dtype != b.dtype:
        kinds = [from_numpy(x.dtype).torch_name for x in (self, b)]
        raise RuntimeError(
            "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype "
            f"{kinds[0]} and other's dtype {kinds[1]}"
        )
    if self.dtype.kind not in "fc":
        raise RuntimeError("This function doesn't handle types other than float and double")
    vector = b.ndim == self.ndim - 1 and self.shape[:-1] == b.shape
    right = b[..., None] if vector else b
    if self.shape[-2] != right.shape[-2]:
        raise RuntimeError("torch.linalg.lstsq: input.size(-2) should match other.size(-2)")
    s = singular_values(self, compute_uv=False)
    cut = rcond if rcond is not None else float(np.finfo(self.dtype).eps) * max(self.shape[-2:])
    rank = (s > cut * s[..., :1]).sum(-1) if s.shape[-1] else np.zeros(self.shape[:-2], np.int64)
    x = np.matmul(pseudo_inverse(self, None, cut), right)
    none = np.empty(0, self.dtype)
    m, n = self.shape[-2:]
    residuals = none
    if m > n and driver not in (None, "gelsy") and np.all(rank == n):
        off = np.matmul(self, x) - right
        residuals = add_up(off * off, -2)
    values = s if driver in ("gelsd", "gelss") else none
    known = np.asarray(rank, np.int64)[()] if driver != "gels" else np.empty(0, np.int64)
    return x[..., 0] if vector else x, residuals, known, values


def _lstsq_backward(grads: Any, self: Any, b: Any, solution: Any, mask: Any) -> tuple[Any, Any]:
    g, of_residuals = grads[0], grads[1]
    pinv = PINV(self)
    of_a = of_b = None
    if g is not None:
        if mask[0]:
            of_a = pinv_backward(matmul(g, adjoint(b)), pinv, self)
        if mask[1]:
            of_b = matmul(adjoint(pinv), g)
    if of_residuals is not None and 0 not in of_residuals.shape:
        off = (matmul(self, solution) - b) * 2 * of_residuals.reshape((*of_residuals.shape[:-1], 1, -1))
        if mask[0]:
            part = matmul(off, adjoint(solution))
            of_a = part if of_a is None else of_a + part
        if mask[1]:
            of_b = -off if of_b is None else of_b - off
    return of_a, of_b


LSTSQ = Op(
    "linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None)"
    " -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)",
    _lstsq,
    "LinalgLstsqBackward0",
    {
        "self, b": Grad(
            _lstsq_backward,
            {
                "self": r"\nabla_{[[self]]} \langle [[grad]]\, [[b]]^{\top}, [[self]]^{+} \rangle",
                "b": r"[[self]]^{+\top} [[grad]]",
            },
        )
    },
    r"\arg\min_x \left\Vert [[self]] x - [[b]] \right\Vert",
    where=("linalg",),
    outputs=("solution", "residuals", "rank", "singular_values"),
    names=("solution", "residuals", "rank", "singular_values"),
    nondiff=(2, 3),
    samples=lambda rng: [
        {"self": rng.normal(size=(3, 2)), "b": rng.normal(size=(3, 2)), "driver": "gelsd"},
        {"self": rng.normal(size=(2, 3)), "b": rng.normal(size=(2, 1))},
    ],
)


def _cross(self: Any, other: Any, dim: int = -1) -> Any:
    if self.ndim != other.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    wrap_real_dim(dim, self.ndim)
    if self.shape[dim] != 3 or other.shape[dim] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {self.shape[dim]} and {other.shape[dim]}"
        )
    check_kind("cross", self, "fiucV")
    if self.dtype != other.dtype:
        raise RuntimeError(f"expected scalar type {torch_name(self)} but found {torch_name(other)}")
    return np.cross(self, other, axis=dim)


CROSS = Op(
    "linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor",
    _cross,
    "LinalgCrossBackward0",
    {
        "self": Grad(lambda grad, other, dim: CROSS(other, grad, dim=dim), r"[[other]] \times [[grad]]"),
        "other": Grad(lambda grad, self, dim: CROSS(grad, self, dim=dim), r"[[grad]] \times [[self]]"),
    },
    r"[[self]] \times [[other]]",
    where=("linalg",),
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3)), "other": rng.normal(size=(2, 3))},
        {"self": rng.normal(size=(3, 2)), "other": rng.normal(size=(3, 1)), "dim": 0},
    ],
)
