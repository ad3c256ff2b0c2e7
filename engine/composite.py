"""Functions that PyTorch composes of other operators: they have a signature, and no node of their own."""

from collections.abc import Callable
from itertools import chain
from typing import Any

from engine.modes import STATE
from engine.op import ORDER, Op
from engine.signature import Signature, parse


class Composite:
    """A composed function. Calling it passes Python arguments straight through; programs reach it by its signature.

    Attributes:
        where: as for Op: "function", "method", "nn", "linalg", "special", "fft".
        numbers: tensor parameters for which a plain number may be given.
    """

    __slots__ = ("signature", "name", "function", "where", "numbers", "inplace", "order")

    def __init__(self, signature: str, function: Callable[..., Any], where: tuple[str, ...], numbers: tuple[str, ...]):
        self.signature: Signature = parse(signature)
        self.name = self.signature.name
        self.order = next(ORDER)
        self.function = function
        self.where = where
        self.numbers = numbers
        self.inplace = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if STATE.batching is not None and not kwargs:
            return STATE.batching.compose(self, list(args))
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<Composite {self.name}>"


def composite(
    signature: str, *, where: tuple[str, ...] = ("function", "method"), numbers: tuple[str, ...] = ()
) -> Callable[[Callable[..., Any]], Composite]:
    """Decorator: declare a function over Tensors by ATen's signature. It receives all parameters in order."""

    def declare(function: Callable[..., Any]) -> Composite:
        return Composite(signature, function, where, numbers)

    return declare


class PythonFunction:
    """A function that PyTorch itself writes in Python: programs get it as it is, with Python's own argument errors."""

    __slots__ = ("name", "function", "where", "order")

    def __init__(self, function: Callable[..., Any], where: tuple[str, ...]):
        self.name = f"{function.__name__} of {', '.join(where)}"
        self.order = next(ORDER)
        self.function = function
        self.where = where

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<PythonFunction {self.name}>"


def python_function(*where: str) -> Callable[[Callable[..., Any]], PythonFunction]:
    """Decorator: offer a plain function under its own name in the places `where`, which are those of an Op."""

    def declare(function: Callable[..., Any]) -> PythonFunction:
        return PythonFunction(function, where)

    return declare


def collect(namespace: dict[str, Any]) -> list[Op | Composite | PythonFunction]:
    """All records of a module's namespace, alone or in tuples, in the order they were written."""
    values = chain.from_iterable(v if type(v) is tuple else (v,) for v in namespace.values())
    return list({id(v): v for v in values if isinstance(v, Op | Composite | PythonFunction)}.values())
