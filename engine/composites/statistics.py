"""Variance and its relatives with all their options, means without nan, covariance."""

from typing import Any

from engine import dtypes
from engine.composite import Composite, composite
from engine.op import Op
from engine.ops.linear import MM
from engine.ops.reduction import NANSUM, SUM, SUM_DIM, check_mean
from engine.ops.statistics import STD, STD_MEAN, VAR, VAR_MEAN
from engine.ops.views import SQUEEZE, UNSQUEEZE, T


def _options(op: Op, returns: str, where: tuple[str, ...]) -> list[Composite]:
    """The ways to ask for a variance, in the order in which PyTorch tries them."""
    base = op.signature.base

    @composite(
        f"{base}.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> {returns}", where=where
    )
    def over(self: Any, dim: Any, unbiased: bool = True, keepdim: bool = False) -> Any:
        return op(self, dim, 1 if unbiased else 0, keepdim)

    @composite(
        f"{base}.by_correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False)"
        f" -> {returns}",
        where=where,
    )
    def by_correction(self: Any, dim: Any = None, correction: Any = None, keepdim: bool = False) -> Any:
        return op(self, dim, correction, keepdim)

    @composite(f"{base}(Tensor self, bool unbiased=True) -> {returns}", where=where)
    def of_all(self: Any, unbiased: bool = True) -> Any:
        return op(self, None, 1 if unbiased else 0, False)

    return [over, by_correction, of_all]


_BOTH, _FUNCTION = ("function", "method"), ("function",)
VAR_OVER, VAR_BY, VAR_ALL = _options(VAR, "Tensor", _BOTH)
STD_OVER, STD_BY, STD_ALL = _options(STD, "Tensor", _BOTH)
VAR_MEAN_OVER, VAR_MEAN_BY, VAR_MEAN_ALL = _options(VAR_MEAN, "(Tensor, Tensor)", _FUNCTION)
STD_MEAN_OVER, STD_MEAN_BY, STD_MEAN_ALL = _options(STD_MEAN, "(Tensor, Tensor)", _FUNCTION)


@composite("nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor")
def nanmean(self: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """Mean of the elements that are not nan."""
    if not (self.dtype.is_floating_point or self.dtype.is_complex):
        raise RuntimeError(
            f"nanmean(): expected input to have floating point or complex dtype but got {self.dtype.torch_name}"
        )
    if dtype is not None:
        check_mean("nanmean", self.dtype.numpy, dtype)
    counted = SUM_DIM(self.detach().isnan().logical_not(), dim, keepdim)
    return NANSUM(self, dim, keepdim, dtype=dtype) / counted


@composite("cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor")
def cov(self: Any, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Any:
    """Covariance matrix of variables in rows and observations in columns."""
    if self.ndim > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {self.ndim} dimensions"
        )
    if self.dtype is dtypes.bool_:
        raise RuntimeError("cov(): bool dtype is not supported for input")
    x = self.view((1, -1)) if self.ndim < 2 else self
    weights = None
    if fweights is not None:
        _check_weights("fweights", fweights, x)
        weights = fweights
    if aweights is not None:
        _check_weights("aweights", aweights, x)
        weights = aweights if weights is None else fweights * aweights
    total: Any = float(x.shape[1]) if weights is None else SUM(weights)
    if weights is None:
        mean = SUM_DIM(x, (1,)) / x.shape[1]
    else:
        mean = SUM_DIM(x * weights, (1,)) / total
    if weights is not None and aweights is not None and correction:
        freedom = total - correction * SUM(weights * aweights) / total
    else:
        freedom = total - correction
    centred = x - UNSQUEEZE(mean, 1)
    weighted = centred if weights is None else centred * weights
    freedom = max(freedom, 0.0) if isinstance(freedom, float) else freedom.clamp(min=0)
    return SQUEEZE(MM(centred, T(weighted)) / freedom)


def _check_weights(name: str, w: Any, x: Any) -> None:
    if w.ndim > 1:
        raise RuntimeError(
            f"cov(): expected {name} to have one or fewer dimensions but got {name} with {w.ndim} dimensions"
        )
    if w.numel() != x.shape[1]:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input "
            f"but got {w.numel()} != {x.shape[1]}"
        )


@composite("corrcoef(Tensor self) -> Tensor")
def corrcoef(self: Any) -> Any:
    """Correlation coefficients of variables in rows."""
    if self.ndim > 2:
        raise RuntimeError(
            f"corrcoef(): expected input to have two or fewer dimensions but got an input with {self.ndim} dimensions"
        )
    c = cov(self)
    if not c.ndim:
        return c / c
    d = c.diagonal().sqrt()
    return ((c / d.view((-1, 1))) / d.view((1, -1))).clamp(-1, 1)
