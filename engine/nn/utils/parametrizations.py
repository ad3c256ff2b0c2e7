"""Ready-made parametrisations: weight norm, spectral norm, orthogonal matrices."""

from typing import Any

import numpy as np

from engine.modes import no_grad
from engine.nn import functional as F
from engine.nn.functional import VF
from engine.nn.modules.module import Module
from engine.nn.utils.parametrize import register_parametrization


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


class _Orthogonal(Module):
    """The matrix exponential of a skew-symmetric matrix, times a fixed orthogonal one."""

    base: Any

    def __init__(self, weight: Any) -> None:
        super().__init__()
        tall = weight if weight.size(-2) >= weight.size(-1) else weight.t()
        q, r = np.linalg.qr(tall.detach()._array(), mode="complete")
        signs = np.sign(np.diag(r))
        q[:, : signs.size] *= signs
        self.register_buffer("base", weight.new_tensor(q))

    def forward(self, X: Any) -> Any:
        """The orthogonal matrix of the parameters below the diagonal."""
        transposed = X.size(-2) < X.size(-1)
        if transposed:
            X = X.t()
        n, k = X.size(-2), X.size(-1)
        lower = X.tril()
        if n != k:
            lower = VF.cat([lower, X.new_zeros(n, n - k)], -1)
        q = VF.matmul(self.base, VF.matrix_exp(lower - lower.t()))
        q = q[:, :k] if n != k else q
        return q.t() if transposed else q

    def right_inverse(self, Q: Any) -> Any:
        """Zeros: the fixed matrix is the given one."""
        return VF.zeros_like(Q)


def orthogonal(
    module: Any, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Any:
    """An orthogonal weight. Raises ValueError for a weight of fewer than 2 dimensions."""
    weight = getattr(module, name, None)
    if weight is None:
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map not in (None, "matrix_exp"):
        raise ValueError(f"the playground has only the map matrix_exp, not {orthogonal_map}")
    register_parametrization(module, name, _Orthogonal(weight), unsafe=True)
    return module


__all__ = ["orthogonal", "spectral_norm", "weight_norm"]
