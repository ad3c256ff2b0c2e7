"""Memory shared with other libraries of arrays by their common protocol: `__dlpack__`, `torch.from_dlpack`.

https://dmlc.github.io/dlpack/latest/python_spec.html; numpy makes and reads the capsules.
"""

from enum import IntEnum
from typing import Any

import numpy as np

from engine.creation import from_numpy_array
from engine.device import device as Device
from engine.tensor import Tensor, TensorBase

_INVALID = (
    "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you might have "
    "already constructed a tensor from it once."
)


class DLDeviceType(IntEnum):
    """Kinds of devices, by the protocol's numbers."""

    __module__ = "torch.utils.dlpack"

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17


class _Capsule:
    """What numpy asks for a capsule that is at hand already."""

    def __init__(self, capsule: Any):
        self._capsule = capsule

    def __dlpack__(self, **_asked: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return DLDeviceType.kDLCPU, 0


class _Writable:
    """The memory of an array, to be written to: PyTorch does not ask, and numpy takes what cannot say so as not."""

    def __init__(self, array: np.ndarray):
        self._array = array
        memory = array.__array_interface__
        self.__array_interface__ = {**memory, "data": (memory["data"][0], False)}


def exported(
    self: Any, *, stream: Any = -1, max_version: tuple[int, int] | None = None, dl_device: Any = None,
    copy: bool | None = None,
) -> Any:  # fmt: skip
    """A capsule that refers to the tensor's memory. Raises BufferError for a tensor that requires grad."""
    _refuse_recorded(self)
    if stream is not None and type(stream) is not int:
        raise TypeError("stream must be ``int`` or ``none``")
    if stream is not None and stream != -1:
        raise AssertionError("stream should be None on cpu.")
    return _capsule(self, max_version, copy)


def _refuse_recorded(t: Any) -> None:
    if t._needs_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")


def _capsule(t: Any, max_version: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
    if t._a.dtype.kind == "V":
        raise RuntimeError("Unsupported dtype in DLTensor.")  # as numpy says of bfloat16
    array = t._array()
    return (array.copy() if copy else array).__dlpack__(max_version=max_version)


def device_of(self: Any) -> tuple[IntEnum, int]:
    """Where the memory lies: the kind of device and its number."""
    return DLDeviceType.kDLCPU, 0


def to_dlpack(data: Any) -> Any:
    """A capsule that refers to a tensor's memory. Raises TypeError for anything else."""
    if not isinstance(data, TensorBase):
        raise TypeError(f"_to_dlpack(): argument 'data' (position 1) must be Tensor, not {type(data).__name__}")
    return _capsule(data)


def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor on the memory of an object with `__dlpack__`, or of a capsule.

    Raises RuntimeError for anything else and for a capsule that was used, BufferError for a tensor that requires grad.
    """
    if device is not None:
        Device(device)
    if isinstance(ext_tensor, TensorBase):
        _refuse_recorded(ext_tensor)
        made: Any = ext_tensor.detach()  # type: ignore[attr-defined]
    elif hasattr(ext_tensor, "__dlpack__"):
        made = _on(ext_tensor)
    elif '"dltensor"' in repr(ext_tensor) and type(ext_tensor).__name__ == "PyCapsule":
        made = _on(_Capsule(ext_tensor))
    else:
        raise RuntimeError(_INVALID)
    return made.clone() if copy else made


def _on(source: Any) -> Any:
    return from_numpy_array(np.asarray(_Writable(np.from_dlpack(source))))


DLPACK = {"DLDeviceType": DLDeviceType, "from_dlpack": from_dlpack, "to_dlpack": to_dlpack}
