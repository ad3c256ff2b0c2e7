"""Parametrisations: a parameter that is computed from others each time it is read."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.modes import no_grad
from engine.nn.modules.container import ModuleDict, ModuleList
from engine.nn.modules.module import Module
from engine.nn.parameter import Parameter
from engine.tensor import TensorBase


class _Cache:
    """Values computed inside `cached()`."""

    def __init__(self) -> None:
        self.depth = 0
        self.values: dict[tuple[int, str], Any] = {}


_CACHE = _Cache()


@contextmanager
def cached() -> Iterator[None]:
    """Inside, a parametrised tensor is computed once."""
    _CACHE.depth += 1
    try:
        yield
    finally:
        _CACHE.depth -= 1
        if not _CACHE.depth:
            _CACHE.values.clear()


class ParametrizationList(ModuleList):
    """The chain of parametrisations of one tensor, with the tensor(s) it starts from."""

    def __init__(self, modules: list[Module], original: Any, unsafe: bool = False) -> None:
        if not modules:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        new: Any = original
        with no_grad():
            for module in reversed(self):
                if hasattr(module, "right_inverse"):
                    new = module.right_inverse(new)
        self.is_tensor = isinstance(new, TensorBase)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            self.original = _as_parameter(original, new)
        else:
            for i, part in enumerate(new):
                setattr(self, f"original{i}", Parameter(part, original.requires_grad))
        if not unsafe:
            self._check(original)

    def _check(self, original: Any) -> None:
        with no_grad():
            value = self()
        if not isinstance(value, TensorBase):
            raise ValueError(f"A parametrization must return a tensor. Got {type(value).__name__}.")
        if value.dtype is not original.dtype:
            raise ValueError(
                "Registering a parametrization may not change the dtype of the tensor, unless `unsafe` flag is "
                "enabled.\n"
                f"unparametrized dtype: {original.dtype}\nparametrized dtype: {value.dtype}"
            )
        if value.shape != original.shape:
            raise ValueError(
                "Registering a parametrization may not change the shape of the tensor, unless `unsafe` flag is "
                "enabled.\n"
                f"unparametrized shape: {original.shape}\nparametrized shape: {value.shape}"
            )

    def right_inverse(self, value: Any) -> None:
        """Set the original tensor(s) so that the parametrised one becomes `value`."""
        with no_grad():
            for module in reversed(self):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            if self.is_tensor:
                self.original.data = value.data
            else:
                for i, part in enumerate(value):
                    getattr(self, f"original{i}").data = part.data

    def forward(self) -> Any:
        """The parametrised tensor."""
        if self.is_tensor:
            x = self[0](self.original)
        else:
            x = self[0](*(getattr(self, f"original{i}") for i in range(self.ntensors)))
        for module in list(self)[1:]:
            x = module(x)
        return x


def _as_parameter(original: Any, new: Any) -> Any:
    if isinstance(original, Parameter):
        if new is original:
            return original
        original.data = new.data
        return original
    return new


def _property(name: str) -> property:
    def read(self: Any) -> Any:
        if not _CACHE.depth:
            return self.parametrizations[name]()
        key = (id(self), name)
        if key not in _CACHE.values:
            _CACHE.values[key] = self.parametrizations[name]()
        return _CACHE.values[key]

    def write(self: Any, value: Any) -> None:
        self.parametrizations[name].right_inverse(value)

    return property(read, write)


def is_parametrized(module: Any, tensor_name: str | None = None) -> bool:
    """Whether a module (or one tensor of it) has a parametrisation."""
    held = getattr(module, "parametrizations", None)
    if not isinstance(held, ModuleDict):
        return False
    return len(held) > 0 if tensor_name is None else tensor_name in held


def type_before_parametrizations(module: Any) -> type:
    """The class a parametrised module had."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def register_parametrization(module: Any, tensor_name: str, parametrization: Any, *, unsafe: bool = False) -> Any:
    """Compute a tensor of a module by a parametrisation from now on. Raises ValueError for a name that is not there."""
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        module.parametrizations[tensor_name].append(parametrization)
        return module
    if tensor_name not in module._parameters and tensor_name not in module._buffers:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
            f"'{tensor_name}'"
        )
    original = getattr(module, tensor_name)
    chain = ParametrizationList([parametrization], original, unsafe=unsafe)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        cls = type(module)
        module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), {"__module__": cls.__module__})
        module.parametrizations = ModuleDict()
    setattr(type(module), tensor_name, _property(tensor_name))
    module.parametrizations[tensor_name] = chain
    return module


def remove_parametrizations(module: Any, tensor_name: str, leave_parametrized: bool = True) -> Any:
    """Make a tensor an ordinary one again, with its present or its original value."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    chain = module.parametrizations[tensor_name]
    if chain.is_tensor:
        original = chain.original
        if leave_parametrized:
            with no_grad():
                original.data = getattr(module, tensor_name).data
    else:
        if not leave_parametrized:
            raise ValueError(
                "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms "
                "of a sequence "
                "of tensors."
            )
        value = getattr(module, tensor_name)
        original = Parameter(value.data, value.requires_grad) if value.requires_grad else value
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    if isinstance(original, Parameter):
        module.register_parameter(tensor_name, original)
    else:
        module.register_buffer(tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


__all__ = [
    "ParametrizationList", "cached", "is_parametrized", "register_parametrization", "remove_parametrizations",
    "type_before_parametrizations",
]  # fmt: skip
