"""Sampling an image or a volume at given places."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.checks import wrap_real_dim
from engine.ops.grid_places import BORDER, CUBIC, LINEAR, NEAREST, REFLECTION, ZEROS, axes, slopes, weights
from engine.ops.grid_second import second
from engine.ops.kinds import check_kind, torch_name


def _corners(
    grid: np.ndarray, sizes: Sequence[int], mode: int, padding_mode: int, align_corners: bool, slanted: bool
) -> Iterator[tuple[tuple[np.ndarray, ...], np.ndarray, list[np.ndarray]]]:
    """The pixels around each place: where, their weights, and if `slanted` the weights' derivatives by each axis."""
    found = axes(grid, sizes, mode, padding_mode, align_corners)
    each = [weights(mode, a.part) for a in found]
    change = [[s * a.slope for s in slopes(mode, a.part)] for a in found] if slanted else []
    for chosen in product(*(range(len(a.taps)) for a in found)):
        taps = [a.taps[k] for a, k in zip(found, chosen, strict=True)]
        factors = [w[k] for w, k in zip(each, chosen, strict=True)]
        inside = np.logical_and.reduce([t.inside for t in taps])
        derivatives = []
        for i, by in enumerate(change):
            others = prod(factors[:i] + factors[i + 1 :])
            derivatives.append(_masked(by[chosen[i]] * others, inside))
        yield tuple(t.pixel for t in taps), _masked(np.asarray(prod(factors)), inside), derivatives


def _masked(weight: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Weights, 0 where there is no pixel. A plane passes on nan, a volume does not: so PyTorch's kernels have it."""
    return weight * inside if weight.ndim == 3 else np.where(inside, weight, 0)


def _check(input: np.ndarray, grid: np.ndarray, dims: int, mode: int) -> None:
    """Raise IndexError, RuntimeError or NotImplementedError for what a sampler of so many dimensions refuses."""
    wrap_real_dim(0, input.ndim)
    wrap_real_dim(0, grid.ndim)
    if input.shape[0] != grid.shape[0]:
        raise RuntimeError(
            "grid_sampler(): expected grid and input to have same batch size, but got input with sizes "
            f"{list(input.shape)} and grid with sizes {list(grid.shape)}"
        )
    if grid.shape[-1] != input.ndim - 2:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {input.ndim - 2} in last dimension, but got grid with sizes "
            f"{list(grid.shape)}"
        )
    for d, length in enumerate(input.shape[2:], 2):
        if not length:
            raise RuntimeError(
                "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes "
                f"{list(input.shape)} with dimension {d} being empty"
            )
    if input.ndim != dims + 2 or grid.ndim != input.ndim:
        raise RuntimeError(
            f"grid_sampler(): expected {dims + 2}D input and grid with same number of dimensions, but got input with "
            f"sizes {list(input.shape)} and grid with sizes {list(grid.shape)}"
        )
    if mode == CUBIC and dims == 3:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    check_kind("grid_sampler_2d_cpu_kernel_impl" if dims == 2 else "grid_sampler3d_cpu", input, "fV")
    if input.dtype != grid.dtype:
        raise RuntimeError(f"expected scalar type {torch_name(input)} but found {torch_name(grid)}")


