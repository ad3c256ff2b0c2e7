"""torch.fft: transforms of one dimension, of two and of many, their frequencies, and the shift that centres them."""

from typing import Any

import numpy as np

from engine import dtypes
from engine.composite import composite
from engine.composites.factories import TAIL, checked_size, finish, wanted
from engine.ops.checks import wrap_real_dim
from engine.ops.complex import CONJ
from engine.ops.copy import TO_COPY
from engine.ops.fft import FFT_C2C, FFT_C2R, FFT_R2C
from engine.ops.join import ROLL
from engine.ops.pad import CONSTANT_PAD
from engine.ops.slicing import SLICE

_FFT = ("fft",)
_ONE = "SymInt? n=None, int dim=-1, str? norm=None) -> Tensor"
_TWO = "SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor"
_MANY = "SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"


def _normalization(norm: str | None, forward: bool) -> int:
    """ATen's number of a mode. Raises RuntimeError for another word."""
    if norm == "ortho":
        return 1
    if norm not in (None, "forward", "backward"):
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    return 2 if (norm == "forward") == forward else 0


def _check_points(n: int) -> None:
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")


def _promoted(self: Any, to_complex: bool = False) -> Any:
    """The tensor in a dtype that can be transformed. Raises RuntimeError for float16."""
    kind = self.dtype
    if not (kind.is_floating_point or kind.is_complex):
        kind = dtypes.get_default_dtype()
    if kind.itemsize == 2:
        raise RuntimeError(f"Unsupported dtype {kind.torch_name}")
    kind = kind.to_complex() if to_complex else kind
    return self if kind is self.dtype else TO_COPY(self, dtype=kind)


def _resized(self: Any, sizes: dict[int, int]) -> Any:
    """Cut, or filled up with zeros, to sizes by dimension. Raises RuntimeError for a size below 1."""
    for n in sizes.values():
        _check_points(n)
    more = {d: n - self.shape[d] for d, n in sizes.items()}
    for d, n in sizes.items():
        if more[d] < 0:
            self = SLICE(self, d, 0, n)
    if any(m > 0 for m in more.values()):
        self = CONSTANT_PAD(self, tuple(x for d in reversed(range(self.ndim)) for x in (0, max(more.get(d, 0), 0))), 0)
    return self


def _from_real(self: Any, n: int | None, dim: int, norm: str | None, forward: bool, onesided: bool) -> Any:
    d = wrap_real_dim(dim, self.ndim)
    x = _resized(_promoted(self), {d: self.shape[d] if n is None else n})
    out = FFT_R2C(x, (d,), _normalization(norm, forward), onesided)
    return out if forward else CONJ(out)


