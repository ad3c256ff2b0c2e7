"""Views of a part of a tensor: one index, a slice, a diagonal, windows; and their derivatives."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.checks import wrap_dim
from engine.ops.strided import memory_of, strided_view

LAST = 2**63 - 1
"""What ATen calls the end of a slice that has none."""
_ALL = slice(None)


def _select(self: np.ndarray, dim: int, index: int) -> np.ndarray:
    ndim = self.ndim
    if not ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, ndim)
    if not -self.shape[dim] <= index < self.shape[dim]:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(self.shape)} at dimension {dim}"
        )
    return self[(*(_ALL,) * dim, index, ...)]  # the ellipsis makes numpy give a view even of one element


def _select_backward(grad_output: np.ndarray, input_sizes: Sequence[int], dim: int, index: int) -> np.ndarray:
    out = np.zeros(input_sizes, grad_output.dtype)
    out[(*(_ALL,) * (dim % out.ndim), index)] = grad_output
    return out


def _slice(
    self: np.ndarray, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> np.ndarray:
    if not self.ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    return self[(*(_ALL,) * wrap_dim(dim, self.ndim), slice(start, end, step))]


def _slice_backward(
    grad_output: np.ndarray, input_sizes: Sequence[int], dim: int, start: int, end: int, step: int
) -> np.ndarray:
    out = np.zeros(input_sizes, grad_output.dtype)
    out[(*(_ALL,) * (dim % out.ndim), slice(start, end, step))] = grad_output
    return out


def _diagonal(self: np.ndarray, offset: int = 0, dim1: int = 0, dim2: int = 1) -> np.ndarray:
    a, b = wrap_dim(dim1, self.ndim), wrap_dim(dim2, self.ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    rows, columns = self.shape[a], self.shape[b]
    length = max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)
    rest = [d for d in range(self.ndim) if d not in (a, b)]
    cut = [_ALL] * self.ndim
    if length:
        cut[a if offset < 0 else b] = slice(abs(offset), None)
    start = self[tuple(cut)]
    shape = tuple(self.shape[d] for d in rest)
    strides = tuple(self.strides[d] for d in rest)
    return np.lib.stride_tricks.as_strided(start, (*shape, length), (*strides, self.strides[a] + self.strides[b]))


def _diagonal_backward(
    grad_output: np.ndarray, input_sizes: Sequence[int], offset: int, dim1: int, dim2: int
) -> np.ndarray:
    out = np.zeros(input_sizes, grad_output.dtype)
    _diagonal(out, offset, dim1, dim2)[...] = grad_output
    return out


def _unfold(self: np.ndarray, dimension: int, size: int, step: int) -> np.ndarray:
    d = wrap_dim(dimension, self.ndim)
    length, stride = (self.shape[d], self.strides[d]) if self.ndim else (1, self.itemsize)
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > length:
        raise RuntimeError(f"maximum size for tensor at dimension {d} is {length} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    if not self.ndim:
        return strided_view(np.asarray(self), (size,), (stride,))
    shape, strides = list(self.shape), list(self.strides)
    shape[d], strides[d] = (length - size) // step + 1, stride * step
    return strided_view(self, (*shape, size), (*strides, stride))


def _unfold_backward(grad_in: np.ndarray, input_sizes: Sequence[int], dim: int, size: int, step: int) -> np.ndarray:
    out = np.zeros(input_sizes, grad_in.dtype)
    windows = _unfold(out, dim, size, step)
    for i in range(size):  # windows overlap each other, but the i-th elements of all windows do not
        windows[..., i] += grad_in[..., i]
    return out


def _as_strided(
    self: np.ndarray, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> np.ndarray:
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(s < 0 for s in stride):
        raise RuntimeError(f"as_strided: Negative strides are not supported at the moment, got strides: {list(stride)}")
    flat, offset = memory_of(np.asarray(self))
    offset = offset if storage_offset is None else storage_offset
    if any(n < 0 for n in size):
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)} and strides={list(stride)}")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    needed = 0 if 0 in size else offset + 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    if needed > flat.size:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize "
            f"{flat.itemsize} requiring a storage size of {needed * flat.itemsize} are out of bounds for storage of "
            f"size {flat.nbytes}"
        )
    strides = tuple(s * flat.itemsize for s in stride)
    return np.lib.stride_tricks.as_strided(flat[offset:], tuple(size), strides)


def _as_strided_backward(
    grad_output: np.ndarray,
    input_sizes: Sequence[int],
    input_strides: Sequence[int],
    size: Sequence[int],
    stride: Sequence[int],
    offset: int = 0,
) -> np.ndarray:
    """The gradient travels through the memory both look into; `offset` is counted from the input's first element."""
    before = max(-offset, 0)

    def reach(sizes: Sequence[int], strides: Sequence[int], start: int) -> int:
        return start + 1 + sum((n - 1) * s for n, s in zip(sizes, strides, strict=True)) if 0 not in sizes else 0

    length = max(reach(size, stride, offset + before), reach(input_sizes, input_strides, before), 1)
    at = np.arange(length)
    strided = np.lib.stride_tricks.as_strided
    out_at = strided(at[offset + before :], tuple(size), tuple(s * at.itemsize for s in stride))
    in_at = strided(at[before:], tuple(input_sizes), tuple(s * at.itemsize for s in input_strides))
    memory = np.zeros(length, grad_output.dtype)
    np.add.at(memory, out_at.reshape(-1), grad_output.reshape(-1))
    shares = np.bincount(in_at.reshape(-1), minlength=length)
    return (memory / np.maximum(shares, 1).astype(grad_output.dtype))[in_at]


