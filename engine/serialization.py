"""`torch.save` and `torch.load`, into and from memory: the playground has no files.


hat is written is a zip-free pickle of its own kind: only this engine reads it again. Tensors that share memory share it
again after loading.
"""

import errno
import io
import os
import pickle
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any

import numpy as np

from engine.device import device
from engine.dtypes import by_name
from engine.generators import Generator
from engine.nn.parameter import Parameter
from engine.size import Size
from engine.storage import Storage, strided
from engine.tensor import Tensor, TensorBase

MAGIC = b"autograd playground\n"
NO_FILES = (
    "The playground has no files: {} works with an io.BytesIO. Write into `buffer = io.BytesIO()`, and read after "
    "`buffer.seek(0)`."
)
WEIGHTS_ONLY = (
    "Weights only load failed. This file can still be loaded, to do so you have two options, \x1b[1mdo those steps "
    "only if you trust the source of the checkpoint\x1b[0m. \n\t(1) In PyTorch 2.6, we changed the default value of "
    "the `weights_only` argument in `torch.load` from `False` to `True`. Re-running `torch.load` with `weights_only` "
    "set to `False` will likely succeed, but it can result in arbitrary code execution. Do it only if you got the "
    "file from a trusted source.\n\t(2) Alternatively, to load with `weights_only=True` please check the recommended "
    "steps in the following error message.\n\tWeightsUnpickler error: Unsupported global: GLOBAL {0} was not an "
    "allowed global by default. Please use `torch.serialization.add_safe_globals([{0}])` or the "
    "`torch.serialization.safe_globals([{0}])` context manager to allowlist this global if you trust this "
    "class/function.\n\nCheck the documentation of torch.load to learn more about types accepted by default with "
    "weights_only https://pytorch.org/docs/stable/generated/torch.load.html."
)


