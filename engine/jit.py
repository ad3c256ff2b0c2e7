"""`torch.jit` where nothing is compiled: what its decorators and questions come to."""

import typing
from collections.abc import Callable
from typing import Any, Final

from engine.warning import warn_caller


def is_scripting() -> bool:
    """Whether this is being compiled: never."""
    return False


def is_tracing() -> bool:
    """Whether this is being traced: never."""
    return False


def _marked(function: Any, how: str) -> Any:
    function._torchscript_modifier = how
    return function


def export(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a method for a compiler."""
    return _marked(fn, "export (compile this function even if nothing calls it)")


def unused(fn: Any) -> Any:
    """Mark a function, or a property, that a compiler is to replace by an error."""
    if isinstance(fn, property):
        for part in filter(None, (fn.fget, fn.fset)):
            unused(part)
        return fn
    return _marked(fn, "unused (ignored and replaced with raising of an exception)")


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """Mark a function that a compiler is to leave alone. Raises RuntimeError for what is neither bool nor function."""
    if callable(drop):
        return _marked(drop, "ignore (leave as a call to Python, cannot be torch.jit.save'd)")
    if not isinstance(drop, bool):
        raise RuntimeError(f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}")
    on_export = kwargs.pop("drop_on_export", None)
    if on_export or drop:
        warn_caller(
            f"ignore({'drop_on_export=' if on_export else ''}True) has been deprecated. TorchScript will now drop the "
            "function call on compilation. Use torch.jit.unused now. {}",
            FutureWarning,
        )
    return unused if on_export or drop else ignore


def script_if_tracing(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The function: nothing is traced."""
    return fn


def annotate(the_type: Any, the_value: Any) -> Any:
    """The value; the type is for a compiler."""
    return the_value


def of_type(obj: Any, target_type: Any) -> bool:
    """Whether a value, and what it contains, is of a type such as `List[torch.Tensor]`."""
    origin, parts = typing.get_origin(target_type), typing.get_args(target_type)
    if origin is typing.Union:
        return any(of_type(obj, part) for part in parts)
    if origin is None:
        return obj is None if target_type in (None, type(None)) else isinstance(obj, target_type)
    if not isinstance(obj, origin):
        return False
    if origin is tuple:
        return len(obj) == len(parts) and all(map(of_type, obj, parts))
    if origin is dict:
        return all(of_type(k, parts[0]) and of_type(v, parts[1]) for k, v in obj.items())
    return all(of_type(element, parts[0]) for element in obj)


of_type.__name__ = of_type.__qualname__ = "isinstance"

JIT: dict[str, Any] = {
    "is_scripting": is_scripting, "is_tracing": is_tracing, "export": export, "unused": unused, "ignore": ignore,
    "script_if_tracing": script_if_tracing, "annotate": annotate, "isinstance": of_type, "Final": Final,
}  # fmt: skip
