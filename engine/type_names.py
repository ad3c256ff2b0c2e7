"""What messages call the type of a value."""

from types import FunctionType
from typing import Any

_HEAP_TYPE = 1 << 9  # of a class made by a `class` statement, which messages name without its module


class Native(type):
    """The class of classes that PyTorch does not make by a `class` statement.

    The interpreter's own messages name them with their module: "'torch.Size' object is not callable".
    """

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> "Native":
        made = super().__new__(mcls, name, bases, namespace)
        type.__dict__["__name__"].__set__(made, f"{made.__module__}.{name}")  # which is what these messages read
        return made

    @property
    def __name__(cls) -> str:  # type: ignore[override]  and this is what programs read
        return cls.__qualname__


def type_name(obj: Any) -> str:
    """A value's type as messages have it: "int", "Tensor", "numpy.ndarray"."""
    t = type(obj)
    if t is FunctionType and getattr(obj, "is_builtin", False):
        return "builtin_function_or_method"
    module = t.__module__
    if module == "builtins" or (t.__flags__ & _HEAP_TYPE and not isinstance(t, Native)):
        return t.__name__ if module != "torch.return_types" else f"{module}.{t.__name__}"
    return f"{module}.{t.__name__}"