def save(
    obj: Any,
    f: Any,
    pickle_module: Any = None,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Write an object into a buffer in memory.

    Raises OSError for a file name, AttributeError for what cannot be written to.
    """
    if isinstance(f, str | PurePath):
        raise OSError(NO_FILES.format("torch.save"))
    if not hasattr(f, "write"):
        raise AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' attribute")
    content = io.BytesIO()
    _Pickler(content).dump(obj)
    f.write(MAGIC + content.getvalue())


def load(
    f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: bool | None = None,
    mmap: bool | None = None, **pickle_load_args: Any,
) -> Any:  # fmt: skip
    """Read back what `save` wrote into a buffer.

    With `weights_only`, which is the default, only tensors, numbers,
    texts and containers of them are read. Raises FileNotFoundError
    for a file name, EOFError for an empty buffer, UnpicklingError for anything else in it, RuntimeError for a
    `map_location` that is not here.
    """
    if isinstance(f, str | PurePath):
        missing = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(f))
        missing.add_note(NO_FILES.format("torch.load"))
        raise missing
    for needed in ("seek", "read"):
        if not hasattr(f, needed):
            raise AttributeError(
                f"'{type(f).__name__}' object has no attribute '{needed}'. You can only torch.load from a file that is "
                "seekable. Please pre-load the data into a buffer like io.BytesIO and try to load from it instead."
            )
    content = f.read()
    if not content:
        raise EOFError
    if not content.startswith(MAGIC):
        raise pickle.UnpicklingError("The playground reads only what its own torch.save wrote")
    return _Unpickler(io.BytesIO(content[len(MAGIC) :]), weights_only is not False, map_location).load()


def _memory(dtype: str, content: bytes) -> Storage:
    return Storage(np.frombuffer(content, by_name(dtype).numpy).copy())


def _tensor(
    cls: type, memory: Storage, shape: tuple[int, ...], stride: tuple[int, ...], offset: int, requires: bool, extra: Any
) -> Any:
    t: Any = object.__new__(cls)
    t._a = strided(memory.flat, shape, stride, offset)
    t._storage = memory
    t._requires = requires
    t.__dict__.update(extra)
    return t


class _Pickler(pickle.Pickler):
    """Writes each memory once, however many tensors are views of it. Graphs and gradients are not written."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, TensorBase):
            own = {k: v for k, v in obj.__dict__.items() if not k.startswith("_")}
            cls, memory = type(obj), obj._memory()
            where = (memory, tuple(obj.shape), obj.stride(), obj.storage_offset())
            return _tensor, (cls, *where, obj._needs_grad, own)
        if isinstance(obj, Storage):
            self._kept.append(obj)
            name = next(n for n in _NAMES if by_name(n).numpy == obj.flat.dtype)
            return _memory, (name, obj.flat.tobytes())
        if isinstance(obj, Generator):
            return _generator, (obj.get_state(),)
        return NotImplemented

    def __init__(self, file: Any):
        super().__init__(file, protocol=4)
        self._kept: list[Any] = []  # pickle's memo goes by id


_NAMES = (
    "float32", "float64", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64", "bool", "float16",
    "complex64", "complex128", "bfloat16",
)  # fmt: skip


def _generator(state: Any) -> Generator:
    return Generator().set_state(state)


class _Safe:
    """What may be read with `weights_only`."""

    always: tuple[Any, ...] = (
        _memory, _tensor, _generator, by_name, Tensor, Parameter, Size, OrderedDict, defaultdict, Counter, set, dict,
        list, bytearray, complex, slice,
    )  # fmt: skip
    added: tuple[Any, ...] = ()


def add_safe_globals(safe_globals: list[Any]) -> None:
    """Let `load` read these classes and functions with `weights_only`."""
    _Safe.added += tuple(safe_globals)


def get_safe_globals() -> list[Any]:
    """What was added."""
    return list(_Safe.added)


def clear_safe_globals() -> None:
    """Take back what was added."""
    _Safe.added = ()


@contextmanager
def safe_globals(safe_globals: list[Any]) -> Any:
    """Let `load` read these classes and functions inside the block."""
    before = _Safe.added
    add_safe_globals(safe_globals)
    try:
        yield
    finally:
        _Safe.added = before


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: Any, weights_only: bool, map_location: Any):
        super().__init__(file)
        self.weights_only, self.map_location = weights_only, map_location

    def find_class(self, module: str, name: str) -> Callable[..., Any]:
        found = super().find_class(module, name)
        if self.weights_only and not any(found is safe for safe in (*_Safe.always, *_Safe.added)):
            raise pickle.UnpicklingError(WEIGHTS_ONLY.format(f"{module}.{name}"))
        if found is _memory:
            _check_location(self.map_location)
        return found


def _check_location(where: Any) -> None:
    """Raise RuntimeError or TypeError for places that the memory of a tensor cannot be brought to."""
    if isinstance(where, dict):
        where = where.get("cpu", "cpu")
    if where is None or callable(where):
        return
    if not isinstance(where, str | device):
        raise TypeError(f"'{type(where).__name__}' object is not callable")
    kind = str(where)
    for absent in ("cuda", "xpu"):
        if kind.startswith(absent):
            raise RuntimeError(
                f"Attempting to deserialize object on a {absent.upper()} device but torch.{absent}.is_available() is "
                "False. If you are running on a CPU-only machine, please use torch.load with "
                "map_location=torch.device('cpu') to map your storages to the CPU."
            )
    if kind == "mps":
        raise RuntimeError("torch.UntypedStorage(): Storage device not recognized: mps")
    if kind not in ("cpu", "meta"):
        raise RuntimeError(
            f"don't know how to restore data location of torch.storage.UntypedStorage (tagged with {kind})"
        )


SERIALIZATION: dict[str, Any] = {
    "add_safe_globals": add_safe_globals, "clear_safe_globals": clear_safe_globals,
    "get_safe_globals": get_safe_globals, "load": load, "safe_globals": safe_globals, "save": save,
}  # fmt: skip
