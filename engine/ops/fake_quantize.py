"""Numbers rounded to those that a few integers stand for, and the gradient that passes where none was cut off."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.kinds import check_kind

_ROUNDED = r"s \left(\operatorname{clamp}\left(\operatorname{round}([[self]] / s) + z\right) - z\right)"
_LOOKS_SMOOTH = "its gradient is that of what it rounds, not of the steps"


def _rounded(
    self: np.ndarray, scale: np.ndarray | np.floating[Any], zero_point: np.ndarray, quant_min: int, quant_max: int
) -> tuple[np.ndarray, np.ndarray]:
    """What the integers stand for, and where none was cut off. NaN becomes the lowest."""
    at = np.rint(self * (np.float32(1) / scale)) + zero_point
    kept = np.fmin(np.fmax(at, quant_min), quant_max)
    return ((kept - zero_point) * scale).astype(self.dtype), (at >= quant_min) & (at <= quant_max)


def _check_range(quant_min: int, quant_max: int) -> None:
    if quant_min > quant_max:
        raise RuntimeError("`quant_min` should be less than or         equal to `quant_max`.")


def _check_zero_point(lowest: float, highest: float, quant_min: int, quant_max: int) -> None:
    if lowest < quant_min or highest > quant_max:
        raise RuntimeError("`zero_point` must be between `quant_min` and `quant_max`.")


def _per_tensor(
    self: np.ndarray, scale: float, zero_point: int, quant_min: int, quant_max: int
) -> tuple[np.ndarray, np.ndarray]:
    _check_range(quant_min, quant_max)
    _check_zero_point(zero_point, zero_point, quant_min, quant_max)
    check_kind("fake_quantize_tensor_cachemask_kernel_type_handling", self, "f")
    return _rounded(self, np.float32(scale), np.asarray(zero_point, self.dtype), quant_min, quant_max)


def _by_tensors(
    self: np.ndarray,
    scale: np.ndarray,
    zero_point: np.ndarray,
    fake_quant_enabled: np.ndarray,
    quant_min: int,
    quant_max: int,
) -> tuple[np.ndarray, np.ndarray]:
    _check_range(quant_min, quant_max)
    check_kind("fake_quantize_tensor_cachemask_kernel_type_handling", self, "f")
    for one in (scale, zero_point):
        if one.size != 1:
            raise RuntimeError(f"a Tensor with {one.size} elements cannot be converted to Scalar")
    values = np.float32(scale.reshape(())), np.asarray(zero_point.reshape(()), self.dtype)
    return _rounded(self, *values, quant_min, quant_max)


def _per_channel(
    self: np.ndarray, scale: np.ndarray, zero_point: np.ndarray, axis: int, quant_min: int, quant_max: int
) -> tuple[np.ndarray, np.ndarray]:
    shape = [1] * self.ndim
    shape[axis] = len(scale)
    of_axis = scale.reshape(shape), zero_point.reshape(shape).astype(self.dtype)
    return _rounded(self, *of_axis, quant_min, quant_max)


def _op(signature: str, forward: Callable[..., Any], node: str) -> Op:
    return Op(
        f"{signature} -> (Tensor output, Tensor mask)",
        forward,
        f"{node}Backward0",
        {"self": Grad(lambda grads, mask: grads[0] * mask, r"[[grad]] \cdot [\text{not cut off}]")},
        _ROUNDED,
        where=(),
        outputs=("output", "mask"),
        nondiff=(1,),
        unchecked=_LOOKS_SMOOTH,
    )


PER_TENSOR = _op(
    "fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, int quant_min, int quant_max)",
    _per_tensor,
    "FakeQuantizePerTensorAffineCachemask",
)
BY_TENSORS = _op(
    "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, "
    "Tensor fake_quant_enabled, int quant_min, int quant_max)",
    _by_tensors,
    "FakeQuantizePerTensorAffineCachemaskTensorQparams",
)
PER_CHANNEL = _op(
    "fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor zero_point, int axis, "
    "int quant_min, int quant_max)",
    _per_channel,
    "FakeQuantizePerChannelAffineCachemask",
)


def check_channels(
    self: np.ndarray, scale: np.ndarray, zero_point: np.ndarray, axis: int, quant_min: int, quant_max: int
) -> None:
    """Raise IndexError or RuntimeError for scales and zero points that do not fit a dimension of `self`."""
    if scale.ndim != 1:
        raise RuntimeError("scale should be a 1-D tensor")
    if zero_point.ndim != 1:
        raise RuntimeError("zero point should be a 1-D tensor")
    if scale.size != zero_point.size:
        raise RuntimeError("scale and zero-point need to have the same dimensions")
    if not -self.ndim <= axis < self.ndim:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-self.ndim}, {self.ndim - 1}], but got {axis})"
        )
    if scale.size != self.shape[axis]:
        raise RuntimeError("dimensions of scale and zero-point are not consistent with input tensor")
    _check_range(quant_min, quant_max)
    if zero_point.dtype.kind == "i":
        _check_zero_point(zero_point.min(initial=quant_min), zero_point.max(initial=quant_min), quant_min, quant_max)
    if axis < 0:
        raise RuntimeError("`axis` must be between 0 and number of dimensions of input")
