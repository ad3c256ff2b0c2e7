"""F.grid_sample and F.affine_grid: images and volumes sampled at places that are learnt."""

from collections.abc import Sequence
from typing import Any

from engine.composite import composite, python_function
from engine.composites.parsed import checked
from engine.ops.affine_grid import AFFINE_GRID
from engine.ops.grid_sampler import GRID_SAMPLER, GRID_SAMPLER_3D
from engine.warning import warn, warn_caller

_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
_CORNERS = (
    "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify "
    "align_corners=True if the old behavior is desired. See the documentation of grid_sample for details."
)
_PADDINGS = {"zeros": 0, "border": 1, "reflection": 2}


@composite(
    "grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor",
    where=("function",),
)
def GRID(input: Any, grid: Any, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Any:
    """ATen's sampling of images and volumes, with modes by number."""
    sampler = GRID_SAMPLER if input.ndim == 4 else GRID_SAMPLER_3D
    return sampler(input, grid, interpolation_mode, padding_mode, align_corners)


@python_function("nn")
def grid_sample(
    input: Any, grid: Any, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Any:
    """An image's or a volume's values at the places of a grid, whose coordinates run from -1 to 1."""
    if mode not in _MODES:
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in _PADDINGS:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'"
        )
    if align_corners is None:
        warn(_CORNERS)
        align_corners = False
    return checked(GRID)(input, grid, _MODES[mode], _PADDINGS[padding_mode], align_corners)


@python_function("nn")
def affine_grid(theta: Any, size: Sequence[int], align_corners: bool | None = None) -> Any:
    """The grid that samples an image through an affine map of the plane, or a volume through one of space."""
    if align_corners is None:
        warn(_CORNERS)
        align_corners = False
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    if len(size) not in (4, 5):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size "
            f"{size}."
        )
    n = len(size) - 2
    if theta.ndim != 3 or theta.shape[-2] != n or theta.shape[-1] != n + 1:
        raise ValueError(
            f"Expected a batch of {n}D affine matrices of shape Nx{n}x{n + 1} for size {size}. Got {theta.shape}."
        )
    if align_corners and min(size[2:]) == 1:
        warn_caller(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This "
            "is not an intended use case of affine_grid. See the documentation of affine_grid for details."
        )
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return AFFINE_GRID(theta, tuple(size), align_corners)
