"""Copies of a tensor with one part replaced: what slices, selections and diagonals write."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.copy import NEW_ZEROS, contiguous
from engine.ops.slicing import AS_STRIDED, DIAGONAL, SELECT, SLICE
from engine.ops.strided import memory_of


def _replaced(self: np.ndarray, src: np.ndarray, part: Any, name: str) -> np.ndarray:
    return _written(self.copy("C"), src, part, name)


def _written(out: np.ndarray, src: np.ndarray, part: Any, name: str) -> np.ndarray:
    view = part(out)
    if view.shape != src.shape:
        raise RuntimeError(
            f"expected src to have a size equal to the {name} of self. src size = {list(src.shape)}, {name} size = "
            f"{list(view.shape)}"
        )
    view[...] = src
    return out


def _as_strided_scatter(
    self: np.ndarray, src: np.ndarray, size: Any, stride: Any, storage_offset: int | None = None
) -> np.ndarray:
    """The copy keeps the place of `self` in its memory, from which the offset counts."""
    memory, start = memory_of(np.asarray(self))
    out = np.lib.stride_tricks.as_strided(memory.copy()[start:], self.shape, self.strides)
    return _written(out, src, lambda out: AS_STRIDED.forward(out, size, stride, storage_offset), "slice")


def _inside(grad: Any, size: Any, stride: Any, storage_offset: int | None) -> Any:
    part = AS_STRIDED(grad, size, stride, storage_offset)
    return AS_STRIDED_SCATTER(NEW_ZEROS(grad, grad.shape), part, size, stride, storage_offset)


def _without(grad: Any, src_sym_sizes: tuple[int, ...], op: Op, *where: Any) -> Any:
    return op(grad, NEW_ZEROS(grad, src_sym_sizes), *where)


SLICE_SCATTER = Op(
    "slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor",
    lambda self, src, dim=0, start=None, end=None, step=1: _replaced(
        self, src, lambda out: SLICE.forward(out, dim, start, end, step), "slice"
    ),
    "SliceScatterBackward0",
    {
        "self": Grad(
            lambda grad, src_sym_sizes, dim, start, end, step: _without(
                grad, src_sym_sizes, SLICE_SCATTER, dim, start, end, step
            ),
            r"[[grad]]_{\text{elsewhere}}",
        ),
        "src": Grad(
            lambda grad, dim, start, end, step: SLICE(grad, dim, start, end, step), r"[[grad]]_{[[start]]:[[end]]}"
        ),
    },
    r"[[self]]_{[[start]]:[[end]]} \leftarrow [[src]]",
    samples=lambda rng: [
        {"self": rng.normal(size=(4, 2)), "src": rng.normal(size=(2, 2)), "dim": 0, "start": 1, "end": 3}
    ],
)
SELECT_SCATTER = Op(
    "select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
    lambda self, src, dim, index: _replaced(self, src, lambda out: SELECT.forward(out, dim, index), "slice"),
    "SelectScatterBackward0",
    {
        "self": Grad(
            lambda grad, src_sym_sizes, dim, index: _without(grad, src_sym_sizes, SELECT_SCATTER, dim, index),
            r"[[grad]]_{\text{elsewhere}}",
        ),
        "src": Grad(lambda grad, dim, index: SELECT(grad, dim, index), r"[[grad]]_{[[index]]}"),
    },
    r"[[self]]_{[[index]]} \leftarrow [[src]]",
    samples=lambda rng: [{"self": rng.normal(size=(4, 2)), "src": rng.normal(size=4), "dim": 1, "index": -1}],
)
DIAGONAL_SCATTER = Op(
    "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
    lambda self, src, offset=0, dim1=0, dim2=1: _replaced(
        self, src, lambda out: DIAGONAL.forward(out, offset, dim1, dim2), "slice"
    ),
    "DiagonalScatterBackward0",
    {
        "self": Grad(
            lambda grad, src_sym_sizes, offset, dim1, dim2: _without(
                grad, src_sym_sizes, DIAGONAL_SCATTER, offset, dim1, dim2
            ),
            r"[[grad]]_{\text{elsewhere}}",
        ),
        "src": Grad(
            lambda grad, offset, dim1, dim2: DIAGONAL(grad, offset, dim1, dim2), r"\operatorname{diag}([[grad]])"
        ),
    },
    r"\operatorname{diag}([[self]]) \leftarrow [[src]]",
    samples=lambda rng: [
        {"self": rng.normal(size=(3, 3)), "src": rng.normal(size=3)},
        {"self": rng.normal(size=(2, 2, 3)), "src": rng.normal(size=(2, 2)), "offset": 1, "dim1": 1, "dim2": 2},
    ],
)
AS_STRIDED_SCATTER = Op(
    "as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None)"
    " -> Tensor",
    _as_strided_scatter,
    "AsStridedScatterBackward0",
    {
        "self": Grad(
            lambda grad, size, stride, storage_offset: _inside(contiguous(grad), size, stride, storage_offset),
            r"[[grad]]_{\text{there}}",
        ),
        "src": Grad(
            lambda grad, size, stride, storage_offset: AS_STRIDED(contiguous(grad), size, stride, storage_offset),
            r"\operatorname{strided}([[grad]])",
        ),
    },
    r"\operatorname{strided}([[self]]) \leftarrow [[src]]",
    unchecked="PyTorch's gradient of `self` is what arrives where `src` was written, instead of everywhere else",
    example="torch.as_strided_scatter(torch.zeros(4), torch.ones(2), (2,), (2,))",
)
