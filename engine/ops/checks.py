"""What several kernels check of their arguments, worded as PyTorch words it."""

from collections.abc import Sequence


def wrap_dim(dim: int, ndim: int) -> int:
    """A dimension counted from the front. A 0-dimensional tensor has one, 0. Raises IndexError outside the range."""
    n = ndim or 1
    if not -n <= dim < n:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})")
    return dim + n if dim < 0 else dim


def wrap_real_dim(dim: int, ndim: int) -> int:
    """The same where a 0-dimensional tensor has no dimension. Raises IndexError for it too."""
    if not ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, ndim)


def wrap_dims(dims: Sequence[int], ndim: int) -> tuple[int, ...]:
    """Several dimensions, each at most once. Raises IndexError, and RuntimeError for one named twice."""
    seen: list[int] = []
    for d in dims:
        d = wrap_dim(d, ndim)
        if d in seen:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
        seen.append(d)
    return tuple(seen)
