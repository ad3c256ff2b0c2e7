"""What messages call the type of a value."""

from types import FunctionType
from typing import Any

_HEAP_TYPE = 1 << 9  # of a class made by a `class` statement, which messages name without its module
_NATIVE = {
    *(("torch", name) for name in ("Size", "dtype", "device", "layout", "memory_format", "finfo", "iinfo")),
    ("torch._C", "Generator"),
}
"""Classes that PyTorch does not make by a `class` statement."""


def type_name(obj: Any) -> str:
    """A value's type as messages have it: "int", "Tensor", "numpy.ndarray"."""
    t = type(obj)
    if t is FunctionType and getattr(obj, "is_builtin", False):
        return "builtin_function_or_method"
    module = t.__module__
    if module == "builtins" or (t.__flags__ & _HEAP_TYPE and (module, t.__name__) not in _NATIVE):
        return t.__name__ if module != "torch.return_types" else f"{module}.{t.__name__}"
    return f"{module}.{t.__name__}"
