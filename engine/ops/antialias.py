"""Images made smaller without aliasing: every new pixel is a weighed mean of all the old ones that it covers."""

from collections.abc import Callable

import numpy as np

from engine.ops.resample import scale_of
from engine.ops.upsample import smooth_ops

_A = -0.5
_KERNEL = "compute_index_ranges_weights"


def _triangle(x: np.ndarray) -> np.ndarray:
    return np.maximum(1 - np.abs(x), 0)


def _cubic(x: np.ndarray) -> np.ndarray:
    x = np.abs(x)
    near = ((_A + 2) * x - (_A + 3)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * _A
    return np.where(x < 1, near, np.where(x < 2, far, 0))


def _lanczos(x: np.ndarray) -> np.ndarray:
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


def _filter_matrix(filter: Callable[[np.ndarray], np.ndarray], reach: int) -> Callable[..., np.ndarray]:
    """The matrix of a filter that reaches `reach` new pixels to each side, or as many old ones where these are larger.

    Reference: ATen/native/cpu/UpSampleKernel.cpp, _compute_indices_min_size_weights_aa.
    """

    def matrix(old: int, new: int, align_corners: bool, scale: float | None, dtype: np.dtype) -> np.ndarray:
        step = scale_of(old, new, align_corners, scale)
        wide = max(step, 1.0)
        centre = step * (np.arange(new)[:, None] + 0.5)
        first = np.maximum((centre - reach * wide + 0.5).astype(int), 0)
        end = np.minimum((centre + reach * wide + 0.5).astype(int), old)
        at = np.arange(old)
        weights = np.where((at >= first) & (at < end), filter((at + 0.5 - centre) / wide), 0)
        total = weights.sum(1, keepdims=True)
        return (weights / np.where(total == 0, 1, total)).astype(dtype)

    return matrix


BILINEAR2D_AA, BILINEAR2D_AA_BACKWARD = smooth_ops(
    "_upsample_bilinear2d_aa", "UpsampleBilinear2DAa", 2, _filter_matrix(_triangle, 1), _KERNEL, True
)
BICUBIC2D_AA, BICUBIC2D_AA_BACKWARD = smooth_ops(
    "_upsample_bicubic2d_aa", "UpsampleBicubic2DAa", 2, _filter_matrix(_cubic, 2), _KERNEL, True
)
LANCZOS2D_AA, LANCZOS2D_AA_BACKWARD = smooth_ops(
    "_upsample_lanczos2d_aa", "UpsampleLanczos2DAa", 2, _filter_matrix(_lanczos, 3), _KERNEL, True
)
