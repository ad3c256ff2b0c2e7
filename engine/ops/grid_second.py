"""The second derivative of sampling, composed of operators, so that a third one follows.

A sample is the sum of the pixels around its place, each times its weight. The weights are polynomials of the place,
along each axis one, multiplied. Between two pixels a place moves by `slope` pixels for one unit of the grid.
"""

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from engine.op import Op
from engine.ops.arithmetic import ADD, MUL, SUB
from engine.ops.blending import ADDCMUL
from engine.ops.copy import NEW_ZEROS
from engine.ops.gather_scatter import GATHER, SCATTER_ADD
from engine.ops.grid_places import CUBIC, NEAREST, axes, curvatures, slopes, weights
from engine.ops.join import STACK
from engine.ops.reduction import SUM_DIM
from engine.ops.slicing import SELECT
from engine.ops.views import UNSQUEEZE, VIEW


def _sum(parts: Sequence[Any]) -> Any:
    """The sum of what is there, None when nothing is."""
    there = [p for p in parts if p is not None]
    total = there[0] if there else None
    for part in there[1:]:
        total = ADD(total, part)
    return total


def _products(a: Sequence[Any], b: Sequence[Any]) -> Any:
    """The sum of products, from the last axis to the first as PyTorch adds them up."""
    total = MUL(a[-1], b[-1])
    for x, y in zip(a[-2::-1], b[-2::-1], strict=True):
        total = ADDCMUL(total, x, y)
    return total


class Neighbourhood:
    """The pixels around every place, all axes multiplied out along one last dimension.

    Attributes:
        pixels: their numbers in the flattened image, int64 (n, places × pixels).
        inside: 1 where there is such a pixel, else 0 (n, 1, places…, pixels).
    """

    def __init__(self, grid: Any, sizes: Sequence[int], how: tuple[int, int, bool]) -> None:
        self.mode = how[0]
        places = getattr(grid, "_a", grid)
        found = axes(places, sizes, *how)
        pixels, inside = [], []
        for taps in product(*(a.taps for a in found)):
            pixels.append(sum(t.pixel * prod(sizes[i + 1 :]) for i, t in enumerate(taps)))
            inside.append(np.logical_and.reduce([t.inside for t in taps]))
        self.pixels = np.stack(pixels, -1).reshape(len(places), len(pixels) * prod(places.shape[1:-1]))
        self.inside = np.stack(inside, -1)[:, None].astype(places.dtype)
        self.slopes = [a.slope for a in found]
        last = len(sizes) - 1
        self.parts = []
        for i, a in enumerate(found):  # a.part, as a function of the grid
            along = SELECT(grid, -1, last - i)
            self.parts.append(ADD(MUL(SUB(along, places[..., last - i]), a.slope), a.part))
        self.weights = [STACK(weights(self.mode, part), -1) for part in self.parts]
        self.changes = [STACK(slopes(self.mode, part), -1) for part in self.parts]

    def times(self, factors: dict[int, Any]) -> Any:
        """The weights multiplied out, with other factors for some of the axes: (n, places…, pixels)."""
        out: Any = None
        for i, weight in enumerate(self.weights):
            factor = factors.get(i, weight)
            if out is None:
                out = factor
                continue
            wide = MUL(UNSQUEEZE(out, -1), UNSQUEEZE(factor, -2))
            out = VIEW(wide, (*wide.shape[:-2], wide.shape[-2] * wide.shape[-1]))
        return out

    def curved(self, i: int, j: int) -> Any:
        """The second derivatives of the weights by two axes; None where they are 0."""
        if i != j:
            return self.times({i: self.changes[i], j: self.changes[j]})
        return self.times({i: STACK(curvatures(self.parts[i]), -1)}) if self.mode == CUBIC else None

    def values(self, input: Any, places: Sequence[int]) -> Any:
        """The pixels' values, 0 outside the image: (n, channels, places…, pixels)."""
        n, c = input.shape[:2]
        index = np.broadcast_to(self.pixels[:, None], (n, c, self.pixels.shape[1]))
        found = GATHER(input.reshape((n, c, prod(input.shape[2:]))), 2, index)
        return MUL(VIEW(found, (n, c, *places, self.inside.shape[-1])), self.inside)

    def put(self, spread: Any, input: Any) -> Any:
        """Values of the pixels added up in an image like `input`."""
        shape = tuple(input.shape)
        n, c = shape[:2]
        index = np.broadcast_to(self.pixels[:, None], (n, c, self.pixels.shape[1]))
        source = MUL(spread, self.inside).reshape((n, c, self.pixels.shape[1]))
        return VIEW(SCATTER_ADD(NEW_ZEROS(input, (n, c, prod(shape[2:]))), 2, index, source), shape)


def second(
    sampler: Op,
    backward: Op,
    grads: Sequence[Any],
    grad_output: Any,
    input: Any,
    grid: Any,
    how: tuple[int, int, bool],
    mask: Sequence[bool],
) -> tuple[Any, Any, Any]:
    """Gradients of the arguments of a sampler's backward, from those of the image's and of the grid's gradient."""
    of_input, of_grid = grads
    to_output = to_input = to_grid = None
    if of_input is not None:
        if mask[0]:
            to_output = sampler(of_input, grid, *how)
        if mask[2]:
            to_grid = backward(grad_output, of_input, grid, *how, (False, True))[1]
    if of_grid is None or how[0] == NEAREST:
        return to_output, to_input, to_grid
    around = Neighbourhood(grid, input.shape[2:], how)
    count = len(around.slopes)
    steps = [MUL(SELECT(of_grid, -1, count - 1 - i), s) for i, s in enumerate(around.slopes)]
    changes = [around.times({i: change}) for i, change in enumerate(around.changes)]
    values = around.values(input, grid.shape[1:-1])
    if mask[0]:
        along = [SUM_DIM(MUL(values, UNSQUEEZE(change, 1)), (-1,)) for change in changes]
        to_output = _sum([to_output, _products(along, [UNSQUEEZE(step, 1) for step in steps])])
    wide = [UNSQUEEZE(step, -1) for step in steps]
    if mask[1]:
        to_input = around.put(MUL(UNSQUEEZE(grad_output, -1), UNSQUEEZE(_products(changes, wide), 1)), input)
    if mask[2]:
        match = SUM_DIM(MUL(UNSQUEEZE(grad_output, -1), values), (1,))
        moved = []
        for i, slope in enumerate(around.slopes):
            curves = [(around.curved(i, j), step) for j, step in enumerate(wide)]
            bent = _sum([MUL(curve, step) for curve, step in curves if curve is not None])
            moved.append(MUL(SUM_DIM(MUL(match, bent), (-1,)), slope))
        to_grid = _sum([to_grid, STACK(moved[::-1], -1)])
    return to_output, to_input, to_grid