def _as_strided_rule(
    grad: Any,
    self_geometry: tuple[Sequence[int], Sequence[int], int],
    size: Sequence[int],
    stride: Sequence[int],
    storage_offset: int | None,
) -> Any:
    sizes, strides, start = self_geometry
    offset = 0 if storage_offset is None else storage_offset - start
    return AS_STRIDED_BACKWARD(grad, sizes, strides, size, stride, offset)


SELECT = Op(
    "select.int(Tensor self, int dim, SymInt index) -> Tensor",
    _select,
    "SelectBackward0",
    {
        "self": Grad(
            lambda grad, self_sym_sizes, dim, index: SELECT_BACKWARD(grad, self_sym_sizes, dim, index),
            r"\operatorname{scatter}_{[[index]]}([[grad]])",
        )
    },
    r"[[self]]_{[[index]]}",
    view=True,
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3)), "dim": d, "index": i} for d, i in ((0, 1), (1, 0), (-1, -1))
    ],
)
SELECT_BACKWARD = Op(
    "select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor",
    _select_backward,
    "SelectBackwardBackward0",
    {"grad_output": Grad(lambda grad, dim, index: SELECT(grad, dim, index), r"[[grad]]_{[[index]]}")},
    r"\operatorname{scatter}_{[[index]]}([[grad_output]])",
    where=(),
    samples=lambda rng: [
        {"grad_output": rng.normal(size=3), "input_sizes": (2, 3), "dim": 0, "index": 1},
        {"grad_output": rng.normal(size=(2, 3)), "input_sizes": (2, 4, 3), "dim": 1, "index": -1},
    ],
)
SLICE = Op(
    "slice.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor",
    _slice,
    "SliceBackward0",
    {
        "self": Grad(
            lambda grad, self_sym_sizes, dim, start, end, step: SLICE_BACKWARD(
                grad, self_sym_sizes, dim, start or 0, LAST if end is None else end, step
            ),
            r"\operatorname{pad}([[grad]])",
        )
    },
    r"[[self]]_{[[start]]:[[end]]}",
    view=True,
    where=(),
    samples=lambda rng: [
        {"self": rng.normal(size=(5, 3)), "dim": 0, "start": 1, "end": 4},
        {"self": rng.normal(size=(3, 5)), "dim": -1, "start": None, "end": None, "step": 2},
        {"self": rng.normal(size=(3, 2)), "dim": 0, "start": -2, "end": LAST},
    ],
)
NARROW_COPY = Op(
    "narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor",
    lambda self, dim, start, length: _slice(self, dim, start, start + length, 1).copy(),
    "NarrowCopyBackward0",
    {
        "self": Grad(
            lambda grad, self_sym_sizes, dim, start, length: SLICE_BACKWARD(
                grad, self_sym_sizes, dim, start, start + length, 1
            ),
            r"\operatorname{pad}([[grad]])",
        )
    },
    r"[[self]]_{[[start]]:[[start]]+[[length]]}",
    where=(),
    samples=lambda rng: [{"self": rng.normal(size=(3, 5)), "dim": -1, "start": 1, "length": 2}],
)
SLICE_BACKWARD = Op(
    "slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) "
    "-> Tensor",
    _slice_backward,
    "SliceBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, dim, start, end, step: SLICE(grad, dim, start, end, step), r"[[grad]]_{[[start]]:[[end]]}"
        )
    },
    r"\operatorname{pad}([[grad_output]])",
    where=(),
    samples=lambda rng: [
        {"grad_output": rng.normal(size=(2, 3)), "input_sizes": (4, 3), "dim": 0, "start": 1, "end": 3, "step": 1},
        {"grad_output": rng.normal(size=(2, 2)), "input_sizes": (2, 5), "dim": 1, "start": 0, "end": 4, "step": 2},
    ],
)
DIAGONAL = Op(
    "diagonal(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
    _diagonal,
    "DiagonalBackward0",
    {
        "self": Grad(
            lambda grad, self_sym_sizes, offset, dim1, dim2: DIAGONAL_BACKWARD(
                grad, self_sym_sizes, offset, dim1, dim2
            ),
            r"\operatorname{diag}([[grad]])",
        )
    },
    r"\operatorname{diag}([[self]])",
    view=True,
    samples=lambda rng: (
        [{"self": rng.normal(size=(3, 4)), "offset": k} for k in (0, 1, -2, 9)]
        + [{"self": rng.normal(size=(2, 3, 3)), "dim1": -2, "dim2": -1}]
    ),
)
DIAGONAL_BACKWARD = Op(
    "diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor",
    _diagonal_backward,
    "DiagonalBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, offset, dim1, dim2: DIAGONAL(grad, offset, dim1, dim2), r"\operatorname{diag}([[grad]])"
        )
    },
    r"\operatorname{diag}([[grad_output]])",
    where=(),
    samples=lambda rng: [
        {"grad_output": rng.normal(size=3), "input_sizes": (3, 4), "offset": 1, "dim1": 0, "dim2": 1},
        {"grad_output": rng.normal(size=(2, 2)), "input_sizes": (2, 2, 3), "offset": 0, "dim1": 1, "dim2": 2},
    ],
)
UNFOLD = Op(
    "unfold(Tensor self, int dimension, int size, int step) -> Tensor",
    _unfold,
    "UnfoldBackward0",
    {
        "self": Grad(
            lambda grad, self_sym_sizes, dimension, size, step: UNFOLD_BACKWARD(
                grad, self_sym_sizes, dimension, size, step
            ),
            r"\operatorname{fold}([[grad]])",
        )
    },
    r"\operatorname{windows}_{[[size]],[[step]]}([[self]])",
    view=True,
    where=("method",),
    samples=lambda rng: [{"self": rng.normal(size=(7, 2)), "dimension": 0, "size": 3, "step": s} for s in (1, 2, 4)],
)
UNFOLD_BACKWARD = Op(
    "unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor",
    _unfold_backward,
    "UnfoldBackwardBackward0",
    {"grad_in": Grad(lambda grad, dim, size, step: UNFOLD(grad, dim, size, step), r"\operatorname{windows}([[grad]])")},
    r"\operatorname{fold}([[grad_in]])",
    where=(),
    samples=lambda rng: [
        {"grad_in": rng.normal(size=(3, 3)), "input_sizes": (7,), "dim": 0, "size": 3, "step": 2},
        {"grad_in": rng.normal(size=(2, 4, 2)), "input_sizes": (2, 5), "dim": 1, "size": 2, "step": 1},
    ],
)
AS_STRIDED = Op(
    "as_strided(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor",
    _as_strided,
    "AsStridedBackward0",
    {"self": Grad(_as_strided_rule, r"\operatorname{strided}^{\top}([[grad]])")},
    r"\operatorname{strided}([[self]])",
    view=True,
    inplace=True,
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3)), "size": (2, 2), "stride": (2, 1)},
        {"self": rng.normal(size=6), "size": (2, 2), "stride": (1, 1), "storage_offset": 1},
    ],
)
AS_STRIDED_BACKWARD = Op(
    "_as_strided_backward(Tensor grad_output, int[] input_sizes, int[] input_strides, int[] size, int[] stride, "
    "int offset=0) -> Tensor",
    _as_strided_backward,
    "AsStridedBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, size, stride, offset: AS_STRIDED(grad, size, stride, offset),
            r"\operatorname{strided}([[grad]])",
        )
    },
    r"\operatorname{strided}^{\top}([[grad_output]])",
    where=(),
    samples=lambda rng: [
        {
            "grad_output": rng.normal(size=(2, 2)),
            "input_sizes": (6,),
            "input_strides": (1,),
            "size": (2, 2),
            "stride": (2, 1),
        },
        {
            "grad_output": rng.normal(size=3),
            "input_sizes": (2, 3),
            "input_strides": (3, 1),
            "size": (3,),
            "stride": (2,),
            "offset": 1,
        },
    ],
)
