"""What is said of a missing name: PyTorch's words when PyTorch lacks it too, else that the playground does."""

import difflib
import inspect
from collections.abc import Iterable
from functools import cache
from types import ModuleType
from typing import Any

from engine.instead import instead_of
from engine.pytorch_inner_names import INNER_NAMES
from engine.pytorch_modules import MODULES
from engine.pytorch_names import NAMES


@cache
def names_of(module: str) -> frozenset[str]:
    """PyTorch's public names in a module; empty for one that is not listed."""
    return frozenset(" ".join(table.get(module, "") for table in (NAMES, INNER_NAMES, MODULES)).split())


def message(owner: str, name: str, present: Iterable[str], otherwise: str) -> str:
    """The sentence for a missing name. `otherwise` is PyTorch's, for names PyTorch lacks."""
    if name not in names_of(owner):
        return otherwise
    near = difflib.get_close_matches(name, [n for n in present if not n.startswith("_")], 1)
    known = instead_of(f"{owner}.{name}")
    hint = f"; {known}" if known else f"; the nearest name here is {owner}.{near[0]}" if near else ""
    return f"PyTorch has {owner}.{name}, the playground does not yet{hint}"


class TorchModule(ModuleType):
    """A module that says of a missing name whether PyTorch has it."""

    def __getattr__(self, name: str) -> Any:
        otherwise = f"module '{self.__name__}' has no attribute '{name}'"
        raise AttributeError(message(self.__name__, name, self.__dict__, otherwise))


class AbsentImports:
    """The last to be asked for a module: says of a name that PyTorch has and the engine lacks that it is missing.

    `import torch.x` asks for a module, and so does `from torch import x` for a name that torch lacks; without this,
    Python would say that there is no such module, or name, as it does of one that is misspelt.
    """

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> None:
        """Finds nothing. Raises ModuleNotFoundError for what PyTorch has."""
        owner, _, name = fullname.rpartition(".")
        if name in names_of(owner):
            raise ModuleNotFoundError(message(owner, name, (), ""))


TorchModule.__name__ = TorchModule.__qualname__ = "module"  # as messages and type(torch) have it
TorchModule.__module__ = "builtins"


class AbsentName:
    """An attribute of a class for a name that PyTorch's class has and this one lacks: reading it says so.

    A `__getattr__` would say the same, and make every attribute that is there several times as slow to read.
    """

    def __init__(self, owner: str, name: str, present: Iterable[str]):
        self.owner, self.name, self.present = owner, name, present

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        raise AttributeError(message(self.owner, self.name, self.present, ""))


def mark_absent(cls: type, owner: str) -> None:
    """Give `cls` an AbsentName for every public name of PyTorch's class `owner` that it lacks."""
    present = dir(cls)
    for name in names_of(owner).difference(present):
        setattr(cls, name, AbsentName(owner, name, present))


def names_present(owner: Any) -> list[str]:
    """The public names that a module or class has, without those that are only marked as absent."""
    return [
        name
        for name in dir(owner)
        if not name.startswith("_") and type(inspect.getattr_static(owner, name, None)) is not AbsentName
    ]
