"""Memory of tensors: a flat numpy buffer, and the version counter that all views of it share."""

from functools import cache

import numpy as np

_LARGEST_HEAP_PIECE = 2**25 - 2**16  # bytes; glibc learns from pieces up to 32 MB


class Version:
    """How often in-place operations have changed some memory. Views and `detach()` share one."""

    __slots__ = ("n",)

    def __init__(self, n: int = 0):
        self.n = n


class Storage:
    """The flat memory that tensors are views of, in memory order."""

    __slots__ = ("flat", "resizable", "__weakref__")

    def __init__(self, flat: np.ndarray, resizable: bool = True):
        self.flat = flat
        self.resizable = resizable

    def address(self) -> int:
        """Address of the first byte."""
        return self.flat.__array_interface__["data"][0]


def owner_of(a: np.ndarray) -> np.ndarray:
    """The array that owns the memory `a` looks into, found through the chain of bases."""
    while a.base is not None:
        base = a.base
        if not isinstance(base, np.ndarray):  # what numpy's as_strided puts in between has a base of its own
            base = getattr(base, "base", None)
            if not isinstance(base, np.ndarray):
                break
        a = base
    return a


def storage_of(a: np.ndarray) -> Storage:
    """The whole memory that `a` is a view of, in memory order."""
    root = owner_of(a)
    order = sorted(range(root.ndim), key=lambda d: -abs(root.strides[d]))
    flat = root.transpose(order).reshape(-1)
    return Storage(flat if root.size == 0 or np.shares_memory(flat, root) else root.ravel())


@cache
def keep_freed_memory() -> None:
    """Let the C library keep the memory of freed arrays for the next ones, up to 64 MB.

    glibc hands memory back to the system from 128 kB on, and each array that follows pays for its pages anew, which
    costs several times what filling it does. Once it has seen a larger piece freed, it raises the limit to twice that
    piece: https://man7.org/linux/man-pages/man3/mallopt.3.html (M_MMAP_THRESHOLD). Elsewhere this does nothing. What it
    has learned it does not forget, so once is enough.
    """
    np.empty(_LARGEST_HEAP_PIECE, np.uint8)  # freed at once, and its pages never touched


def offset_of(a: np.ndarray, storage: Storage) -> int:
    """Elements between the start of the storage and the first element of `a`."""
    return (a.__array_interface__["data"][0] - storage.address()) // a.itemsize if a.size else 0


def strided(flat: np.ndarray, shape: tuple[int, ...], stride: tuple[int, ...], offset: int) -> np.ndarray:
    """A view of flat memory; sizes, strides and offset are in elements."""
    step = flat.itemsize
    return np.ndarray(shape, flat.dtype, flat, offset * step, tuple(s * step for s in stride))


def copied_storage(a: np.ndarray) -> np.ndarray:
    """The same view of a copy of the whole memory that `a` looks at."""
    if a.base is None:
        return a.copy("K")
    storage = storage_of(a)
    return np.ndarray(a.shape, a.dtype, storage.flat.copy(), offset_of(a, storage) * a.itemsize, a.strides)


def steps_by_rows(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Strides, in elements, of an array whose rows lie one after the other."""
    steps = [1]
    for n in shape[:0:-1]:
        steps.append(steps[-1] * max(n, 1))
    return tuple(reversed(steps)) if shape else ()


def strides_of(a: np.ndarray) -> tuple[int, ...]:
    """Strides in elements, as PyTorch counts them: for a dimension of size 1 or an empty array, the contiguous ones."""
    item = a.itemsize
    if not a.size and not any(a.strides):  # numpy leaves the strides of an empty result open
        return steps_by_rows(a.shape)
    return tuple(s // item for s in a.strides)
