"""Transforms to the matrices that covariances and correlations are made of."""

import math
from typing import Any

from engine.distributions import constraints
from engine.distributions.transforms.transform import Transform
from engine.distributions.triangles import tril_matrix_to_vec, vec_to_tril_matrix
from engine.dtypes import finfo
from engine.nn import functional as F
from engine.nn.functional import VF
from engine.size import Size


class LowerCholeskyTransform(Transform):
    """A square matrix to a lower triangular one with a positive diagonal."""

    domain, codomain = constraints.independent(constraints.real, 2), constraints.lower_cholesky

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LowerCholeskyTransform)

    __hash__ = Transform.__hash__

    def _call(self, x: Any) -> Any:
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y: Any) -> Any:
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(Transform):
    """A square matrix to a positive definite one: the product of the factor above with its transpose."""

    domain, codomain = constraints.independent(constraints.real, 2), constraints.positive_definite

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PositiveDefiniteTransform)

    __hash__ = Transform.__hash__

    def _call(self, x: Any) -> Any:
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y: Any) -> Any:
        return LowerCholeskyTransform().inv(VF.linalg.cholesky(y))


class CorrCholeskyTransform(Transform):
    """A vector of D (D - 1) / 2 numbers to the lower triangular factor of a correlation matrix.

    Each number, by tanh a share between -1 and 1, takes its part of the length 1 that its row has left.
    """

    domain, codomain = constraints.real_vector, constraints.corr_cholesky
    bijective = True

    def _call(self, x: Any) -> Any:
        x = VF.tanh(x)
        eps = finfo(x.dtype).eps
        shares = vec_to_tril_matrix(x.clamp(min=-1 + eps, max=1 - eps), diag=-1)
        left = (1 - shares**2).sqrt().cumprod(-1)
        shares = shares + VF.eye(shares.shape[-1], dtype=shares.dtype)
        return shares * F.pad(left[..., :-1], [1, 0], value=1)

    def _inverse(self, y: Any) -> Any:
        left = 1 - VF.cumsum(y * y, dim=-1)
        before = F.pad(left[..., :-1], [1, 0], value=1)
        shares = tril_matrix_to_vec(y, diag=-1) / tril_matrix_to_vec(before, diag=-1).sqrt()
        return (shares.log1p() - shares.neg().log1p()) / 2

    def log_abs_det_jacobian(self, x: Any, y: Any, intermediates: Any = None) -> Any:
        """log |dy/dx|, of the numbers below the diagonal of y."""
        left = 1 - (y * y).cumsum(dim=-1)
        of_lengths = 0.5 * tril_matrix_to_vec(left, diag=-2).log().sum(-1)
        of_tanh = -2 * (x + F.softplus(-2 * x) - math.log(2.0)).sum(dim=-1)
        return of_lengths + of_tanh

    def forward_shape(self, shape: Any) -> Any:
        """(..., D, D) for (..., D (D - 1) / 2)."""
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        count = shape[-1]
        size = round((0.25 + 2 * count) ** 0.5 + 0.5)
        if size * (size - 1) // 2 != count:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return Size((*shape[:-1], size, size))

    def inverse_shape(self, shape: Any) -> Any:
        """(..., D (D - 1) / 2) for (..., D, D)."""
        if len(shape) < 2:
            raise ValueError("Too few dimensions on input")
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return Size((*shape[:-2], shape[-1] * (shape[-1] - 1) // 2))
