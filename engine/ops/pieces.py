"""Views that cut a tensor into several pieces."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.checks import wrap_dim, wrap_real_dim
from engine.ops.copy import NEW_ZEROS
from engine.ops.join import CAT, STACK

_ALL = slice(None)


def _split(self: np.ndarray, split_size: int, dim: int = 0) -> tuple[np.ndarray, ...]:
    if not self.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    d = wrap_dim(dim, self.ndim)
    length = self.shape[d]
    if split_size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size}")
    if split_size == 0 and length:
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {length}")
    lead = (_ALL,) * d
    starts = range(0, length, split_size) if length else (0,)
    return tuple(self[(*lead, slice(i, i + split_size))] for i in starts)


def split_sizes_of(split_size: int, dim: int, sizes: Sequence[int]) -> list[int]:
    """Lengths of the pieces of `split_size` along a dimension."""
    length = sizes[dim]
    return [min(split_size, length - i) for i in range(0, length, split_size)] if length else [0]


def _split_with_sizes(self: np.ndarray, split_sizes: Sequence[int], dim: int = 0) -> tuple[np.ndarray, ...]:
    if not self.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    d = wrap_dim(dim, self.ndim)
    lead, start, parts = (_ALL,) * d, 0, []
    for n in split_sizes:
        if n < 0:
            raise RuntimeError(
                "split_with_sizes expects split_sizes have only non-negative entries, but got "
                f"split_sizes={list(split_sizes)}"
            )
        parts.append(self[(*lead, slice(start, start + n))])
        start += n
    if start != self.shape[d]:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {self.shape[d]} (input tensor's size at dimension "
            f"{dim}), but got split_sizes={list(split_sizes)}"
        )
    return tuple(parts)


def _join_pieces(grads: Sequence[Any], split_sizes: Sequence[int], dim: int, sizes: Sequence[int]) -> Any:
    like = next(g for g in grads if g is not None)
    pieces = []
    for g, n in zip(grads, split_sizes, strict=True):
        shape = list(sizes)
        shape[dim] = n
        pieces.append(NEW_ZEROS(like, shape) if g is None else g)
    return CAT(pieces, dim)


def _unbind(self: np.ndarray, dim: int = 0) -> tuple[np.ndarray, ...]:
    d = wrap_real_dim(wrap_dim(dim, self.ndim), self.ndim)
    lead = (_ALL,) * d
    return tuple(self[(*lead, i, ...)] for i in range(self.shape[d]))


def _unbind_back(grads: Sequence[Any], dim: int) -> Any:
    like = next(g for g in grads if g is not None)
    return STACK([NEW_ZEROS(like, like.shape) if g is None else g for g in grads], dim)


SPLIT = Op(
    "split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
    _split,
    "SplitBackward0",
    {
        "self": Grad(
            lambda grads, self_sym_sizes, split_size, dim: _join_pieces(
                grads, split_sizes_of(split_size, dim, self_sym_sizes), dim, self_sym_sizes
            ),
            r"\operatorname{cat}([[grad]])",
        )
    },
    r"\operatorname{split}_{[[split_size]]}([[self]])",
    view=True,
    samples=lambda rng: [
        {"self": rng.normal(size=(5, 2)), "split_size": 2},
        {"self": rng.normal(size=(2, 4)), "split_size": 2, "dim": -1},
    ],
)
SPLIT_WITH_SIZES = Op(
    "split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
    _split_with_sizes,
    "SplitWithSizesBackward0",
    {
        "self": Grad(
            lambda grads, self_sym_sizes, split_sizes, dim: _join_pieces(grads, split_sizes, dim, self_sym_sizes),
            r"\operatorname{cat}([[grad]])",
        )
    },
    r"\operatorname{split}([[self]])",
    view=True,
    samples=lambda rng: [
        {"self": rng.normal(size=(5, 2)), "split_sizes": (2, 0, 3)},
        {"self": rng.normal(size=(2, 3)), "split_sizes": (1, 2), "dim": -1},
    ],
)
UNBIND = Op(
    "unbind.int(Tensor self, int dim=0) -> Tensor[]",
    _unbind,
    "UnbindBackward0",
    {"self": Grad(_unbind_back, r"\operatorname{stack}([[grad]])")},
    r"\operatorname{unbind}([[self]])",
    view=True,
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "dim": d} for d in (0, -1)] + [{"self": rng.normal(size=4)}],
)
UNSAFE_SPLIT = Op(
    "unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
    # Pieces that may be changed in place: PyTorch does not treat them as views either.
    _split,
    "UnsafeSplitBackward0",
    {
        "self": Grad(
            lambda grads, self_sym_sizes, split_size, dim: _join_pieces(
                grads, split_sizes_of(split_size, dim, self_sym_sizes), dim, self_sym_sizes
            ),
            r"\operatorname{cat}([[grad]])",
        )
    },
    r"\operatorname{split}_{[[split_size]]}([[self]])",
    samples=lambda rng: [{"self": rng.normal(size=(5, 2)), "split_size": 2}],
)
UNSAFE_SPLIT_WITH_SIZES = Op(
    "unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
    _split_with_sizes,
    "UnsafeSplitWithSizesBackward0",
    SPLIT_WITH_SIZES.grads,
    r"\operatorname{split}([[self]])",
    samples=SPLIT_WITH_SIZES.samples,
)
