"""The normal distribution of a vector."""

import math
from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import Distribution, lazy_property, standard_normal
from engine.nn.functional import VF


def times(matrices: Any, vectors: Any) -> Any:
    """Products of matrices (…, n, n) and vectors (…, n), whose other dimensions broadcast."""
    return VF.matmul(matrices, vectors.unsqueeze(-1)).squeeze(-1)


def mahalanobis(lower: Any, vectors: Any) -> Any:
    """Squared distances of `vectors` (…, n) from 0, as measured by the covariance `lower` times its transpose.

    `lower` (…, n, n) may have fewer dimensions, and sizes of 1. Every factor is solved once for all its vectors.
    """
    n, shape = vectors.size(-1), vectors.shape[:-1]
    inner = lower.dim() - 2
    outer = len(shape) - inner
    split = [*shape[:outer]]
    for few, many in zip(lower.shape[:-2], shape[outer:], strict=False):
        split += [many // few, few]
    vectors = vectors.reshape((*split, n))
    last = outer + 2 * inner
    vectors = vectors.permute([*range(outer), *range(outer, last, 2), *range(outer + 1, last, 2), last])
    factors = lower.reshape(-1, n, n)
    columns = vectors.reshape(-1, factors.size(0), n).permute(1, 2, 0)
    squares = VF.linalg.solve_triangular(factors, columns, upper=False).pow(2).sum(-2).t()
    squares = squares.reshape(vectors.shape[:-1])
    back = [place for i in range(inner) for place in (outer + i, outer + inner + i)]
    return squares.permute([*range(outer), *back]).reshape(shape)


def lower_of_precision(precision: Any) -> Any:
    """The lower triangular factor of the inverse."""
    flipped = VF.linalg.cholesky(VF.flip(precision, (-2, -1)))
    inverse = VF.transpose(VF.flip(flipped, (-2, -1)), -2, -1)
    return VF.linalg.solve_triangular(inverse, VF.eye(precision.shape[-1], dtype=precision.dtype), upper=False)


class MultivariateNormal(Distribution):
    """The normal distribution of a mean vector, and a covariance, its inverse, or its lower triangular factor."""

    arg_constraints: ClassVar[dict[str, Any]] = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        forms = {
            "covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril,
        }  # fmt: skip
        given = [(name, matrix) for name, matrix in forms.items() if matrix is not None]
        if len(given) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        ((name, matrix),) = given
        if matrix.dim() < 2:
            called = "scale_tril matrix" if name == "scale_tril" else name
            raise ValueError(f"{called} must be at least two-dimensional, with optional leading batch dimensions")
        batch_shape = VF.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand((*batch_shape, -1, -1)))
        self.loc = loc.expand((*batch_shape, -1))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        if name == "covariance_matrix":
            matrix = VF.linalg.cholesky(matrix)
        elif name == "precision_matrix":
            matrix = lower_of_precision(matrix)
        self._unbroadcasted_scale_tril = matrix

    def _of_batch(self, matrix: Any) -> Any:
        return matrix.expand((*self._batch_shape, *self._event_shape, *self._event_shape))

    @lazy_property
    def scale_tril(self) -> Any:
        """The lower triangular factor of the covariance."""
        return self._of_batch(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Any:
        """The covariance."""
        lower = self._unbroadcasted_scale_tril
        return self._of_batch(VF.matmul(lower, lower.mT))

    @lazy_property
    def precision_matrix(self) -> Any:
        """The inverse of the covariance."""
        return self._of_batch(VF.cholesky_inverse(self._unbroadcasted_scale_tril))

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self.loc

    @property
    def mode(self) -> Any:
        """The likeliest value."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The diagonal of the covariance."""
        squares = self._unbroadcasted_scale_tril.pow(2).sum(-1)
        return squares.expand((*self._batch_shape, *self._event_shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Standard normal draws, mixed by the factor and shifted."""
        shape = self._extended_shape(sample_shape)
        eps = standard_normal(shape, self.loc.dtype)
        return self.loc + times(self._unbroadcasted_scale_tril, eps)

    def half_log_det(self) -> Any:
        """Half the logarithm of the covariance's determinant."""
        return self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        distance = mahalanobis(self._unbroadcasted_scale_tril, value - self.loc)
        half = self.half_log_det()
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance) - half

    def entropy(self) -> Any:
        """The entropy, in nats."""
        entropy = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self.half_log_det()
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy


__all__ = ["MultivariateNormal"]
