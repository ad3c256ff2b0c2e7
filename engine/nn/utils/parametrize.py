"""Parametrisations: a parameter that is computed from others each time it is read."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
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
        like = original.detach()
        new: Any = original
        with no_grad():
            for module in reversed(self):
                with suppress(NotImplementedError):
                    new = module.right_inverse(new) if hasattr(module, "right_inverse") else new
        if not isinstance(new, TensorBase | Sequence):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(new).__name__}"
            )
        self.is_tensor = isinstance(new, TensorBase)
        self.ntensors = 1 if self.is_tensor else len(new)
        if isinstance(new, TensorBase):
            if original.dtype is not new.dtype:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                    f"original.dtype: {original.dtype}\nright_inverse(original).dtype: {new.dtype}"
                )
            with no_grad():
                original.set_(new)
            _register(self, "original", original)
        else:
            for i, part in enumerate(new):
                if not isinstance(part, TensorBase):
                    raise ValueError(
                        "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                        f"Got element {i} of the sequence with type {type(part).__name__}."
                    )
                part = Parameter(part, original._needs_grad) if isinstance(original, Parameter) else part
                _register(self, f"original{i}", part.requires_grad_(original._needs_grad))
        if not unsafe:
            _check(self(), like, "unless `unsafe` flag is enabled", "unparametrized {0}: {1}\nparametrized {0}: {2}")

    def right_inverse(self, value: Any) -> None:
        """Set the original tensor(s) so that the parametrised one becomes `value`."""
        with no_grad():
            for module in reversed(self):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            if self.is_tensor:
                if not isinstance(value, TensorBase):
                    raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
                if value.dtype is not self.original.dtype:
                    raise ValueError(
                        f"The tensor returned by `right_inverse` has dtype {value.dtype} while `original` has dtype "
                        f"{self.original.dtype}"
                    )
                self.original.set_(value)
                return
            if not isinstance(value, Sequence):
                raise ValueError(f"'right_inverse' must return a sequence of tensors. Got {type(value).__name__}.")
            if len(value) != self.ntensors:
                raise ValueError(
                    f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a sequence of "
                    f"length {len(value)}."
                )
            for i, part in enumerate(value):
                own = getattr(self, f"original{i}")
                if not isinstance(part, TensorBase):
                    raise ValueError(
                        "'right_inverse' must return a sequence of tensors or reference-type opaques. Got element "
                        f"{i} of type {type(part).__name__}."
                    )
                if own.dtype is not part.dtype:
                    raise ValueError(
                        f"Tensor {i} returned by `right_inverse` has dtype {part.dtype} while `original{i}` has "
                        f"dtype {own.dtype}"
                    )
                own.set_(part)

    def forward(self) -> Any:
        """The parametrised tensor."""
        if self.is_tensor:
            x = self[0](self.original)
        else:
            x = self[0](*(getattr(self, f"original{i}") for i in range(self.ntensors)))
        for module in list(self)[1:]:
            x = module(x)
        return x


def _check(value: Any, like: Any, unless: str, said: str) -> None:
    """Raise ValueError for what a parametrisation returns when it is no tensor of the dtype and shape of another."""
    if not isinstance(value, TensorBase):
        raise ValueError(f"A parametrization must return a tensor. Got {type(value).__name__}.")
    for what in ("dtype", "shape"):
        before, after = getattr(like, what), getattr(value, what)
        if before != after:
            raise ValueError(
                f"Registering a parametrization may not change the {what} of the tensor, {unless}.\n"
                + said.format(what, before, after)
            )


def _register(module: Any, name: str, tensor: Any) -> None:
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


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
    """Compute a tensor of a module by a parametrisation from now on.

    Raises ValueError for a name that is not there, and, if not `unsafe`, for a parametrisation that changes the dtype
    or the shape.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_next(module, tensor_name, parametrization)
        chain = module.parametrizations[tensor_name]
        chain.append(parametrization)
        chain.unsafe |= unsafe
        return module
    if tensor_name not in module._parameters and tensor_name not in module._buffers:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
            f"'{tensor_name}'"
        )
    chain = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        cls = type(module)
        copied = {} if hasattr(cls, "__deepcopy__") else {"__deepcopy__": _copied}
        own = {"__module__": "torch.nn.utils.parametrize", "__getstate__": _not_pickled, **copied}
        module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), own)
        module.parametrizations = ModuleDict()
    setattr(type(module), tensor_name, _property(tensor_name))
    module.parametrizations[tensor_name] = chain
    return module


def _check_next(module: Any, name: str, parametrization: Any) -> None:
    """What is asked of a parametrisation that is put upon others."""
    before = getattr(module, name)
    after = parametrization(before)
    unless = "unless the `unsafe` flag is enabled"
    _check(after, before, unless, f"module.{name}.{{0}}: {{1}}\nparametrization(module.{name}).{{0}}: {{2}}")
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        back = parametrization.right_inverse(after)
    except NotImplementedError:
        return
    if not isinstance(back, TensorBase):
        raise ValueError(f"parametrization.right_inverse must return a tensor. Got: {type(back).__name__}")
    for what in ("dtype", "shape"):
        if getattr(back, what) != getattr(before, what):
            raise ValueError(
                f"The tensor returned by parametrization.right_inverse must have the same {what} as module.{name}, "
                f"{unless}.\nmodule.{name}.{what}: {getattr(before, what)}\nreturned {what}: {getattr(back, what)}"
            )


def _copied(self: Any, memo: dict[int, Any]) -> Any:
    """copy.deepcopy of a parametrised module, which has no state to be pickled by."""
    cls: Any = type(self)
    replica = cls.__new__(cls)
    memo[id(self)] = replica
    replica.__dict__ = deepcopy(self.__dict__, memo)
    return replica


def _not_pickled(self: Any) -> Any:
    raise RuntimeError(
        "Serialization of parametrized modules is only supported through state_dict(). See:\n"
        "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
        "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
    )


def remove_parametrizations(module: Any, tensor_name: str, leave_parametrized: bool = True) -> Any:
    """Make a tensor an ordinary one again, with its present or its original value."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    chain = module.parametrizations[tensor_name]
    if chain.is_tensor:
        original = chain.original
        if leave_parametrized:
            with no_grad():
                original.set_(getattr(module, tensor_name))
    else:
        if not leave_parametrized:
            raise ValueError(
                "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a "
                "sequence of tensors."
            )
        value = getattr(module, tensor_name)
        original = Parameter(value) if value._needs_grad else value
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def transfer_parametrizations_and_params(from_module: Any, to_module: Any, tensor_name: str | None = None) -> Any:
    """Give a module the parametrisations of another, all of them or those of one tensor, with their tensors."""
    if not is_parametrized(from_module):
        return to_module
    for name in list(from_module.parametrizations) if tensor_name is None else [tensor_name]:
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        given = from_module.parametrizations[name]
        for parametrization in given:
            register_parametrization(to_module, name, parametrization)
        chain = to_module.parametrizations[name]
        for key in ["original"] if given.is_tensor else [f"original{i}" for i in range(given.ntensors)]:
            setattr(chain, key, getattr(given, key))
    return to_module


__all__ = [
    "ParametrizationList", "cached", "is_parametrized", "register_parametrization", "remove_parametrizations",
    "transfer_parametrizations_and_params", "type_before_parametrizations",
]  # fmt: skip
