"""A builtin function or method as programs call it: its arguments resolved, its overload run, `out=` written."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.accidents import ACCIDENTS, told
from engine.c_calls import takes_nothing, wrong_count
from engine.out_argument import filled, into, refused_first
from engine.overloads import Overload, resolve
from engine.shortcuts import Shortcut, follow, key_of, learn


def builtin(name: str, overloads: Sequence[Overload], method: bool, doc: str) -> Callable[..., Any]:
    """A callable that resolves its arguments and runs the overload; calls of the same types skip the search."""
    known: dict[tuple[Any, ...], Shortcut] = {}
    bare = method and len(overloads) == 1 and not overloads[0].arguments

    def search(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if method:
            if not args:
                raise TypeError(f"unbound method TensorBase.{name}() needs an argument")
            if bare and (kwargs or args[1:]):
                raise TypeError(wrong_count(f"TensorBase.{name}", 0, len(args) - 1, kwargs))
            rest = args[1:]
        else:
            rest = args
        overload, values = resolve(name, overloads, rest, kwargs)
        out = None if overload.out_at is None else values.pop(overload.out_at)
        if method:
            values.insert(overload.self_at, args[0])
        if "out" not in kwargs and not (method and overload.self_at) and not overload.notice:
            names = overload.names
            shortcut = learn(
                args, kwargs, ["self", *names] if method else names, overload.varargs, overload.call, values
            )
            if shortcut is not None:
                known[key_of(args, kwargs)] = shortcut
        if overload.own_out is not None and values[overload.own_out] is not None:
            return filled(name, overload, values)
        if out is None:
            return overload.call(values)
        try:
            result = overload.call(values)
        except Exception as e:  # noqa: BLE001  PyTorch may have refused before it came to this
            raise refused_first(name, out, values) or e from None
        return into(name, out, result, values)

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            shortcut = known.get(key_of(args, kwargs))
            if shortcut is not None:
                values = follow(shortcut, args, kwargs)
                if values is not None:
                    return shortcut[0](values)
            return search(args, kwargs)
        except ACCIDENTS as e:
            error = told(name, e, args, kwargs)
            if error is e:
                raise
            raise error from None

    call.__name__ = name
    call.__qualname__ = f"Tensor.{name}" if method else name
    call.__module__ = "torch"
    call.__doc__ = doc
    call.is_builtin = True  # type: ignore[attr-defined]  in PyTorch, which messages tell apart
    return call


def without_arguments(function: Callable[..., Any], name: str = "", owner: str = "TensorBase") -> Callable[..., Any]:
    """A method of TensorBase, or a function of a module, that takes nothing else and says so as a builtin does."""
    return takes_nothing(f"{owner}.{name or function.__name__}", method=owner == "TensorBase")(function)