def _to_real(self: Any, n: int | None, dim: int, norm: str | None, forward: bool) -> Any:
    d = wrap_real_dim(dim, self.ndim)
    count = 2 * (self.shape[d] - 1) if n is None else n
    _check_points(count)
    x = _resized(_promoted(self, to_complex=True), {d: count // 2 + 1})
    return FFT_C2R(CONJ(x) if forward else x, (d,), _normalization(norm, forward), count)


def _along_one(self: Any, n: int | None, dim: int, norm: str | None, forward: bool) -> Any:
    if not self.dtype.is_complex:
        return _from_real(self, n, dim, norm, forward, False)
    d = wrap_real_dim(dim, self.ndim)
    x = _resized(_promoted(self), {d: self.shape[d] if n is None else n})
    return FFT_C2C(x, (d,), _normalization(norm, forward), forward)


def _refuse_complex(self: Any, name: str, wanted: str = "real input") -> None:
    if self.dtype.is_complex:
        raise RuntimeError(f"{name} expects a {wanted} tensor, but got {self.dtype.torch_name}")


@composite(f"fft_fft(Tensor self, {_ONE}", where=_FFT)
def fft(self: Any, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The transform along a dimension."""
    return _along_one(self, n, dim, norm, True)


@composite(f"fft_ifft(Tensor self, {_ONE}", where=_FFT)
def ifft(self: Any, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The transform back."""
    return _along_one(self, n, dim, norm, False)


@composite(f"fft_rfft(Tensor self, {_ONE}", where=_FFT)
def rfft(self: Any, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The transform of real numbers, whose other half follows."""
    _refuse_complex(self, "rfft")
    return _from_real(self, n, dim, norm, True, True)


@composite(f"fft_irfft(Tensor self, {_ONE}", where=_FFT)
def irfft(self: Any, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The transform back to real numbers."""
    return _to_real(self, n, dim, norm, False)


@composite(f"fft_hfft(Tensor self, {_ONE}", where=_FFT)
def hfft(self: Any, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The transform of half a Hermitian signal: real."""
    return _to_real(self, n, dim, norm, True)


@composite(f"fft_ihfft(Tensor self, {_ONE}", where=_FFT)
def ihfft(self: Any, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The way back from `hfft`."""
    _refuse_complex(self, "ihfft")
    return _from_real(self, n, dim, norm, False, True)


def _sizes_by_dim(self: Any, s: Any, dim: Any) -> dict[int, int]:
    """Sizes by dimension, from whichever of them are given. Raises RuntimeError when they do not go together."""
    if dim is not None:
        dims = [wrap_real_dim(d, self.ndim) for d in dim]
        if len(set(dims)) < len(dims):
            raise RuntimeError("FFT dims must be unique")
        if s is not None and len(s) != len(dims):
            raise RuntimeError("When given, dim and shape arguments must have the same length")
    elif s is not None:
        if len(s) > self.ndim:
            raise RuntimeError(f"Got shape with {len(s)} values but input tensor only has {self.ndim} dimensions.")
        dims = list(range(self.ndim - len(s), self.ndim))
    else:
        dims = list(range(self.ndim))
    given = [-1] * len(dims) if s is None else s
    return {d: self.shape[d] if n == -1 else n for d, n in zip(dims, given, strict=True)}


def _along_many(self: Any, s: Any, dim: Any, norm: str | None, forward: bool) -> Any:
    sizes = _sizes_by_dim(self, s, dim)
    x = _resized(_promoted(self, to_complex=True), sizes)
    return FFT_C2C(x, tuple(sizes), _normalization(norm, forward), forward)


def _many_from_real(self: Any, s: Any, dim: Any, norm: str | None) -> Any:
    _refuse_complex(self, "rfftn", "real-valued input")
    sizes = _sizes_by_dim(self, s, dim)
    if not sizes:
        raise RuntimeError("rfftn must transform at least one axis")
    return FFT_R2C(_resized(_promoted(self), sizes), tuple(sizes), _normalization(norm, True), True)


def _many_to_real(self: Any, s: Any, dim: Any, norm: str | None) -> Any:
    sizes = _sizes_by_dim(self, s, dim)
    if not sizes:
        raise RuntimeError("irfftn must transform at least one axis")
    last = list(sizes)[-1]
    count = 2 * (self.shape[last] - 1) if s is None or s[-1] == -1 else s[-1]
    _check_points(count)
    x = _resized(_promoted(self, to_complex=True), {**sizes, last: count // 2 + 1})
    return FFT_C2R(x, tuple(sizes), _normalization(norm, False), count)


def _many_hermitian(self: Any, s: Any, dim: Any, norm: str | None) -> Any:
    sizes = _sizes_by_dim(self, s, dim)
    if not sizes:
        raise RuntimeError("hfftn must transform at least one axis")
    *others, last = sizes
    count = 2 * (self.shape[last] - 1) if s is None or s[-1] == -1 else s[-1]
    _check_points(count)
    x = _resized(_promoted(self, to_complex=True), {**sizes, last: count // 2 + 1})
    mode = _normalization(norm, True)
    if others:
        x = FFT_C2C(x, tuple(others), mode, True)
    return FFT_C2R(CONJ(x), (last,), mode, count)


def _many_to_hermitian(self: Any, s: Any, dim: Any, norm: str | None) -> Any:
    if self.dtype.is_complex:
        raise RuntimeError(f"Only supports floating-point dtypes, but found: {self.dtype.torch_name}")
    sizes = _sizes_by_dim(self, s, dim)
    if not sizes:
        raise RuntimeError("ihfftn must transform at least one axis")
    *others, last = sizes
    mode = _normalization(norm, False)
    half = CONJ(FFT_R2C(_resized(_promoted(self), sizes), (last,), mode, True))
    return FFT_C2C(half, tuple(others), mode, False) if others else half


@composite(f"fft_fftn(Tensor self, {_MANY}", where=_FFT)
def fftn(self: Any, s: Any = None, dim: Any = None, norm: str | None = None) -> Any:
    """The transform along several dimensions."""
    return _along_many(self, s, dim, norm, True)


@composite(f"fft_ifftn(Tensor self, {_MANY}", where=_FFT)
def ifftn(self: Any, s: Any = None, dim: Any = None, norm: str | None = None) -> Any:
    """The transform back along several dimensions."""
    return _along_many(self, s, dim, norm, False)


@composite(f"fft_rfftn(Tensor self, {_MANY}", where=_FFT)
def rfftn(self: Any, s: Any = None, dim: Any = None, norm: str | None = None) -> Any:
    """The transform of real numbers along several dimensions."""
    return _many_from_real(self, s, dim, norm)


@composite(f"fft_irfftn(Tensor self, {_MANY}", where=_FFT)
def irfftn(self: Any, s: Any = None, dim: Any = None, norm: str | None = None) -> Any:
    """The transform back to real numbers along several dimensions."""
    return _many_to_real(self, s, dim, norm)


@composite(f"fft_fft2(Tensor self, {_TWO}", where=_FFT)
def fft2(self: Any, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Any:
    """The transform of images."""
    return _along_many(self, s, dim, norm, True)


@composite(f"fft_ifft2(Tensor self, {_TWO}", where=_FFT)
def ifft2(self: Any, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Any:
    """The transform back to images."""
    return _along_many(self, s, dim, norm, False)


@composite(f"fft_rfft2(Tensor self, {_TWO}", where=_FFT)
def rfft2(self: Any, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Any:
    """The transform of real images."""
    return _many_from_real(self, s, dim, norm)


@composite(f"fft_irfft2(Tensor self, {_TWO}", where=_FFT)
def irfft2(self: Any, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Any:
    """The transform back to real images."""
    return _many_to_real(self, s, dim, norm)


@composite(f"fft_hfftn(Tensor self, {_MANY}", where=_FFT)
def hfftn(self: Any, s: Any = None, dim: Any = None, norm: str | None = None) -> Any:
    """The transform of half a Hermitian signal along several dimensions: real."""
    return _many_hermitian(self, s, dim, norm)


@composite(f"fft_ihfftn(Tensor self, {_MANY}", where=_FFT)
def ihfftn(self: Any, s: Any = None, dim: Any = None, norm: str | None = None) -> Any:
    """The way back from `hfftn`."""
    return _many_to_hermitian(self, s, dim, norm)


@composite(f"fft_hfft2(Tensor self, {_TWO}", where=_FFT)
def hfft2(self: Any, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Any:
    """The transform of half a Hermitian image: real."""
    return _many_hermitian(self, s, dim, norm)


@composite(f"fft_ihfft2(Tensor self, {_TWO}", where=_FFT)
def ihfft2(self: Any, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Any:
    """The way back from `hfft2`."""
    return _many_to_hermitian(self, s, dim, norm)


def _shifted(self: Any, dim: Any, round_up: bool) -> Any:
    dims = tuple(range(self.ndim)) if dim is None else tuple(wrap_real_dim(d, self.ndim) for d in dim)
    return ROLL(self, tuple((self.shape[d] + round_up) // 2 for d in dims), dims)


@composite("fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor", where=_FFT)
def fftshift(self: Any, dim: Any = None) -> Any:
    """Frequency zero in the middle."""
    return _shifted(self, dim, False)


@composite("fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor", where=_FFT)
def ifftshift(self: Any, dim: Any = None) -> Any:
    """Frequency zero in front again."""
    return _shifted(self, dim, True)


def _frequencies(name: str, n: int, d: float, numbers: Any, dtype: Any, device: Any, requires_grad: Any) -> Any:
    if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(f"{name} requires a floating point or complex dtype")
    kind = wanted(dtype)
    return finish(
        numbers.astype(kind) * kind.type(1 / (n * d) if n * d else np.nan), f"fft_{name}", device, requires_grad
    )


@composite(f"fft_fftfreq(int n, float d=1.0, {TAIL}) -> Tensor", where=_FFT)
def fftfreq(
    n: int, d: float, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Any:
    """The frequencies that a transform of n points has."""
    checked_size("fftfreq", (n,))
    numbers = np.concatenate([np.arange((n + 1) // 2), np.arange(-(n // 2), 0)])
    return _frequencies("fftfreq", n, d, numbers, dtype, device, requires_grad)


@composite(f"fft_rfftfreq(int n, float d=1.0, {TAIL}) -> Tensor", where=_FFT)
def rfftfreq(
    n: int, d: float, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Any:
    """The frequencies that `rfft` of n points has."""
    checked_size("rfftfreq", (n // 2 + 1,))
    return _frequencies("rfftfreq", n, d, np.arange(n // 2 + 1), dtype, device, requires_grad)
