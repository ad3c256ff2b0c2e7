"""Sampling an image at given places, and the grids of affine maps."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.normal_kernel import fused_multiply_add
from engine.op import Grad, Op
from engine.ops.checks import wrap_dim, wrap_real_dim
from engine.ops.linear import BMM
from engine.ops.spacing import evenly_spaced
from engine.ops.views import TRANSPOSE

BILINEAR, NEAREST = 0, 1
ZEROS, BORDER, REFLECTION = 0, 1, 2


def _pixels(at: np.ndarray, size: int, padding_mode: int, align_corners: bool) -> tuple[np.ndarray, np.ndarray]:
    """Pixel coordinates of places in [-1, 1], and their derivative with respect to the place."""
    if align_corners:
        slope = (size - 1) / 2
        x = (at + 1) * at.dtype.type(slope)
    else:  # rounded as PyTorch rounds it: where x is all but whole, the last bit decides between two slopes
        slope = size / 2
        x = fused_multiply_add(at + 1, at.dtype.type(slope), at.dtype.type(-0.5))
    slopes = np.full_like(at, slope)
    if padding_mode == ZEROS:
        return x, slopes
    if padding_mode == REFLECTION:
        low, span = (0.0, size - 1) if align_corners else (-0.5, size)
        if span == 0:
            return np.zeros_like(x), np.zeros_like(x)
        shifted = x - low
        sign = np.where(shifted < 0, -1, 1)
        folds, rest = np.divmod(np.abs(shifted), span)
        odd = folds % 2 == 1
        x = np.where(odd, span - rest, rest) + low
        slopes = slopes * sign * np.where(odd, -1, 1)
    slopes = np.where((x <= 0) | (x >= size - 1), 0, slopes)
    return np.clip(x, 0, size - 1).astype(at.dtype), slopes.astype(at.dtype)


def _corners(grid: np.ndarray, shape: Sequence[int], padding_mode: int, align_corners: bool) -> Any:
    """For the four pixels around each place: rows, columns, weights, and the weights' derivatives."""
    height, width = shape[2], shape[3]
    x, dx = _pixels(grid[..., 0], width, padding_mode, align_corners)
    y, dy = _pixels(grid[..., 1], height, padding_mode, align_corners)
    left, top = np.floor(x), np.floor(y)
    for row, wy, sy in ((top, top + 1 - y, -1), (top + 1, y - top, 1)):
        for column, wx, sx in ((left, left + 1 - x, -1), (left + 1, x - left, 1)):
            inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            r = np.clip(row, 0, height - 1).astype(int)
            c = np.clip(column, 0, width - 1).astype(int)
            yield r, c, wx * wy * inside, sx * wy * inside * dx, sy * wx * inside * dy


def _nearest(grid: np.ndarray, shape: Sequence[int], padding_mode: int, align_corners: bool) -> Any:
    height, width = shape[2], shape[3]
    column = np.rint(_pixels(grid[..., 0], width, padding_mode, align_corners)[0])
    row = np.rint(_pixels(grid[..., 1], height, padding_mode, align_corners)[0])
    inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    r, c = np.clip(row, 0, height - 1).astype(int), np.clip(column, 0, width - 1).astype(int)
    zero = np.zeros_like(grid[..., 0])
    yield r, c, inside.astype(grid.dtype), zero, zero


def _places(grid: np.ndarray, shape: Sequence[int], mode: int, padding_mode: int, align_corners: bool) -> Any:
    return (_corners if mode == BILINEAR else _nearest)(grid, shape, padding_mode, align_corners)


