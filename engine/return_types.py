"""`torch.return_types`: the named tuples of functions with several results, by name."""

from functools import cache
from typing import Any

KNOWN: dict[str, type] = {}
"""Every class that was made, by name."""


def return_type(name: str, fields: tuple[str, ...]) -> type:
    """A structseq as torch.return_types has them: a tuple with named fields and its own repr."""

    def show(self: tuple[Any, ...]) -> str:
        inner = ",\n".join(f"{f}={v!r}" for f, v in zip(fields, self, strict=True))
        return f"torch.return_types.{name}(\n{inner})"

    def missing(self: tuple[Any, ...], attribute: str) -> Any:
        raise AttributeError(f"'torch.return_types.{name}' object has no attribute '{attribute}'")

    body: dict[str, Any] = {
        "__slots__": (), "__repr__": show, "__getattr__": missing, "__module__": "torch.return_types",
        "_fields": fields,
    }  # fmt: skip
    for i, f in enumerate(fields):
        body[f] = property(lambda self, i=i: tuple.__getitem__(self, i))
    KNOWN[name] = type(name, (tuple,), body)
    return KNOWN[name]


@cache
def written_type(cls: Any) -> type:
    """The class of the same results where they were written into tensors given as `out=`."""
    return return_type(f"{cls.__name__}_out", cls._fields) if hasattr(cls, "_fields") else cls