def _forward(
    dims: int, input: np.ndarray, grid: np.ndarray, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> np.ndarray:
    _check(input, grid, dims, interpolation_mode)
    n, c = input.shape[:2]
    places = grid.shape[1:-1]
    out = np.zeros((n, c, *places), input.dtype)
    batch = np.arange(n).reshape(n, *(1,) * len(places))
    how = (interpolation_mode, padding_mode, align_corners)
    for where, weight, _ in _corners(grid, input.shape[2:], *how, slanted=False):
        out += np.moveaxis(input[(batch, slice(None), *where)], -1, 1) * weight[:, None].astype(input.dtype)
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
    n, c, *sizes = input.shape
    check_kind("grid_sampler_2d_backward_cpu_kernel_impl" if len(sizes) == 2 else "grid_sampler_3d_cpu", input, "fV")
    to_input = np.zeros((n, *sizes, c), input.dtype)
    to_grid = np.zeros_like(grid)
    batch = np.arange(n).reshape(n, *(1,) * len(sizes))
    each = np.moveaxis(grad_output, 1, -1)
    how = (interpolation_mode, padding_mode, align_corners)
    for where, weight, slants in _corners(grid, sizes, *how, slanted=output_mask[1]):
        if output_mask[0]:
            np.add.at(to_input, (batch, *where), each * weight[..., None].astype(input.dtype))
        if output_mask[1]:
            match = (input[(batch, slice(None), *where)] * each).sum(-1)
            for i, slant in enumerate(reversed(slants)):
                to_grid[..., i] += match * slant
    moved = np.ascontiguousarray(np.moveaxis(to_input, -1, 1))
    return (moved if output_mask[0] else None), (to_grid if output_mask[1] else None)


def _sampler(dims: int) -> tuple[Op, Op]:
    """The sampler of images of so many dimensions, and its backward."""

    def rule(
        grad: Any, input: Any, grid: Any, interpolation_mode: int, padding_mode: int, align_corners: bool, mask: Any
    ) -> Any:
        return backward(grad, input, grid, interpolation_mode, padding_mode, align_corners, mask)

    def rule_of_backward(
        grads: Any,
        grad_output: Any,
        input: Any,
        grid: Any,
        interpolation_mode: int,
        padding_mode: int,
        align_corners: bool,
        mask: Any,
    ) -> Any:
        how = (interpolation_mode, padding_mode, align_corners)
        return second(op, backward, grads, grad_output, input, grid, how, mask)

    def samples(rng: np.random.Generator) -> list[dict[str, Any]]:
        size = (1, 2, 3, 4) if dims == 2 else (1, 1, 2, 3, 2)
        places = (1, *(1, 2, 2)[-dims:], dims)
        ways = [(LINEAR, ZEROS, False), (LINEAR, BORDER, True), (LINEAR, REFLECTION, False)]
        if dims == 2:
            ways += [(LINEAR, REFLECTION, True), (CUBIC, ZEROS, True), (CUBIC, REFLECTION, False)]
        return [
            {
                "input": rng.normal(size=size),
                "grid": rng.uniform(-1.6, 1.6, size=places),
                "interpolation_mode": m,
                "padding_mode": p,
                "align_corners": a,
            }
            for m, p, a in [*ways, (NEAREST, ZEROS, False)]
        ]

    def backward_samples(rng: np.random.Generator) -> list[dict[str, Any]]:
        given = [s for s in samples(rng) if s["interpolation_mode"] != NEAREST][:: 5 if dims == 2 else 2]
        shape = (*given[0]["input"].shape[:2], *given[0]["grid"].shape[1:-1])
        return [{"grad_output": rng.normal(size=shape), **s, "output_mask": (True, True)} for s in given]

    how = "int interpolation_mode, int padding_mode, bool align_corners"
    op = Op(
        f"grid_sampler_{dims}d(Tensor input, Tensor grid, {how}) -> Tensor",
        partial(_forward, dims),
        f"GridSampler{dims}DBackward0",
        {
            "input, grid": Grad(
                rule,
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
        samples=samples,
    )
    backward = Op(
        f"grid_sampler_{dims}d_backward(Tensor grad_output, Tensor input, Tensor grid, {how}, bool[2] output_mask) "
        "-> (Tensor, Tensor)",
        _backward,
        f"GridSampler{dims}DBackwardBackward0",
        {
            "grad_output, input, grid": Grad(
                rule_of_backward,
                {
                    "grad_output": r"[[grads]]_0([[grid]]) + \textstyle\sum_p \partial w_p [[grads]]_1\, [[input]]_p",
                    "input": r"\textstyle\sum_p \partial w_p [[grads]]_1\, [[grad_output]]_p",
                    "grid": (
                        r"\textstyle\sum_p [[grad_output]]_p\, (\partial w_p\, [[grads]]_{0,p}"
                        r" + \partial^2 w_p [[grads]]_1\, [[input]]_p)"
                    ),
                },
            )
        },
        where=(),
        samples=backward_samples,
    )
    return op, backward


GRID_SAMPLER, GRID_SAMPLER_BACKWARD = _sampler(2)
GRID_SAMPLER_3D, GRID_SAMPLER_3D_BACKWARD = _sampler(3)
