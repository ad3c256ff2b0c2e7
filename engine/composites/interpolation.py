"""F.interpolate: images of another size."""

from collections.abc import Callable
from math import floor
from typing import Any

from engine.composite import python_function
from engine.composites.pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from engine.ops import upsample as ops
from engine.warning import warn

_MODES = "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact"
_BY_MODE: dict[tuple[int, str], Any] = {
    (3, "nearest"): ops.NEAREST1D,
    (4, "nearest"): ops.NEAREST2D,
    (5, "nearest"): ops.NEAREST3D,
    (3, "nearest-exact"): ops.EXACT1D,
    (4, "nearest-exact"): ops.EXACT2D,
    (5, "nearest-exact"): ops.EXACT3D,
    (3, "linear"): ops.LINEAR1D,
    (4, "bilinear"): ops.BILINEAR2D,
    (4, "bicubic"): ops.BICUBIC2D,
    (5, "trilinear"): ops.TRILINEAR3D,
}
_AREA: dict[int, Callable[..., Any]] = {3: adaptive_avg_pool1d, 4: adaptive_avg_pool2d, 5: adaptive_avg_pool3d}
_NEEDS = {"linear": 3, "bilinear": 4, "trilinear": 5}


def _sizes(
    input: Any, size: Any, scale_factor: Any, mode: str, recompute: bool | None
) -> tuple[tuple[int, ...], tuple[float | None, ...]]:
    """The new lengths, and the scales that go to the operator. Raises ValueError, TypeError."""
    dims = input.ndim - 2
    space = list(input.shape[2:])
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        if isinstance(size, list | tuple):
            if len(size) != dims:
                raise ValueError(
                    "Input and output must have the same number of spatial dimensions, but got input with spatial "
                    f"dimensions of {space} and output size of {size}. Please provide input tensor in (N, C, d1, d2, "
                    "...,dK) format and output size in (o1, o2, ...,oK) format."
                )
            if not all(isinstance(n, int) for n in size):
                raise TypeError(
                    "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got "
                    f"size with types {[type(n) for n in size]}"
                )
        if recompute:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        return tuple(size) if isinstance(size, list | tuple) else (size,) * dims, (None,) * dims
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if isinstance(scale_factor, list | tuple):
        if len(scale_factor) != dims:
            raise ValueError(
                "Input and scale_factor must have the same number of spatial dimensions, but got input with spatial "
                f"dimensions of {space} and scale_factor of shape {scale_factor}. Please provide input tensor in "
                "(N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format."
            )
        scales = tuple(float(s) for s in scale_factor)
    else:
        scales = (float(scale_factor),) * dims
    lengths = tuple(floor(n * s) for n, s in zip(space, scales, strict=True))
    return lengths, (None,) * dims if recompute or mode == "area" else scales


@python_function("nn")
def interpolate(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Any:
    """An image of another size."""
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | "
                "trilinear"
            )
    elif align_corners is None:
        align_corners = False
    lengths, scales = _sizes(input, size, scale_factor, mode, recompute_scale_factor)
    if antialias:
        raise NotImplementedError("interpolate(antialias=True): PyTorch has this; the playground does not yet")
    if mode == "area" and input.ndim in _AREA:
        return _AREA[input.ndim](input, lengths)
    op = _BY_MODE.get((input.ndim, mode))
    if op is not None:
        return op(input, lengths, *scales) if align_corners is None else op(input, lengths, align_corners, *scales)
    if mode in _NEEDS and input.ndim in (3, 4, 5):
        raise NotImplementedError(f"Got {input.ndim}D input, but {mode} mode needs {_NEEDS[mode]}D input")
    raise NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.ndim}D) for the modes: "
        f"{_MODES} (got {mode})"
    )


@python_function("nn")
def upsample(
    input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Any:
    """The old name of interpolate."""
    return interpolate(input, size, scale_factor, mode, align_corners)


@python_function("nn")
def upsample_nearest(input: Any, size: Any = None, scale_factor: Any = None) -> Any:
    """An older name of interpolate(mode="nearest")."""
    warn("`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor, mode="nearest")


@python_function("nn")
def upsample_bilinear(input: Any, size: Any = None, scale_factor: Any = None) -> Any:
    """An older name of interpolate(mode="bilinear", align_corners=True)."""
    warn("`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)
