"""Functions and methods that PyTorch has in C: they take nothing, or one argument by its place, and say so."""

from collections.abc import Callable
from functools import wraps
from typing import Any


def takes_nothing(shown: str, method: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator of a method, or a function, without arguments; `shown` is what messages call it."""
    return _counted(shown, 0, method)


def takes_one(shown: str, method: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator of a method, or a function, of exactly one argument; `shown` is what messages call it.

    {} in it stands for the name of the class of the object whose method is called.
    """
    return _counted(shown, 1, method)


def _counted(shown: str, wanted: int, method: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            given = len(args) - method
            if given != wanted or kwargs:
                name = shown.format(type(args[0]).__name__) if "{}" in shown else shown
                raise TypeError(wrong_count(name, wanted, given, kwargs))
            return function(*args)

        return call

    return decorate


def wrong_count(shown: str, wanted: int, given: int, kwargs: dict[str, Any]) -> str:
    """The message for a call with keywords, or with too few or too many arguments."""
    if kwargs:
        return f"{shown}() takes no keyword arguments"
    if wanted == 0:
        return f"{shown}() takes no arguments ({given} given)"
    return f"{shown}() takes exactly one argument ({given} given)"
