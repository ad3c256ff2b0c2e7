"""The engine's packages under torch's names: engine.nn.modules.linear becomes torch.nn.modules.linear."""

import importlib
import pkgutil
from types import FunctionType, ModuleType
from typing import Any

from engine.absent import TorchModule


def mirror(package: ModuleType, name: str) -> dict[str, ModuleType]:
    """Modules named `name` and below that hold what the package and its submodules make public, by full name."""
    found = {name: package}
    prefix = package.__name__
    for info in pkgutil.walk_packages(package.__path__, prefix + "."):
        found[name + info.name.removeprefix(prefix)] = importlib.import_module(info.name)
    mirrored = {}
    for full, module in found.items():
        mirrored[full] = m = TorchModule(full, module.__doc__)
        m.__path__ = []  # type: ignore[attr-defined]
        m.__dict__.update(_public(module, full))
    for full, m in mirrored.items():
        parent, _, last = full.rpartition(".")
        if parent in mirrored:
            mirrored[parent].__dict__.setdefault(last, m)
            if isinstance(mirrored[parent].__dict__[last], ModuleType):
                mirrored[parent].__dict__[last] = m
    return mirrored


def _public(module: ModuleType, full: str) -> dict[str, Any]:
    """The names a module makes public: its `__all__`, else all it has without a leading underscore."""
    listed = getattr(module, "__all__", None)
    names = {}
    for key, value in vars(module).items():
        mine = getattr(value, "__module__", None) == module.__name__
        if mine and isinstance(value, type | FunctionType):
            _rename(value, full)
            if isinstance(value, type):
                _own_init(value)
        if not isinstance(value, ModuleType) and (key in listed if listed is not None else key[0] != "_"):
            names[key] = value
    return names


def _rename(value: Any, full: str) -> None:
    """Say torch's module name of a class or function; what has it fixed keeps it."""
    value.__module__ = full


def _own_init(cls: type) -> None:
    """Give a class that inherits its `__init__` one under its own name, which errors about arguments quote."""
    inherited = cls.__init__
    if "__init__" in vars(cls) or not isinstance(inherited, FunctionType):
        return
    own = FunctionType(
        inherited.__code__, inherited.__globals__, "__init__", inherited.__defaults__, inherited.__closure__
    )
    own.__kwdefaults__, own.__annotations__ = inherited.__kwdefaults__, inherited.__annotations__
    own.__qualname__ = f"{cls.__qualname__}.__init__"
    cls.__init__ = own  # type: ignore[misc]
