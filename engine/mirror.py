"""The engine's packages under torch's names, each class and function in the module where PyTorch has it.

The engine's layout is near to PyTorch's, not equal: what PyTorch spreads over bases and modules of its own (see
`outline`) is put there, because programs import from there and messages about arguments quote the class of a method.
"""

import importlib
import pkgutil
from types import FunctionType, ModuleType
from typing import Any

from engine.absent import TorchModule
from engine.outline import borrowed, classes, definitions, owners
from engine.renaming import renamed


def mirror(package: ModuleType, name: str) -> dict[str, ModuleType]:
    """Modules named `name` and below that hold what the package and its submodules make public, by full name."""
    found = {name: package}
    prefix = package.__name__
    for info in pkgutil.walk_packages(package.__path__, prefix + "."):
        found[name + info.name.removeprefix(prefix)] = importlib.import_module(info.name)
    defined = {full: _defined(module) for full, module in found.items()}
    contents = {full: _public(module) for full, module in found.items()}
    for full, names in defined.items():
        for value in names.values():
            value.__module__ = full
    for full, names in contents.items():
        wanted = definitions().get(full, ())
        defined[full] |= {key: names[key] for key in wanted if isinstance(names.get(key), type | FunctionType)}
    placed = _placed(name, defined)
    for full, names in placed.items():
        contents.setdefault(full, {}).update(names)
        for value in names.values():
            if getattr(value, "__module__", full).startswith((name, "engine.")):
                value.__module__ = full
    _name_methods(placed)
    packages = {full for full, module in found.items() if hasattr(module, "__path__")}
    return _linked({full: names for full, names in contents.items() if full in packages or full in definitions()})


def lend(modules: dict[str, ModuleType]) -> None:
    """Give the modules what PyTorch's have from each other."""
    for module, name, home, original in borrowed():
        lender = modules.get(home)
        value = modules.get(f"{home}.{original}", getattr(lender, "__dict__", {}).get(original))
        if module in modules and value is not None:
            modules[module].__dict__.setdefault(name, value)


def _public(module: ModuleType) -> dict[str, Any]:
    """The names a module makes public: its `__all__`, else all it has without a leading underscore."""
    listed = getattr(module, "__all__", None)
    return {
        key: value
        for key, value in vars(module).items()
        if not isinstance(value, ModuleType) and (key in listed if listed is not None else key[0] != "_")
    }


def _defined(module: ModuleType) -> dict[str, Any]:
    """The classes and functions that a module defines, private ones included."""
    return {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type | FunctionType) and value.__module__ == module.__name__
    }


def _placed(family: str, defined: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Where PyTorch has the names of a family of modules, as far as the engine has them: name and value, by module."""
    anywhere: dict[str, Any] = {}
    for names in defined.values():
        for key, value in names.items():
            anywhere.setdefault(key, value)
    placed: dict[str, dict[str, Any]] = {}
    for module, names in definitions().items():
        if module == family or module.startswith(family + "."):
            here = defined.get(module, {})
            present = {key: here.get(key, anywhere.get(key)) for key in names if key in here or key in anywhere}
            if present:
                placed[module] = present
    return placed


def _linked(contents: dict[str, dict[str, Any]]) -> dict[str, ModuleType]:
    """Modules with these contents, each an attribute of the one above it unless a function has its name."""
    made: dict[str, ModuleType] = {}
    for full, names in sorted(contents.items()):
        made[full] = m = TorchModule(full, None)
        m.__path__ = []  # type: ignore[attr-defined]
        m.__dict__.update(names)
    for full, m in made.items():
        parent, _, last = full.rpartition(".")
        if parent in made and not callable(made[parent].__dict__.get(last)):
            made[parent].__dict__[last] = m
    return made


# ---- methods under the names of PyTorch's classes ------------------------------------------------------------------
def _name_methods(placed: dict[str, dict[str, Any]]) -> None:
    """Let every method carry the name of the class that defines it in PyTorch. Bases come first."""
    found = [(value, module, key) for module, names in placed.items() for key, value in names.items()]
    known = [(cls, module, key) for cls, module, key in found if key in classes().get(module, {})]
    public = {cls for cls, _, _ in known}
    for cls, module, key in sorted(known, key=lambda entry: len(entry[0].__mro__)):
        for method, owner in owners(module, key).items():
            function = getattr(cls, method, None)
            if isinstance(function, FunctionType) and function.__qualname__ != f"{owner}.{method}":
                holder = next(c for c in cls.__mro__ if method in vars(c))
                if holder not in public and holder.__subclasses__() == [cls]:  # a part of this class alone
                    function.__qualname__ = f"{owner}.{method}"
                else:
                    setattr(cls, method, renamed(function, f"{owner}.{method}"))
