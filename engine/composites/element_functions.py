"""Methods that change a tensor outside any graph: `apply_`, `map_`, `set_`, and about its memory."""

from typing import Any

import numpy as np

from engine.composite import composite, python_function
from engine.composites.factories import checked_size
from engine.creation import array_from, made
from engine.dispatch import run
from engine.inplace import check_inplace
from engine.modes import STATE
from engine.ops.views import ALIAS
from engine.tensor import TensorBase


def _changed(self: Any) -> Any:
    """After the data changed: a new version, and the observers told."""
    self._version_counter().n += 1
    for o in STATE.observers:
        o.on_data_set(self)
    return self


def _refuse_grad(self: Any, name: str) -> None:
    if self._needs_grad:
        raise RuntimeError(f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead.")


@composite("apply_(Tensor self, any callable) -> Tensor", where=("method",))
def apply_(self: Any, callable: Any) -> Any:
    """Replace each element by a function of it. Raises RuntimeError when the tensor requires grad."""
    _refuse_grad(self, "apply_")
    a = self._array()
    for place in np.ndindex(a.shape):
        a[place] = callable(a[place].item())
    return _changed(self)


@composite("map_(Tensor self, Tensor other, any callable) -> Tensor", where=("method",))
def map_(self: Any, other: Any, callable: Any) -> Any:
    """Replace each element by a function of it and another's. Raises RuntimeError when the tensor requires grad."""
    _refuse_grad(self, "map_")
    a, b = self._array(), np.broadcast_to(other._a, self._a.shape)
    for place in np.ndindex(a.shape):
        a[place] = callable(a[place].item(), b[place].item())
    return _changed(self)


def _of_the_kind(self: Any, other: Any, name: str) -> None:
    if other.dtype is not self.dtype:
        raise TypeError(f"map2_: expected {self.type()} for argument '{name}' (got {other.type()})")


@composite("map2_(Tensor self, Tensor x, Tensor y, any callable) -> Tensor", where=("method",))
def map2_(self: Any, x: Any, y: Any, callable: Any) -> Any:
    """Replace each element by a function of it and two others'. Raises RuntimeError when the tensor requires grad."""
    _of_the_kind(self, x, "x")
    _of_the_kind(self, y, "y")
    for t in (self, x, y):
        _refuse_grad(t, "map2_")
    a = self._array()
    b, c = np.broadcast_to(x._a, a.shape), np.broadcast_to(y._a, a.shape)
    for place in np.ndindex(a.shape):
        a[place] = callable(a[place].item(), b[place].item(), c[place].item())
    return _changed(self)


@python_function("method")
def module_load(self: Any, other: Any, assign: bool = False) -> Any:
    """What `load_state_dict` puts in the place of this parameter: its copy of `other`, or `other` itself."""
    return other.detach() if assign else self.copy_(other).detach()


@python_function("method")
def __reversed__(self: Any) -> Any:
    """The tensor from its last row to its first."""
    return self.flip(0) if self.ndim else self


@composite("set_(Tensor self, Tensor source) -> Tensor", where=("method",))
def set_(self: Any, source: Any) -> Any:
    """Take another tensor's memory and shape."""
    if self.dtype is not source.dtype:
        raise RuntimeError(
            f"Could not set tensor of type {source.dtype.cpp_name} to a tensor of type {self.dtype.cpp_name}"
        )
    check_inplace(self, self._needs_grad)
    self._a, self._storage = source._array(), source._memory()
    return _changed(self)


@python_function("method")
def share_memory_(self: Any) -> Any:
    """One process has all the memory here."""
    return self


@python_function("method")
def is_shared(self: Any) -> bool:
    """Whether other processes may see it: asked for and always granted."""
    return False


for _function in (share_memory_, is_shared, module_load, __reversed__):  # PyTorch writes these methods in Python
    _function.function.__qualname__ = f"Tensor.{_function.function.__name__}"


@python_function("method")
def is_pinned(self: Any) -> bool:
    """Never: there is no accelerator."""
    return False


@python_function("method")
def pin_memory(self: Any) -> Any:
    """There is no accelerator: PyTorch's own error."""
    raise RuntimeError("Cannot access accelerator device when none is available.")


@python_function("method")
def get_device(self: Any) -> int:
    """-1, the CPU."""
    return -1


@python_function("method")
def new(self: Any, *args: Any, device: Any = None) -> Any:
    """A tensor of this dtype from sizes or from data."""
    if args and isinstance(args[0], list | tuple) and type(args[0]).__name__ != "Size":
        return made(array_from(args[0], self.dtype), name="new")
    if args and isinstance(args[0], TensorBase):
        return run(ALIAS, [args[0]])
    size = tuple(args[0]) if args and not isinstance(args[0], int) else args
    return made(np.zeros(checked_size("new", size) if args else 0, self.dtype.numpy), name="new")
