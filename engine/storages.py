"""`tensor.storage()` and `tensor.untyped_storage()`: the flat memory behind a tensor, as elements and as bytes."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.device import CPU, device
from engine.dtypes import dtype
from engine.warning import warn_once

_TYPED_IS_OLD = (
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class. "
    "This should only matter to you if you are using storages directly.  To access UntypedStorage directly, use "
    "tensor.untyped_storage() instead of tensor.storage()"
)


class _Memory:
    """What both kinds share: `flat` are the numbers they show, on the memory itself."""

    flat: np.ndarray
    is_cuda = False

    @property
    def device(self) -> device:
        """Always the CPU."""
        return CPU

    def data_ptr(self) -> int:
        """Address of the first byte."""
        return self.flat.__array_interface__["data"][0]

    def nbytes(self) -> int:
        """Bytes in all."""
        return self.flat.nbytes

    def size(self) -> int:
        """Elements in all."""
        return self.flat.size

    __len__ = size

    def element_size(self) -> int:
        """Bytes of an element."""
        return self.flat.itemsize

    def tolist(self) -> list[Any]:
        """The elements."""
        return self.flat.tolist()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def _place(self, i: Any) -> int:
        n = self.flat.size
        if not -n <= i < n:
            raise IndexError(f"index {i} out of range for storage of size {n}")
        return i

    def _lines(self) -> str:
        return " " + "\n ".join(map(str, self.tolist())) + "\n"


class UntypedStorage(_Memory):
    """The bytes of a tensor's memory."""

    __module__ = "torch.storage"

    def __init__(self, tensor: Any):
        self._memory = tensor._memory()
        self.flat = self._memory.flat.view(np.uint8)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            part = object.__new__(UntypedStorage)
            part._memory, part.flat = self._memory, self.flat[i]
            return part
        if not isinstance(i, int):
            raise TypeError(f"can't index a torch.UntypedStorage with {type(i).__name__}")
        return self.flat[self._place(i)].item()

    def __setitem__(self, i: Any, v: Any) -> None:
        self.flat[i] = v

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UntypedStorage) and other._memory is self._memory

    def __hash__(self) -> int:
        return id(self._memory)

    def __repr__(self) -> str:
        return f"{self._lines()}[torch.storage.UntypedStorage(device=cpu) of size {len(self)}]"


class TypedStorage(_Memory):
    """The elements of a tensor's memory."""

    __module__ = "torch.storage"

    def __init__(self, tensor: Any):
        warn_once(_TYPED_IS_OLD)
        self.dtype: dtype = tensor.dtype
        flat = tensor._memory().flat
        self.flat = flat if flat.dtype == tensor._a.dtype else flat.view(np.uint8).view(tensor._a.dtype)

    def pickle_storage_type(self) -> str:
        """The name of old for storages of the dtype: "FloatStorage"."""
        return f"{self.dtype.torch_name}Storage"

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        if not isinstance(i, int):
            raise RuntimeError(f"can't index a {type(self)} with {type(i)}")
        return self.flat[self._place(i)].item()

    def __setitem__(self, i: Any, v: Any) -> None:
        if not isinstance(i, int | slice):
            raise RuntimeError(f"can't index a {type(self)} with {type(i)}")
        self.flat[i] = v

    def __repr__(self) -> str:
        return f"{self._lines()}[torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) of size {len(self)}]"


STORAGE: dict[str, Any] = {"TypedStorage": TypedStorage, "UntypedStorage": UntypedStorage}
