"""Linear equations between tensors taken for matrices, and matrices of powers."""

from math import prod
from typing import Any

from engine import dtypes
from engine.composite import composite
from engine.composites.solving import invert, solve
from engine.ops.join import CAT, FLIP
from engine.ops.products import CUMPROD
from engine.ops.slicing import DIAGONAL
from engine.ops.views import EXPAND, PERMUTE, UNSQUEEZE

_LINALG = ("linalg",)


@composite("linalg_tensorinv(Tensor self, int ind=2) -> Tensor", where=_LINALG)
def tensorinv(self: Any, ind: int = 2) -> Any:
    """The inverse of a tensor taken for a matrix of its first `ind` and its other dimensions."""
    if ind <= 0:
        raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
    first, last = tuple(self.shape[:ind]), tuple(self.shape[ind:])
    if prod(first) != prod(last):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got "
            f"{prod(last)} != {prod(first)}"
        )
    return invert(self.reshape((prod(first), prod(last)))).reshape((*last, *first))


@composite("linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor", where=_LINALG)
def tensorsolve(self: Any, other: Any, dims: Any = None) -> Any:
    """The solution X of tensordot(self, X, X.ndim) = other."""
    if dims is not None:
        moved = [d % self.ndim for d in dims]
        self = PERMUTE(self, (*(d for d in range(self.ndim) if d not in moved), *moved))
    shape = tuple(self.shape[other.ndim :])
    if prod(shape) != other.numel():
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), "
            f"but got {prod(shape)} != {other.numel()}"
        )
    return solve(self.reshape((prod(shape), prod(shape))), other.reshape((-1,))).reshape(shape)


@composite("linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor", where=_LINALG)
def linalg_vander(x: Any, N: int | None = None) -> Any:
    """Powers of every element, from the zeroth up."""
    if (x.dtype.itemsize == 2 and x.dtype.is_floating_point) or x.dtype.torch_name == "Bool":
        kind = x.dtype.torch_name
        raise RuntimeError(f"linalg.vander supports floating point, complex, and integer tensors, but got {kind}")
    if (x.shape[-1:] or (1,))[0] < 2 if N is None else N < 2:
        raise RuntimeError("N must be greater than 1.")
    return _powers(x, N)


def _powers(x: Any, N: int | None) -> Any:
    n = x.shape[-1] if N is None else N
    ones = x.new_ones((*x.shape, 1))
    if n <= 1:
        return ones[..., :n]
    powers = CUMPROD(EXPAND(UNSQUEEZE(x, -1), (*x.shape, n - 1)), -1)
    return CAT([ones, powers], -1)


@composite("vander(Tensor x, int? N=None, bool increasing=False) -> Tensor", where=("function",))
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """Powers of every element, from the highest down."""
    if x.ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    if N is not None and N < 0:
        raise RuntimeError("N must be non-negative.")
    powers = _powers(x.long() if x.dtype is dtypes.bool_ else x, N)
    return powers if increasing else FLIP(powers, (1,))


@composite("linalg_diagonal(Tensor A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor", where=_LINALG)
def linalg_diagonal(A: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """The diagonal of every matrix."""
    return DIAGONAL(A, offset, dim1, dim2)
