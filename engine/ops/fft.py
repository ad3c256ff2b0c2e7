"""Discrete Fourier transforms: real to complex, back, and complex to complex, over any dimensions.

Normalisation is ATen's number: 0 none, 1 by the root of the count of elements, 2 by the count.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.complex import REAL
from engine.ops.join import CAT
from engine.ops.slicing import SLICE, SLICE_BACKWARD

Ints = Sequence[int]
_UNCHECKED = "complex numbers are on one side; the check is of real numbers on both"


def _check_elements(x: np.ndarray) -> None:
    """Raise RuntimeError for a batch of no signals; a signal without elements is refused before."""
    if not x.size:
        raise RuntimeError("MKL FFT error: Intel oneMKL DFTI ERROR: Inconsistent configuration parameters")


def _scaled(out: Any, count: int, normalization: int) -> np.ndarray:
    return out if normalization == 0 else out * out.real.dtype.type(count ** (-0.5 * normalization))


def _real_to_complex(self: np.ndarray, dim: Ints, normalization: int, onesided: bool) -> np.ndarray:
    _check_elements(self)
    transform = np.fft.rfftn if onesided else np.fft.fftn
    out = transform(self, axes=tuple(dim)).astype(np.result_type(self.dtype, np.complex64))
    return _scaled(out, prod(self.shape[d] for d in dim), normalization)


def _complex_to_real(self: Any, dim: Ints, normalization: int, last_dim_size: int) -> np.ndarray:
    _check_elements(self)
    sizes = [*(self.shape[d] for d in dim[:-1]), last_dim_size]
    out = np.fft.irfftn(self, sizes, tuple(dim), norm="forward").astype(self.real.dtype)
    return _scaled(out, prod(sizes), normalization)


def _complex_to_complex(self: np.ndarray, dim: Ints, normalization: int, forward: bool) -> np.ndarray:
    if not dim:
        return self.copy()
    _check_elements(self)
    out = np.fft.fftn(self, axes=tuple(dim)) if forward else np.fft.ifftn(self, axes=tuple(dim), norm="forward")
    return _scaled(out.astype(self.dtype), prod(self.shape[d] for d in dim), normalization)


def _r2c_backward(grad: Any, dim: Ints, normalization: int, onesided: bool, self_sym_sizes: Ints) -> Any:
    if onesided:
        sizes = list(grad.shape)
        half, sizes[dim[-1]] = sizes[dim[-1]], self_sym_sizes[dim[-1]]
        grad = SLICE_BACKWARD(grad, tuple(sizes), dim[-1], 0, half, 1)
    return REAL(FFT_C2C(grad, dim, normalization, False))


def _c2r_backward(grad: Any, dim: Ints, normalization: int) -> Any:
    """The transform back; what stands for two conjugate elements counts twice."""
    last = dim[-1]
    half = FFT_R2C(grad, dim, normalization, True)
    length = half.shape[last]
    twice = grad.shape[last] - length
    if twice <= 0:
        return half
    middle = SLICE(half, last, 1, 1 + twice)
    parts = [SLICE(half, last, 0, 1), middle + middle, SLICE(half, last, 1 + twice, length)]
    return CAT([p for p in parts if p.shape[last]], last)


FFT_R2C = Op(
    "_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor",
    _real_to_complex,
    "FftR2CBackward0",
    {"self": Grad(_r2c_backward, r"\Re\, \mathcal{F}^{*} [[grad]]")},
    r"\mathcal{F}([[self]])",
    where=(),
    unchecked=_UNCHECKED,
)
FFT_C2R = Op(
    "_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor",
    _complex_to_real,
    "FftC2RBackward0",
    {"self": Grad(_c2r_backward, r"\mathcal{F}([[grad]])")},
    r"\mathcal{F}^{*}([[self]])",
    where=(),
    unchecked=_UNCHECKED,
)
FFT_C2C = Op(
    "_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor",
    _complex_to_complex,
    "FftC2CBackward0",
    {
        "self": Grad(
            lambda grad, dim, normalization, forward: FFT_C2C(grad, dim, normalization, not forward),
            r"\mathcal{F}^{*}([[grad]])",
        )
    },
    r"\mathcal{F}([[self]])",
    where=(),
    unchecked=_UNCHECKED,
)
