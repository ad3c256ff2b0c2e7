"""`torch.fake_quantize_per_tensor_affine` and its kin: what training with quantisation in mind rounds by."""

from typing import Any

from engine.composite import composite
from engine.composites.factories import ones
from engine.ops.fake_quantize import BY_TENSORS, PER_CHANNEL, PER_TENSOR, check_channels

_TOP = ("function",)


@composite(
    "fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> Tensor",
    where=_TOP,
)
def per_tensor(self: Any, scale: float, zero_point: int, quant_min: int, quant_max: int) -> Any:
    """All elements rounded by one scale and zero point."""
    return PER_TENSOR(self, scale, zero_point, quant_min, quant_max)[0]


@composite(
    "fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, int quant_min, "
    "int quant_max) -> Tensor",
    where=_TOP,
)
def by_tensors(self: Any, scale: Any, zero_point: Any, quant_min: int, quant_max: int) -> Any:
    """The same, with tensors of one element."""
    enabled = ones((1,), None, None, None, None, None, False)
    return BY_TENSORS(self, scale, zero_point, enabled, quant_min, quant_max)[0]


@composite(
    "fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, "
    "int quant_max) -> Tensor",
    where=_TOP,
)
def per_channel(self: Any, scale: Any, zero_point: Any, axis: int, quant_min: int, quant_max: int) -> Any:
    """Every slice along a dimension rounded by a scale and a zero point of its own."""
    if scale.dtype.name not in ("float32", "bfloat16"):
        raise RuntimeError(f"Scale must be Float or BFloat16, found {scale.dtype.torch_name}")
    if zero_point.dtype.name not in ("int32", "float32", "float16"):
        raise RuntimeError(f"Zero-point must be Int32, Float or Half, found {zero_point.dtype.torch_name}")
    check_channels(self._a, scale._a, zero_point._a, axis, quant_min, quant_max)
    return PER_CHANNEL(self, scale, zero_point, axis, quant_min, quant_max)[0]
