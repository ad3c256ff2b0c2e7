"""What is said of a missing name: PyTorch's words when PyTorch lacks it too, else that the playground does."""

import difflib
from collections.abc import Iterable
from functools import cache
from types import ModuleType
from typing import Any

from engine.pytorch_names import NAMES


@cache
def names_of(module: str) -> frozenset[str]:
    """PyTorch's public names in a module; empty for one that is not listed."""
    return frozenset(NAMES.get(module, "").split())


def message(owner: str, name: str, present: Iterable[str], otherwise: str) -> str:
    """The sentence for a missing name. `otherwise` is PyTorch's, for names PyTorch lacks."""
    if name not in names_of(owner):
        return otherwise
    near = difflib.get_close_matches(name, [n for n in present if not n.startswith("_")], 1)
    hint = f"; the nearest name here is {owner}.{near[0]}" if near else ""
    return f"PyTorch has {owner}.{name}, the playground does not yet{hint}"


class TorchModule(ModuleType):
    """A module that says of a missing name whether PyTorch has it."""

    def __getattr__(self, name: str) -> Any:
        otherwise = f"module '{self.__name__}' has no attribute '{name}'"
        raise AttributeError(message(self.__name__, name, self.__dict__, otherwise))


def missing_attribute(self: Any, name: str) -> Any:
    """`__getattr__` of Tensor: reached only for attributes that are not there."""
    otherwise = f"'{type(self).__name__}' object has no attribute '{name}'"
    raise AttributeError(message("torch.Tensor", name, dir(type(self)), otherwise))