def _forward(
    input: np.ndarray, grid: np.ndarray, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> np.ndarray:
    wrap_real_dim(0, input.ndim)
    for d, length in enumerate(input.shape[2:], 2):
        if not length:
            raise RuntimeError(
                "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes "
                f"{list(input.shape)} with dimension {d} being empty"
            )
    n, c = input.shape[:2]
    out = np.zeros((n, c, *grid.shape[1:3]), input.dtype)
    batch = np.arange(n)[:, None, None]
    for rows, columns, weight, _, _ in _places(grid, input.shape, interpolation_mode, padding_mode, align_corners):
        out += np.moveaxis(input[batch, :, rows, columns], -1, 1) * weight[:, None].astype(input.dtype)
    return out


def _backward(
    grad_output: np.ndarray,
    input: np.ndarray,
    grid: np.ndarray,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
    output_mask: Sequence[bool],
) -> tuple[np.ndarray | None, np.ndarray | None]:
    n, c, height, width = input.shape
    to_input = np.zeros((n, height, width, c), input.dtype)
    to_grid = np.zeros_like(grid)
    batch = np.arange(n)[:, None, None]
    each = np.moveaxis(grad_output, 1, -1)
    for rows, columns, weight, dx, dy in _places(grid, input.shape, interpolation_mode, padding_mode, align_corners):
        if output_mask[0]:
            np.add.at(to_input, (batch, rows, columns), each * weight[..., None].astype(input.dtype))
        if output_mask[1]:
            match = (input[batch, :, rows, columns] * each).sum(-1)
            to_grid[..., 0] += match * dx
            to_grid[..., 1] += match * dy
    moved = np.ascontiguousarray(np.moveaxis(to_input, -1, 1))
    return (moved if output_mask[0] else None), (to_grid if output_mask[1] else None)


def _base(size: Sequence[int], align_corners: bool, dtype: np.dtype) -> np.ndarray:
    """The identity's grid in homogeneous coordinates: (places, 3) of a plane, (places, 4) of a volume."""

    def line(count: int) -> np.ndarray:
        if count <= 1:
            return np.zeros(count, dtype)
        at = evenly_spaced(-1, 1, count, dtype)
        return at if align_corners else at * dtype.type(count - 1) / dtype.type(count)

    places = np.meshgrid(*map(line, size[2:]), indexing="ij")[::-1]
    return np.stack([*places, np.ones_like(places[0])], -1).reshape(-1, len(size) - 1)


def _affine(theta: np.ndarray, size: Sequence[int], align_corners: bool) -> np.ndarray:
    wrap_dim(1, theta.ndim)
    if theta.ndim != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    if theta.shape[0] != size[0] or theta.shape[2] != len(size) - 1:
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{size[0]}, {len(size) - 1}] but got: [{theta.shape[0]}, {theta.shape[2]}]."
        )
    base = _base(size, align_corners, theta.dtype)
    return (base @ theta.swapaxes(1, 2)).reshape(size[0], *size[2:], len(size) - 2)


def _affine_rule(grad: Any, size: Sequence[int], align_corners: bool) -> Any:
    base = _base(size, align_corners, getattr(grad, "_a", grad).dtype)
    places = np.broadcast_to(base.T, (size[0], *base.T.shape))
    return TRANSPOSE(BMM(places, grad.reshape((size[0], len(base), len(size) - 2))), 1, 2)


def _not_yet(grads: Any) -> Any:
    raise NotImplementedError("The second derivative of grid_sample: PyTorch has this; the playground does not yet")


GRID_SAMPLER = Op(
    "grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) "
    "-> Tensor",
    _forward,
    "GridSampler2DBackward0",
    {
        "input, grid": Grad(
            lambda grad, input, grid, interpolation_mode, padding_mode, align_corners, mask: GRID_SAMPLER_BACKWARD(
                grad, input, grid, interpolation_mode, padding_mode, align_corners, mask
            ),
            {
                "input": r"\textstyle\sum_p w_p([[grid]])\, [[grad]]_p",
                "grid": (
                    r"[[grad]] \cdot \tfrac{\partial}{\partial [[grid]]} \textstyle\sum_p w_p([[grid]])\,"
                    r" [[input]]_p"
                ),
            },
        )
    },
    r"[[input]]([[grid]])",
    where=("function",),
    samples=lambda rng: [
        {
            "input": rng.normal(size=(2, 2, 4, 5)),
            "grid": rng.uniform(-1.6, 1.6, size=(2, 3, 2, 2)),
            "interpolation_mode": BILINEAR,
            "padding_mode": p,
            "align_corners": a,
        }
        for p in (ZEROS, BORDER, REFLECTION)
        for a in (False, True)
    ],
)
GRID_SAMPLER_BACKWARD = Op(
    "grid_sampler_2d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
    "bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)",
    _backward,
    "GridSampler2DBackwardBackward0",
    {n: Grad(_not_yet, r"\partial\, \partial_{\text{image}, \text{grid}}") for n in ("grad_output", "input", "grid")},
    where=(),
    unchecked="the second derivative is not there yet, and says so",
)
AFFINE_GRID = Op(
    "affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor",
    _affine,
    "AffineGridGeneratorBackward0",
    {
        "theta": Grad(
            _affine_rule,
            r"[[grad]]^{\top} (x, y, 1)",
        )
    },
    r"[[theta]] (x, y, 1)^{\top}",
    where=("function",),
    samples=lambda rng: [
        *({"theta": rng.normal(size=(2, 2, 3)), "size": (2, 1, 3, 4), "align_corners": a} for a in (False, True)),
        {"theta": rng.normal(size=(1, 3, 4)), "size": (1, 1, 2, 2, 2), "align_corners": False},
    ],
)
