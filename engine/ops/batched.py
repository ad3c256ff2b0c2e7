"""The matrix product of operands with any number of dimensions, composed of plain ones as ATen composes it."""

from math import prod
from typing import Any

import numpy as np

from engine.ops.copy import contiguous
from engine.ops.linear import BMM, DOT, MM, MV
from engine.ops.views import EXPAND, SQUEEZE_DIM, TRANSPOSE, UNSAFE_VIEW, UNSQUEEZE, VIEW, T


def is_array(x: Any) -> bool:
    """Whether a rule is running on plain arrays, where there is no graph to keep in PyTorch's shape."""
    return not hasattr(x, "__torch_op__")


def varies(x: Any) -> bool:
    """Whether `x` stands for several samples at once, so that a rule cannot ask for its values."""
    return getattr(x, "varies", False)


def transposed(x: Any) -> Any:
    """Every matrix of a batch transposed."""
    return TRANSPOSE(x, -2, -1)


def adjoint(x: Any) -> Any:
    """Every matrix of a batch transposed, complex ones conjugated."""
    turned = transposed(x)
    return turned.conj() if getattr(x, "_a", x).dtype.kind == "c" else turned


def matmul(a: Any, b: Any) -> Any:
    """`a @ b`. Raises RuntimeError for scalars and for sizes that do not fit."""
    if is_array(a) and is_array(b):
        return np.matmul(a, b)
    n, m = a.ndim, b.ndim
    if n == 2 and m == 2:
        return MM(a, b)
    if not n or not m:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {n}D and {m}D")
    if n <= 2 and m <= 2:
        if m == 2:
            return MM(UNSQUEEZE(a, 0), b).squeeze_(0)
        return DOT(a, b) if n == 1 else MV(a, b)
    if _folds(a, b):
        return _folded(a, b)
    return _batched(a, b)


def _folds(a: Any, b: Any) -> bool:
    """Whether one operand is a matrix or a vector that all matrices of the other share, so that one product does."""
    large, small = (a, b) if a.ndim >= b.ndim else (b, a)
    if large.ndim < 3 or small.ndim > 2:
        return False
    if small._needs_grad:  # its gradient would otherwise be made once per matrix
        return True
    if a.ndim == 2:
        return False
    sizes, strides = list(large.shape), list(large.stride())
    if large is b:
        sizes[-2:], strides[-2:] = sizes[:-3:-1], strides[:-3:-1]
    if 0 in sizes:
        return True
    return all(strides[i] == strides[i + 1] * sizes[i + 1] for i in range(len(sizes) - 2))


def _folded(a: Any, b: Any) -> Any:
    swap = b.ndim > a.ndim
    large = transposed(b) if swap else a
    small = b if not swap else T(a) if a.ndim == 2 else a
    lead = tuple(large.shape[:-1])
    flat = _reshaped(large, (prod(lead), large.shape[-1]))
    if small.ndim == 1:
        return UNSAFE_VIEW(MV(flat, small), lead)
    product = UNSAFE_VIEW(MM(flat, small), (*lead, small.shape[1]))
    return contiguous(transposed(product)) if swap else product


def _batched(a: Any, b: Any) -> Any:
    of_a, of_b = tuple(a.shape), tuple(b.shape)
    rank_a, rank_b = len(of_a), len(of_b)
    n, inner = of_a[-2:] if rank_a > 1 else (1, of_a[0])
    rows, p = of_b[-2:] if rank_b > 1 else (of_b[0], 1)
    lead_a, lead_b = of_a[:-2], of_b[:-2]
    if rank_a == 3 == rank_b and lead_a != lead_b:
        if of_a[0] == 1 and a._needs_grad:
            return matmul(SQUEEZE_DIM(a, 0), b)
        if of_b[0] == 1 and b._needs_grad:
            return matmul(a, SQUEEZE_DIM(b, 0))
    batch = lead_a if lead_a == lead_b else batch_shape(lead_a, lead_b)
    count = prod(batch)
    left = _reshaped(EXPAND(a, (*batch, n, inner)), (count, n, inner))
    if len(of_b) == 1:
        right = UNSQUEEZE(_reshaped(EXPAND(b, (*batch, rows)), (count, rows)), 2)
    else:
        right = _reshaped(EXPAND(b, (*batch, rows, p)), (count, rows, p))
    product = BMM(left, right)
    if len(of_a) == 1:
        return UNSAFE_VIEW(SQUEEZE_DIM(product, -2), (*batch, p))
    if len(of_b) == 1:
        return UNSAFE_VIEW(SQUEEZE_DIM(product, -1), (*batch, n))
    return UNSAFE_VIEW(product, (*batch, n, p))


def _reshaped(x: Any, shape: tuple[int, ...]) -> Any:
    return VIEW(x, shape) if x.is_contiguous() else x.reshape(shape)


def batch_shape(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """What two batch shapes broadcast to. Raises RuntimeError."""
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        n = max(len(a), len(b))
        for i in range(n - 1, -1, -1):
            x, y = (s[i - n + len(s)] if i - n + len(s) >= 0 else 1 for s in (a, b))
            if x != y and 1 not in (x, y):
                raise RuntimeError(
                    f"The size of tensor a ({x}) must match the size of tensor b ({y}) at non-singleton dimension {i}"
                ) from None
        raise
