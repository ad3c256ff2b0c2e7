"""The Wishart distribution: sums of squares of normal vectors, as covariances are estimated."""

import math
from typing import Any

from engine.creation import tensor
from engine.distributions import constraints
from engine.distributions.chi2 import Chi2
from engine.distributions.distribution import lazy_property
from engine.distributions.exp_family import ExponentialFamily
from engine.distributions.multivariate_normal import lower_of_precision
from engine.dtypes import finfo
from engine.nn.functional import VF
from engine.warning import warn_caller

_LOG_2 = math.log(2)
_TRIES = 10
"""How often a singular draw is drawn anew."""


def _multivariate_digamma(x: Any, p: int) -> Any:
    steps = VF.arange(p, dtype=x.dtype).div(2).expand((*x.shape, -1))
    return VF.digamma(x.unsqueeze(-1) - steps).sum(-1)


class Wishart(ExponentialFamily):
    """Positive definite matrices with `df` degrees of freedom, and a scale matrix given in one of three forms."""

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0  # type: ignore[assignment]
    df: Any

    @property
    def arg_constraints(self) -> Any:  # type: ignore[override]
        """What the parameters must satisfy."""
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self.event_shape[-1] - 1),
        }

    def __init__(
        self,
        df: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        forms = {
            "covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril,
        }  # fmt: skip
        given = [(name, matrix) for name, matrix in forms.items() if matrix is not None]
        if len(given) != 1:
            raise AssertionError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        ((name, matrix),) = given
        if matrix.dim() < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        if isinstance(df, int | float):
            batch_shape = matrix.shape[:-2]
            self.df = tensor(df, dtype=matrix.dtype)
        else:
            batch_shape = VF.broadcast_shapes(matrix.shape[:-2], df.shape)
            self.df = df.expand(batch_shape)
        n = matrix.shape[-1]
        if bool(self.df.le(n - 1).any()):
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {n - 1}.")
        setattr(self, name, matrix.expand((*batch_shape, -1, -1)))
        if bool(self.df.lt(n).any()):
            warn_caller("Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.")
        super().__init__(batch_shape, matrix.shape[-2:], validate_args=validate_args)
        if name == "covariance_matrix":
            matrix = VF.linalg.cholesky(matrix)
        elif name == "precision_matrix":
            matrix = lower_of_precision(matrix)
        self._unbroadcasted_scale_tril = matrix
        self._chi2 = self._diagonals()

    def _diagonals(self) -> Chi2:
        """What the squares on a draw's diagonal are drawn from."""
        steps = VF.arange(self._event_shape[-1], dtype=self._unbroadcasted_scale_tril.dtype)
        return Chi2(df=self.df.unsqueeze(-1) - steps.expand((*self._batch_shape, -1)))

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape."""
        new = self._with_shape(batch_shape)
        shape = (*new._batch_shape, *self._event_shape)
        for name in ("covariance_matrix", "scale_tril", "precision_matrix", "_unbroadcasted_scale_tril"):
            if name in self.__dict__:
                new.__dict__[name] = self.__dict__[name].expand(shape)
        new.df = self.df.expand(new._batch_shape)
        new._chi2 = new._diagonals()
        return new

    def _of_batch(self, matrix: Any) -> Any:
        return matrix.expand((*self._batch_shape, *self._event_shape))

    @lazy_property
    def scale_tril(self) -> Any:
        """The lower triangular factor of the scale matrix."""
        return self._of_batch(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Any:
        """The scale matrix."""
        lower = self._unbroadcasted_scale_tril
        return self._of_batch(lower @ lower.transpose(-2, -1))

    @lazy_property
    def precision_matrix(self) -> Any:
        """The inverse of the scale matrix."""
        lower = self._unbroadcasted_scale_tril
        identity = VF.eye(self._event_shape[-1], dtype=lower.dtype)
        return self._of_batch(VF.cholesky_solve(identity, lower))

    def _each(self, number: Any) -> Any:
        """One number per distribution, to multiply matrices by."""
        return number.view((*self._batch_shape, 1, 1))

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self._each(self.df) * self.covariance_matrix

    @property
    def mode(self) -> Any:
        """The likeliest value; nan where there is none."""
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        factor[factor <= 0] = math.nan
        return self._each(factor) * self.covariance_matrix

    @property
    def variance(self) -> Any:
        """The expected squared distances from the mean, element by element."""
        scale = self.covariance_matrix
        diagonal = scale.diagonal(dim1=-2, dim2=-1)
        return self._each(self.df) * (scale.pow(2) + VF.einsum("...i,...j->...ij", diagonal, diagonal))

    def _draw(self, sample_shape: Any) -> Any:
        """Bartlett's way: a triangle of normal numbers under roots of chi-squares, multiplied by its transpose."""
        p = self._event_shape[-1]
        roots = self._chi2.rsample(sample_shape).sqrt()
        noise = roots.clamp(min=finfo(roots.dtype).eps).diag_embed(dim1=-2, dim2=-1)
        i, j = VF.tril_indices(p, p, offset=-1)
        below = (*sample_shape, *self._batch_shape, p * (p - 1) // 2)
        noise[..., i, j] = VF.randn(below, dtype=noise.dtype)
        lower = self._unbroadcasted_scale_tril @ noise
        return lower @ lower.transpose(-2, -1)

    def rsample(self, sample_shape: Any = (), max_try_correction: int | None = None) -> Any:
        """Draws through which the parameters receive gradients."""
        drawn = self._draw(tuple(sample_shape))
        singular = self._marked(self.support.check(drawn))  # PyTorch draws the regular ones anew, and says so
        if not bool(singular.any()):
            return drawn
        warn_caller("Singular sample detected.")
        for _ in range(_TRIES if max_try_correction is None else max_try_correction):
            again = self._draw(singular[singular].shape)
            drawn[singular] = again
            singular[singular.clone()] = self._marked(~self.support.check(again))
            if not bool(singular.any()):
                break
        return drawn

    def _marked(self, places: Any) -> Any:
        """Whether a mark stands at any distribution of the batch."""
        return places.amax([-(d + 1) for d in range(len(self._batch_shape))]) if self._batch_shape else places

    def _half_log_det(self) -> Any:
        """Half the logarithm of the determinant of twice the scale matrix."""
        p = self._event_shape[-1]
        return p * _LOG_2 / 2 + self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        nu, p = self.df, self._event_shape[-1]
        normalizer = -nu * self._half_log_det() - VF.mvlgamma(nu / 2, p=p)
        size = (nu - p - 1) / 2 * VF.linalg.slogdet(value).logabsdet
        solved = VF.cholesky_solve(value, self._unbroadcasted_scale_tril)
        return normalizer + size - solved.diagonal(dim1=-2, dim2=-1).sum(dim=-1) / 2

    def entropy(self) -> Any:
        """The entropy, in nats."""
        nu, p = self.df, self._event_shape[-1]
        first = (p + 1) * self._half_log_det() + VF.mvlgamma(nu / 2, p=p)
        return first - (nu - p - 1) / 2 * _multivariate_digamma(nu / 2, p) + nu * p / 2

    @property
    def _natural_params(self) -> Any:
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x: Any, y: Any) -> Any:  # type: ignore[override]
        p = self._event_shape[-1]
        size = -VF.linalg.slogdet(-2 * x).logabsdet + _LOG_2 * p
        return (y + (p + 1) / 2) * size + VF.mvlgamma(y + (p + 1) / 2, p=p)


__all__ = ["Wishart"]
