"""Views of an array with any shape and strides, without the cost of numpy's own `as_strided`."""

import numpy as np

from engine.storage import owner_of

Ints = tuple[int, ...]


def strided_view(array: np.ndarray, shape: Ints, strides: Ints) -> np.ndarray:
    """A view of `array` from its first element on. Strides are in bytes; the caller answers for the bounds."""
    if type(array) is np.ndarray and array.flags.c_contiguous and array.size:
        # An array is its own buffer: five times faster than numpy's as_strided.
        return np.ndarray(shape, array.dtype, array, 0, strides)
    return np.lib.stride_tricks.as_strided(array, shape, strides)


def broadcast_view(array: np.ndarray, shape: Ints) -> np.ndarray:
    """`array` seen with a broadcast shape: stride 0 wherever it is repeated."""
    if array.shape == shape:
        return array
    lead = len(shape) - array.ndim
    strides = tuple(
        0 if n == 1 and m != 1 else s for n, m, s in zip(array.shape, shape[lead:], array.strides, strict=True)
    )
    for d in reversed(range(lead)):  # a new dimension of length 1 steps over what follows it
        strides = (shape[d + 1] * strides[0] if shape[d] == 1 and strides and array.ndim else 0, *strides)
    return strided_view(array, shape, strides)


def element_strides(array: np.ndarray) -> Ints:
    """Strides counted in elements."""
    return tuple(s // array.itemsize for s in array.strides)


def memory_of(array: np.ndarray) -> tuple[np.ndarray, int]:
    """The flat memory an array looks into, and the position of the array's first element in it."""
    owner = owner_of(array)
    flat = owner.ravel("K")
    if flat.size and not np.may_share_memory(flat, owner):
        raise RuntimeError("as_strided: the memory of this tensor has gaps")
    if flat.dtype != array.dtype:  # read as another dtype
        flat = flat.view(np.uint8)[: flat.nbytes // array.itemsize * array.itemsize].view(array.dtype)
    offset = array.__array_interface__["data"][0] - flat.__array_interface__["data"][0]
    return flat, offset // array.itemsize
