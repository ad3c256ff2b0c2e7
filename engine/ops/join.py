"""Ops that put tensors together or arrange their elements anew: cat, stack, repeat, flip, roll, triangles."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.checks import wrap_dim, wrap_dims, wrap_real_dim
from engine.ops.copy import NEW_ZEROS
from engine.ops.layouts import by_rows, shaped_alike, shaped_like
from engine.ops.slicing import DIAGONAL, SELECT, SLICE
from engine.ops.triangle import lower, upper


def _cat(tensors: Sequence[np.ndarray], dim: int = 0) -> np.ndarray:
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    kept = [t for t in tensors if t.shape != (0,)]  # an empty vector goes with any shape
    if not kept:
        return tensors[0].copy()
    try:
        out = np.concatenate(kept, dim)
        return shaped_alike(kept, by_rows(out))
    except (ValueError, IndexError) as e:
        _explain_cat(tensors, kept, dim)
        raise RuntimeError(str(e)) from None


def _explain_cat(tensors: Sequence[np.ndarray], kept: Sequence[np.ndarray], dim: int) -> None:
    for i, t in enumerate(tensors):
        if t.ndim == 0:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    first = kept[0].shape
    d = wrap_dim(dim, len(first))
    for i, t in enumerate(tensors):
        if t.shape == (0,):
            continue
        if t.ndim != len(first):
            raise RuntimeError(f"Tensors must have same number of dimensions: got {len(first)} and {t.ndim}")
        for k, (n, m) in enumerate(zip(first, t.shape, strict=True)):
            if n != m and k != d:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {d}. Expected size {n} but got size {m} for "
                    f"tensor number {i} in the list."
                )


def _cat_back(grad: Any, dim: int, tensors_args_sizes: Sequence[Sequence[int]]) -> list[Any]:
    d = wrap_dim(dim, grad.ndim)
    out, start = [], 0
    for sizes in tensors_args_sizes:
        if tuple(sizes) == (0,):
            out.append(NEW_ZEROS(grad, (0,)))
            continue
        out.append(SLICE(grad, d, start, start + sizes[d]))
        start += sizes[d]
    return out


def _block_diag(tensors: Sequence[np.ndarray]) -> np.ndarray:
    for i, t in enumerate(tensors):
        if t.ndim > 2:
            raise RuntimeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {t.ndim} dimensions"
            )
    if not tensors:
        return np.zeros((1, 0), np.float32)
    blocks = [np.atleast_2d(t) for t in tensors]
    out = np.zeros(np.sum([b.shape for b in blocks], 0), np.result_type(*blocks))
    r = c = 0
    for b in blocks:
        out[r : r + b.shape[0], c : c + b.shape[1]] = b
        r, c = r + b.shape[0], c + b.shape[1]
    return out


def _block_diag_back(grad: Any, tensors_args_sizes: Sequence[Sequence[int]]) -> list[Any]:
    out, r, c = [], 0, 0
    for sizes in tensors_args_sizes:
        rows, columns = ((1, 1), (1, *sizes), tuple(sizes))[len(sizes)]
        block = SLICE(SLICE(grad, 0, r, r + rows), 1, c, c + columns)
        out.append(block.reshape(tuple(sizes)))
        r, c = r + rows, c + columns
    return out


def _stack(tensors: Sequence[np.ndarray], dim: int = 0) -> np.ndarray:
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    shape = tensors[0].shape
    d = wrap_dim(dim, len(shape) + 1)
    for i, t in enumerate(tensors):
        if t.shape != shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(shape)} at entry 0 and {list(t.shape)} at "
                f"entry {i}"
            )
    if d == 0 and shape:
        return shaped_alike(tensors, by_rows(np.concatenate(tensors))).reshape(len(tensors), *shape)
    rows = (*shape[:d], 1, *shape[d:])
    return by_rows(np.concatenate([t.reshape(rows) for t in tensors], d))


def _stack_back(grad: Any, dim: int) -> list[Any]:
    d = wrap_dim(dim, grad.ndim)
    return [SELECT(grad, d, i) for i in range(grad.shape[d])]


def _repeat(self: np.ndarray, repeats: Sequence[int]) -> np.ndarray:
    if len(repeats) < self.ndim:
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    shape = (1,) * (len(repeats) - self.ndim) + self.shape
    target = [n * r for n, r in zip(shape, repeats, strict=True)]
    if any(r < 0 for r in repeats):
        bad = next(n for n in target if n < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {bad}: {target}")
    paired = [n for pair in zip(repeats, shape, strict=True) for n in pair]
    split = np.reshape(self, [n for m in shape for n in (1, m)])
    out = np.broadcast_to(split, paired).reshape(target)
    return out if out.flags.owndata else out.copy()


def _repeat_back(grad: Any, repeats: Sequence[int], self_sym_sizes: Sequence[int]) -> Any:
    sizes = (1,) * (len(repeats) - len(self_sym_sizes)) + tuple(self_sym_sizes)
    grad = grad.reshape(tuple(n for pair in zip(repeats, sizes, strict=True) for n in pair))
    return grad.sum(tuple(range(0, 2 * len(sizes), 2))) if sizes else grad


def _flip(self: np.ndarray, dims: Sequence[int]) -> np.ndarray:
    if not self.ndim:
        wrap_dims(dims, 0)
        return self.copy()
    out = shaped_like(self)
    out[...] = np.flip(self, wrap_dims(dims, self.ndim))
    return out


def _roll(self: np.ndarray, shifts: Sequence[int], dims: Sequence[int] = ()) -> np.ndarray:
    if not shifts:
        raise RuntimeError("`shifts` required")
    if len(shifts) != len(dims) and (dims or len(shifts) != 1):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    if not dims:
        return np.roll(self, shifts[0]).reshape(self.shape)
    for d in dims if self.size else ():
        wrap_real_dim(d, self.ndim)
    return shaped_alike([self], by_rows(np.roll(self, tuple(shifts), tuple(dims)))) if self.size else self.copy()


def _rot90(self: np.ndarray, k: int = 1, dims: Sequence[int] = (0, 1)) -> np.ndarray:
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if self.ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {self.ndim}")
    if wrap_dim(dims[0], self.ndim) == wrap_dim(dims[1], self.ndim):
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
    a, b = dims
    match k % 4:
        case 1:
            return _flip(self, (b,)).swapaxes(a, b)
        case 2:
            return _flip(self, (a, b))
        case 3:
            return _flip(self, (a,)).swapaxes(a, b)
    return self.copy()


def _triangle(name: str, cut: Any) -> Any:
    def forward(self: np.ndarray, diagonal: int = 0) -> np.ndarray:
        if self.ndim < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        return by_rows(cut(self, diagonal))

    return forward


def _diag_embed(self: np.ndarray, offset: int = 0, dim1: int = -2, dim2: int = -1) -> np.ndarray:
    ndim = self.ndim + 1
    a, b = wrap_dim(dim1, ndim), wrap_dim(dim2, ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    n = self.shape[-1] + abs(offset)
    shape = list(self.shape[:-1])
    for d in sorted((a, b)):
        shape.insert(d, n)
    out = np.zeros(shape, self.dtype)
    DIAGONAL.forward(out, offset, a, b)[...] = self
    return out


def _lists(rng: np.random.Generator) -> list[dict[str, Any]]:
    return [
        {"tensors": [rng.normal(size=(2, 3)), rng.normal(size=(2, 3))], "dim": 1},
        {"tensors": [rng.normal(size=(2, 3)), rng.normal(size=(3, 2)).T], "dim": -2},
    ]


CAT = Op(
    "cat(Tensor[] tensors, int dim=0) -> Tensor",
    _cat,
    "CatBackward0",
    {"tensors": Grad(_cat_back, r"[[grad]]_{\text{part}}")},
    r"\operatorname{cat}([[tensors]])",
    promote="common",
    pointwise=False,
    where=("function",),
    samples=lambda rng: [*_lists(rng), {"tensors": [rng.normal(size=(1, 2)), rng.normal(size=(3, 2))], "dim": 0}],
)
STACK = Op(
    "stack(Tensor[] tensors, int dim=0) -> Tensor",
    _stack,
    "StackBackward0",
    {"tensors": Grad(_stack_back, r"[[grad]]_{\text{part}}")},
    r"\operatorname{stack}([[tensors]])",
    promote="common",
    pointwise=False,
    where=("function",),
    samples=lambda rng: [*_lists(rng), {"tensors": [rng.normal(size=()), rng.normal(size=())], "dim": 0}],
)
BLOCK_DIAG = Op(
    "block_diag(Tensor[] tensors) -> Tensor",
    _block_diag,
    "BlockDiagBackward0",
    {"tensors": Grad(_block_diag_back, r"[[grad]]_{\text{block}}")},
    r"\operatorname{diag}([[tensors]])",
    promote="common",
    pointwise=False,
    where=(),
    samples=lambda rng: [{"tensors": [rng.normal(size=(2, 3)), rng.normal(size=2), rng.normal(size=())]}],
)
REPEAT = Op(
    "repeat(Tensor self, SymInt[] repeats) -> Tensor",
    _repeat,
    "RepeatBackward0",
    {"self": Grad(_repeat_back, r"\textstyle\sum [[grad]]")},
    r"\operatorname{repeat}([[self]], [[repeats]])",
    where=("method",),
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3)), "repeats": (2, 1)},
        {"self": rng.normal(size=3), "repeats": (2, 2)},
        {"self": rng.normal(size=()), "repeats": (3,)},
    ],
)
FLIP = Op(
    "flip(Tensor self, int[] dims) -> Tensor",
    _flip,
    "FlipBackward0",
    {"self": Grad(lambda grad, dims: FLIP(grad, dims), r"\operatorname{flip}([[grad]], [[dims]])")},
    r"\operatorname{flip}([[self]], [[dims]])",
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "dims": d} for d in ((1,), (0, -1))],
)
ROLL = Op(
    "roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor",
    _roll,
    "RollBackward0",
    {
        "self": Grad(
            lambda grad, shifts, dims: ROLL(grad, tuple(-s for s in reversed(shifts)), tuple(reversed(dims))),
            r"\operatorname{roll}([[grad]], -[[shifts]])",
        )
    },
    r"\operatorname{roll}([[self]], [[shifts]])",
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3)), "shifts": (1,)},
        {"self": rng.normal(size=(2, 3)), "shifts": (1, -2), "dims": (0, 1)},
    ],
)
ROT90 = Op(
    "rot90(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor",
    _rot90,
    "Rot90Backward0",
    {"self": Grad(lambda grad, k, dims: ROT90(grad, -k, dims), r"\operatorname{rot90}([[grad]], -[[k]])")},
    r"\operatorname{rot90}([[self]], [[k]])",
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "k": k} for k in (0, 1, 2, 3, -1)],
)
TRIL = Op(
    "tril(Tensor self, SymInt diagonal=0) -> Tensor",
    _triangle("tril", lower),
    "TrilBackward0",
    {"self": Grad(lambda grad, diagonal: TRIL(grad, diagonal), r"\operatorname{tril}([[grad]])")},
    r"\operatorname{tril}([[self]])",
    inplace=True,
    samples=lambda rng: [{"self": rng.normal(size=(3, 4)), "diagonal": k} for k in (0, 1, -1)],
)
TRIU = Op(
    "triu(Tensor self, SymInt diagonal=0) -> Tensor",
    _triangle("triu", upper),
    "TriuBackward0",
    {"self": Grad(lambda grad, diagonal: TRIU(grad, diagonal), r"\operatorname{triu}([[grad]])")},
    r"\operatorname{triu}([[self]])",
    inplace=True,
    samples=lambda rng: [{"self": rng.normal(size=(2, 3, 4)), "diagonal": k} for k in (0, 1, -1)],
)
DIAG_EMBED = Op(
    "diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
    _diag_embed,
    "DiagEmbedBackward0",
    {
        "self": Grad(
            lambda grad, offset, dim1, dim2: DIAGONAL(grad, offset, dim1, dim2), r"\operatorname{diag}([[grad]])"
        )
    },
    r"\operatorname{diag}([[self]])",
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3))},
        {"self": rng.normal(size=3), "offset": -1},
        {"self": rng.normal(size=(2, 3)), "offset": 1, "dim1": 0, "dim2": 2},
    ],
)
