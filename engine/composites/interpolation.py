"""F.interpolate: images of another size."""

from math import floor
from typing import Any

from engine.composite import Composite, composite, python_function
from engine.composites.parsed import parsed
from engine.composites.pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from engine.op import Op
from engine.ops import antialias
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
_ANTIALIASED: dict[str, Any] = {
    "bilinear": antialias.BILINEAR2D_AA,
    "bicubic": antialias.BICUBIC2D_AA,
    "lanczos": antialias.LANCZOS2D_AA,
}
_AREA = {3: parsed(adaptive_avg_pool1d), 4: parsed(adaptive_avg_pool2d), 5: parsed(adaptive_avg_pool3d)}
_NEEDS = {"linear": 3, "bilinear": 4, "trilinear": 5}


def _vector_form(op: Op) -> Composite:
    """The overload of an interpolation that takes either sizes or scales."""
    aligned = any(p.name == "align_corners" for p in op.signature.params)
    dims = next(int(p.type[7:-1]) for p in op.signature.params if p.name == "output_size")

    def run(input: Any, output_size: Any, *rest: Any) -> Any:
        scales = rest[-1]
        if (output_size is None) == (scales is None):
            raise RuntimeError("Must specify exactly one of output_size and scale_factors")
        for name, given in (("output_size", output_size), ("scale_factors", scales)):
            if given is not None and len(given) != dims:
                raise RuntimeError(
                    f"Expected static_cast<int64_t>({name}->size()) == spatial_dimensions to be true, but got false.  "
                    "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)"
                )
        if output_size is None:
            try:
                output_size = tuple(floor(n * s) for n, s in zip(input.shape[2:], scales, strict=True))
            except (OverflowError, ValueError):
                raise RuntimeError("value cannot be converted to type int64_t without overflow") from None
        return op(input, output_size, *rest[:-1], *(scales or (None,) * dims))

    align = "bool align_corners, " * aligned
    signature = f"{op.name}.vec(Tensor input, SymInt[]? output_size, {align}float[]? scale_factors) -> Tensor"
    return composite(signature, where=())(run)


_CALLS = {at: parsed(_vector_form(op), op) for at, op in _BY_MODE.items()}
_ANTIALIASED_CALLS = {mode: parsed(_vector_form(op), op) for mode, op in _ANTIALIASED.items()}


def _sizes(input: Any, dims: int, size: Any, scale_factor: Any, mode: Any, recompute: bool | None) -> tuple[Any, Any]:
    """The new lengths, or else the scales, one per dimension. Raises ValueError, TypeError."""
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
        return size if isinstance(size, list | tuple) else [size] * dims, None
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if isinstance(scale_factor, list | tuple):
        if len(scale_factor) != dims:
            raise ValueError(
                "Input and scale_factor must have the same number of spatial dimensions, but got input with spatial "
                f"dimensions of {space} and scale_factor of shape {scale_factor}. Please provide input tensor in "
                "(N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format."
            )
        scales = scale_factor
    else:
        scales = [scale_factor] * dims
    if recompute or mode == "area":
        return [floor(float(n) * s) for n, s in zip(space, scales, strict=True)], None
    return None, scales


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
    ndim = input.dim()
    lengths, scales = _sizes(input, ndim - 2, size, scale_factor, mode, recompute_scale_factor)
    if antialias and not (mode in _ANTIALIASED_CALLS and ndim == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )
    if mode == "lanczos" and ndim == 4:
        if align_corners:
            raise ValueError("Lanczos mode does not support align_corners=True")
        if not antialias:
            raise ValueError("Lanczos mode requires antialias=True")
    if antialias:
        return _ANTIALIASED_CALLS[mode](input, lengths, align_corners, scales)
    if mode == "area" and ndim in _AREA:
        return _AREA[ndim](input, lengths)
    call = _CALLS.get((ndim, mode)) if isinstance(mode, str) else None
    if call is not None:
        aligned = () if align_corners is None else (align_corners,)
        return call(input, lengths, *aligned, scales)
    if isinstance(mode, str) and mode in _NEEDS and ndim in (3, 4, 5):
        raise NotImplementedError(f"Got {ndim}D input, but {mode} mode needs {_NEEDS[mode]}D input")
    raise NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {ndim}D) for the modes: {_MODES} (got {mode})"
    )


@python_function("nn")
def upsample(
    input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Any:
    """The old name of interpolate."""
    warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.")
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
