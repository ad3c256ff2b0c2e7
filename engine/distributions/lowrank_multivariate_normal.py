"""The normal distribution of a vector whose covariance is a few directions and a diagonal."""

import math
from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import Distribution, lazy_property, standard_normal
from engine.distributions.multivariate_normal import mahalanobis, times
from engine.nn.functional import VF


def factor_of_one_and(matrices: Any) -> Any:
    """The lower triangular factors of matrices (…, n, n) with 1 added to their diagonals. Writes into `matrices`."""
    n = matrices.size(-1)
    matrices = matrices.contiguous()
    matrices.view(-1, n * n)[:, :: n + 1] += 1
    return VF.linalg.cholesky(matrices)


class LowRankMultivariateNormal(Distribution):
    """The normal distribution of a mean vector and a covariance W W^T + D: `cov_factor` W (…, n, m), `cov_diag` D."""

    arg_constraints: ClassVar[dict[str, Any]] = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc: Any, cov_factor: Any, cov_diag: Any, validate_args: bool | None = None) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m")
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        columns = loc.unsqueeze(-1), cov_diag.unsqueeze(-1)
        try:
            loc_, self.cov_factor, diag_ = VF.broadcast_tensors(columns[0], cov_factor, columns[1])
        except RuntimeError as e:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag {cov_diag.shape}"
            ) from e
        self.loc, self.cov_diag = loc_[..., 0], diag_[..., 0]
        self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag = cov_factor, cov_diag
        self._capacitance_tril = factor_of_one_and(VF.matmul(self.whitened(), cov_factor))
        super().__init__(self.loc.shape[:-1], event_shape, validate_args=validate_args)

    def whitened(self) -> Any:
        """W^T D^-1"""
        return self._unbroadcasted_cov_factor.mT / self._unbroadcasted_cov_diag.unsqueeze(-2)

    def _of_batch(self, matrix: Any) -> Any:
        return matrix.expand((*self._batch_shape, *self._event_shape, *self._event_shape))

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self.loc

    @property
    def mode(self) -> Any:
        """The likeliest value."""
        return self.loc

    @lazy_property
    def variance(self) -> Any:  # type: ignore[override]
        """The diagonal of the covariance."""
        squares = self._unbroadcasted_cov_factor.pow(2).sum(-1) + self._unbroadcasted_cov_diag
        return squares.expand((*self._batch_shape, *self._event_shape))

    @lazy_property
    def scale_tril(self) -> Any:
        """The lower triangular factor of the covariance, by way of one whose eigenvalues are 1 at least."""
        root = self._unbroadcasted_cov_diag.sqrt().unsqueeze(-1)
        scaled = self._unbroadcasted_cov_factor / root
        return self._of_batch(root * factor_of_one_and(VF.matmul(scaled, scaled.mT)))

    @lazy_property
    def covariance_matrix(self) -> Any:
        """The covariance."""
        factor = self._unbroadcasted_cov_factor
        return self._of_batch(VF.matmul(factor, factor.mT) + VF.diag_embed(self._unbroadcasted_cov_diag))

    @lazy_property
    def precision_matrix(self) -> Any:
        """The inverse of the covariance, by Woodbury's identity."""
        part = VF.linalg.solve_triangular(self._capacitance_tril, self.whitened(), upper=False)
        return self._of_batch(VF.diag_embed(self._unbroadcasted_cov_diag.reciprocal()) - part.mT @ part)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws along the few directions, and for each element by itself."""
        shape = self._extended_shape(sample_shape)
        along = standard_normal((*shape[:-1], *self.cov_factor.shape[-1:]), self.loc.dtype)
        each = standard_normal(shape, self.loc.dtype)
        moved = self.loc + times(self._unbroadcasted_cov_factor, along)
        return moved + self._unbroadcasted_cov_diag.sqrt() * each

    def log_det(self) -> Any:
        """The logarithm of the covariance's determinant."""
        twice = 2 * self._capacitance_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        return twice + self._unbroadcasted_cov_diag.log().sum(-1)

    def distance(self, apart: Any) -> Any:
        """Squared distances of vectors (…, n) from 0, as measured by the covariance."""
        inner = times(self.whitened(), apart)
        plain = (apart.pow(2) / self._unbroadcasted_cov_diag).sum(-1)
        return plain - mahalanobis(self._capacitance_tril, inner)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        distance = self.distance(value - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self.log_det() + distance)

    def entropy(self) -> Any:
        """The entropy, in nats."""
        entropy = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self.log_det())
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy


__all__ = ["LowRankMultivariateNormal"]
