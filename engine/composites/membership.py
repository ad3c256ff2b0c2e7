"""Whether elements are among others, and places in a tensor by its flat index."""

from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np

from engine.composite import composite, python_function
from engine.tensor import Tensor, TensorBase

_OPTIONS = "*, bool assume_unique=False, bool invert=False"


def _is_in(elements: Any, among: Any, invert: bool) -> Tensor:
    for x in (elements, among):
        if isinstance(x, TensorBase) and x._a.dtype.kind in "bc":
            raise RuntimeError(f"Unsupported input type encountered for isin(): {x.dtype.torch_name}")
    a, b = (x._a if isinstance(x, TensorBase) else np.asarray(x) for x in (elements, among))
    return Tensor._wrap(np.isin(a, b, invert=invert))


@composite(f"isin.Tensor_Tensor(Tensor elements, Tensor test_elements, {_OPTIONS}) -> Tensor", where=("function",))
def isin(elements: Any, test_elements: Any, assume_unique: bool, invert: bool) -> Tensor:
    """Which elements are among others."""
    return _is_in(elements, test_elements, invert)


@composite(f"isin.Tensor_Scalar(Tensor elements, Scalar test_element, {_OPTIONS}) -> Tensor", where=("function",))
def isin_number(elements: Any, test_element: Any, assume_unique: bool, invert: bool) -> Tensor:
    """Which elements are a number."""
    return _is_in(elements, test_element, invert)


@composite(f"isin.Scalar_Tensor(Scalar element, Tensor test_elements, {_OPTIONS}) -> Tensor", where=("function",))
def number_isin(element: Any, test_elements: Any, assume_unique: bool, invert: bool) -> Tensor:
    """Whether a number is among elements."""
    return _is_in(element, test_elements, invert)


@composite("is_set_to(Tensor self, Tensor tensor) -> bool", where=("method",))
def is_set_to(self: Any, tensor: Any) -> bool:
    """Whether two tensors are the same memory, seen the same way."""
    same = self._memory() is tensor._memory() and self.storage_offset() == tensor.storage_offset()
    return same and self.shape == tensor.shape and self.stride() == tensor.stride()


@python_function("function")
def unravel_index(indices: Any, shape: Any) -> Any:
    """The places in a tensor of a shape that flat indices stand for, one tensor per dimension.

    Raises TypeError for indices or a shape of another kind, ValueError for a negative size.
    """
    if indices.is_complex() or indices.is_floating_point() or indices.dtype.torch_name == "Bool":
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if isinstance(shape, TensorBase) or not isinstance(shape, int | list | tuple):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    sizes = [shape] if isinstance(shape, int) else list(shape)
    for n in sizes:
        if not isinstance(n, int):
            raise TypeError(f"expected 'shape' sequence to only contain ints, but got {type(n)}")
    if any(n < 0 for n in sizes):
        raise ValueError(f"'shape' cannot have negative values, but got {tuple(sizes)}")
    steps = list(accumulate([1, *reversed(sizes[1:])], mul))[::-1] if sizes else []
    whole = Tensor._wrap(np.array(sizes, np.int64))
    places = indices.unsqueeze(-1).floor_divide(Tensor._wrap(np.array(steps, np.int64))) % whole
    return places.unbind(-1)
