"""Quantiles: sorted elements, interpolated between neighbours."""

from typing import Any

from engine.composite import composite
from engine.creation import tensor
from engine.modes import no_grad
from engine.ops.checks import wrap_dim
from engine.ops.gather_scatter import GATHER
from engine.ops.sorting import SORT
from engine.ops.views import TRANSPOSE, UNSQUEEZE

_KINDS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(self: Any, q: Any, dim: int | None, keepdim: bool, kind: str, ignore_nan: bool) -> Any:
    if self.dtype.name not in ("float32", "float64"):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if not self.numel():
        raise RuntimeError("quantile() input tensor must be non-empty")
    if q.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if q.dtype is not self.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    if kind not in _KINDS:
        raise RuntimeError(
            f"quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {kind}"
        )
    d = None if dim is None else wrap_dim(dim, self.ndim)
    if not bool(((q >= 0) & (q <= 1)).all()):
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    rows, shape = _sorted_rows(self, d, keepdim)
    with no_grad():
        ranks = _ranks(rows.detach(), q.detach(), ignore_nan)
        ranks = {"lower": ranks.floor, "higher": ranks.ceil, "nearest": ranks.round}.get(kind, ranks.clone)()
        below = ranks.long()
    rows = rows.view(shape)
    values = GATHER(rows, -1, below)
    if kind in ("linear", "midpoint"):
        with no_grad():
            weight = ranks - below if kind == "linear" else ranks * 0 + 0.5
            above = ranks.ceil().long()
        values.lerp_(GATHER(rows, -1, above), weight)
    if q.ndim:
        values.unsqueeze_(0).transpose_(0, -1)
    return values.squeeze_(-1)


def _sorted_rows(self: Any, d: int | None, keepdim: bool) -> tuple[Any, tuple[int, ...]]:
    """The elements sorted along the last dimension, and the shape in which they are looked up."""
    if d is None or not self.ndim:
        flat = SORT(self if self.ndim == 1 else self.reshape((-1,)))[0]
        n = flat.shape[0]
        return flat, (*(1 for _ in range(self.ndim)), n) if keepdim else (n,)
    if keepdim:
        x = TRANSPOSE(UNSQUEEZE(self, -1), d, -1)
    elif d == self.ndim - 1:
        x = self
    else:
        x = TRANSPOSE(UNSQUEEZE(self, -1), d, -1).squeeze(d)
    rows = SORT(x)[0]
    return rows, tuple(rows.shape)


def _ranks(rows: Any, q: Any, ignore_nan: bool) -> Any:
    """Where each quantile lies, counted in elements; at the nan that sorts last where a row has one."""
    nan = rows.isnan()
    if ignore_nan:
        return (q * ((~nan).sum(-1, keepdim=True) - 1)).clamp(min=0)
    last = rows.shape[-1] - 1
    return (q * last + rows.sum(-1, keepdim=True) * 0).nan_to_num(0.0).masked_fill(nan.any(-1, keepdim=True), last)


def _number(q: float, like: Any) -> Any:
    if not 0 <= q <= 1:
        raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
    return tensor(q, dtype=like.dtype)


_OPTIONS = "int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor"


@composite(f"quantile(Tensor self, Tensor q, {_OPTIONS}")
def quantile(self: Any, q: Any, dim: Any = None, keepdim: bool = False, interpolation: str = "linear") -> Any:
    """The value below which a share `q` of the elements lies."""
    return _quantile(self, q, dim, keepdim, interpolation, False)


@composite(f"quantile.scalar(Tensor self, float q, {_OPTIONS}")
def quantile_scalar(self: Any, q: float, dim: Any = None, keepdim: bool = False, interpolation: str = "linear") -> Any:
    """The same for one share."""
    return _quantile(self, _number(q, self), dim, keepdim, interpolation, False)


@composite(f"nanquantile(Tensor self, Tensor q, {_OPTIONS}")
def nanquantile(self: Any, q: Any, dim: Any = None, keepdim: bool = False, interpolation: str = "linear") -> Any:
    """Quantiles of the elements that are not nan."""
    return _quantile(self, q, dim, keepdim, interpolation, True)


@composite(f"nanquantile.scalar(Tensor self, float q, {_OPTIONS}")
def nanquantile_scalar(
    self: Any, q: float, dim: Any = None, keepdim: bool = False, interpolation: str = "linear"
) -> Any:
    """The same for one share."""
    return _quantile(self, _number(q, self), dim, keepdim, interpolation, True)
