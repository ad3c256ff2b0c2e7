"""Ready-made parametrisations: weight norm, spectral norm, orthogonal matrices."""

from typing import Any

from engine.dtypes import finfo
from engine.modes import no_grad
from engine.nn import functional as F
from engine.nn.functional import VF
from engine.nn.modules.module import Module
from engine.nn.utils.parametrize import register_parametrization
from engine.tensor import TensorBase


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        """The weight of a length and a direction."""
        return VF._weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Any) -> tuple[Any, Any]:
        """Length and direction of a weight."""
        return VF.norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """A weight as a length times a direction."""
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)
    return module


class _SpectralNorm(Module):
    _u: Any
    _v: Any

    def __init__(self, weight: Any, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        ndim = weight.ndim
        if not -ndim <= dim < ndim:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})")
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim, self.eps = dim % ndim, eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._matrix(weight)
            u, v = (matrix.new_empty(n).normal_(0, 1) for n in matrix.size())
            self.register_buffer("_u", F.normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=eps))
            self._power_method(matrix, 15)

    def _matrix(self, weight: Any) -> Any:
        if self.dim != 0:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.flatten(1)

    def _power_method(self, matrix: Any, n: int) -> None:
        """Turn u and v towards the largest singular value's vectors."""
        with no_grad():
            for _ in range(n):
                self._u.copy_(F.normalize(VF.mv(matrix, self._v), dim=0, eps=self.eps))
                self._v.copy_(F.normalize(VF.mv(matrix.t(), self._u), dim=0, eps=self.eps))

    def forward(self, weight: Any) -> Any:
        """The weight divided by its largest singular value."""
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / VF.dot(u, VF.mv(matrix, v))

    def right_inverse(self, value: Any) -> Any:
        """The value: any weight will do."""
        return value


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """A weight with largest singular value 1. Raises ValueError for a name that is not there."""
    weight = getattr(module, name, None)
    if weight is None:
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        dim = 1 if type(module).__name__.startswith("ConvTranspose") else 0
    register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
    return module


def _is_orthogonal(Q: Any) -> bool:
    tolerance = 10.0 * Q.size(-2) * finfo(Q.dtype).eps
    return VF.allclose(Q.mH @ Q, VF.eye(Q.size(-1), dtype=Q.dtype), atol=tolerance)


def _make_orthogonal(A: Any) -> Any:
    """The Q of A = QR for a tall matrix, with R's diagonal not negative."""
    X, tau = VF.geqrf(A)
    Q = VF.linalg.householder_product(X, tau)
    Q *= X.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)
    return Q


class _Orthogonal(Module):
    """An orthogonal matrix of any matrix by one of three maps; with a base, times that fixed orthogonal matrix."""

    base: Any

    def __init__(self, weight: Any, orthogonal_map: str, *, use_trivialization: bool = True) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Any) -> Any:
        """The orthogonal matrix, tall or wide as X is."""
        transposed = X.size(-2) < X.size(-1)
        X = X.mT if transposed else X
        n, k = X.size(-2), X.size(-1)
        if self.orthogonal_map == "householder":
            A = X.tril(diagonal=-1)
            tau = 2.0 / (1.0 + (A * A).sum(dim=-2))
            Q = VF.linalg.householder_product(A, tau)
            Q = Q * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)  # signs, which nothing is to change
        else:
            X = X.tril()
            if n != k:
                X = VF.cat([X, X.new_zeros(n, n - k).expand(*X.shape[:-2], -1, -1)], dim=-1)
            A = X - X.mH
            if self.orthogonal_map == "matrix_exp":
                Q = VF.matrix_exp(A)
            else:
                one = VF.eye(n, dtype=A.dtype)
                Q = VF.linalg.solve(VF.add(one, A, alpha=-0.5), VF.add(one, A, alpha=0.5))
            Q = Q[..., :k] if n != k else Q
        if hasattr(self, "base"):
            Q = self.base @ Q
        return Q.mT if transposed else Q

    def right_inverse(self, Q: Any) -> Any:
        """With a base, that becomes the given matrix, made orthogonal, and the parameters are those of its identity.

        Without, only Householder's map has an inverse; NotImplementedError is raised for the others, and ValueError
        for another shape.
        """
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}."
            )
        with no_grad():
            return self._based(Q) if hasattr(self, "base") else self._reflected(Q)

    def _reflected(self, Q: Any) -> Any:
        if self.orthogonal_map != "householder":
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                "use_trivialization=False."
            )
        transposed = Q.size(-2) < Q.size(-1)
        A, tau = VF.geqrf(Q.mT if transposed else Q)
        A.diagonal(dim1=-2, dim2=-1).sign_()
        A.diagonal(dim1=-2, dim2=-1)[tau == 0.0] *= -1
        return A.mT if transposed else A

    def _based(self, given: Any) -> Any:
        Q = given.mT if given.size(-2) < given.size(-1) else given
        n, k = Q.size(-2), Q.size(-1)
        if n == k:
            self.base = Q.clone() if _is_orthogonal(Q) else _make_orthogonal(Q)
        else:
            self.base = _make_orthogonal(VF.cat([Q, VF.randn(*Q.size()[:-2], n, n - k, dtype=Q.dtype)], dim=-1))
        identity = VF.zeros_like(given)
        identity.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return identity


def orthogonal(
    module: Any, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Any:
    """An orthogonal weight, or a unitary one. Raises ValueError for a weight of fewer than 2 dimensions."""
    weight = getattr(module, name, None)
    if not isinstance(weight, TensorBase):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    if orthogonal_map not in ("matrix_exp", "cayley", "householder"):
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    register_parametrization(module, name, made, unsafe=True)
    return module


__all__ = ["orthogonal", "spectral_norm", "weight_norm"]
