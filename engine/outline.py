"""What PyTorch's modules define: which module a name belongs to, and which class a method belongs to."""

from collections.abc import Iterator
from functools import cache

from engine.pytorch_classes import CLASSES
from engine.pytorch_functions import BORROWED, FUNCTIONS


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """The module and the rest of every entry; the lines that belong to one are indented."""
    for entry in text.strip().replace("\n  ", " ").split("\n"):
        module, _, rest = entry.partition(": ")
        yield module, rest


@cache
def classes() -> dict[str, dict[str, tuple[tuple[str, ...], tuple[str, ...]]]]:
    """By module and class: the names of its bases, and of the methods that it defines itself."""
    found: dict[str, dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for module, text in _entries(CLASSES):
        table = found[module] = {}
        for line in text.split("; "):
            head, closed, methods = line.partition(")") if "(" in line else line.partition(" ")
            name, _, bases = head.partition("(") if closed else (line, "", "")
            table[name] = tuple(bases.split(", ")) if bases else (), tuple(methods.split())
    return found


@cache
def definitions() -> dict[str, tuple[str, ...]]:
    """The names of the classes and functions that a module defines, by module."""
    found = {module: tuple(table) for module, table in classes().items()}
    for module, text in _entries(FUNCTIONS):
        found[module] = (*found.get(module, ()), *text.split())
    return found


@cache
def home_of(name: str) -> str:
    """The module that defines a name; the first one where several do."""
    return next((module for module, names in definitions().items() if name in names), "torch")


def borrowed() -> Iterator[tuple[str, str, str, str]]:
    """Module, name, and the module and name there, of everything that one module has from another."""
    for module, text in _entries(BORROWED):
        for item in text.split():
            name, _, source = item.partition("=")
            home, _, original = source.rpartition(".") if source else (home_of(name), "", name)
            yield module, name, home, original


@cache
def skeleton(module: str, name: str) -> type:
    """An empty class with the bases of PyTorch's, holding None for each method that it defines itself."""
    bases, methods = classes()[module][name]
    homes = {b: module if b in classes()[module] else home_of(b) for b in bases}
    known = tuple(skeleton(home, b) for b, home in homes.items() if b in classes().get(home, {}))
    return type(name, known, dict.fromkeys(methods))


def owners(module: str, name: str) -> dict[str, str]:
    """By method, the class that defines it among a class of PyTorch and its bases."""
    found: dict[str, str] = {}
    for cls in skeleton(module, name).__mro__[:-1]:
        for method in vars(cls):
            if method not in ("__module__", "__dict__", "__weakref__", "__doc__"):
                found.setdefault(method, cls.__name__)
    return found
