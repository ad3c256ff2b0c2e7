"""Functions under other names: what Python says of a wrong call quotes the name that a function was defined under."""

from collections.abc import Iterator
from types import CellType, FunctionType


def renamed(function: FunctionType, qualname: str) -> FunctionType:
    """A copy of a function under another name; what it wraps is copied along, since that is what complains."""
    inner = getattr(function, "__wrapped__", None)
    cells = tuple(_cells(function, inner, qualname)) if isinstance(inner, FunctionType) else function.__closure__
    copy = FunctionType(
        function.__code__, function.__globals__, qualname.rpartition(".")[2], function.__defaults__, cells
    )
    copy.__kwdefaults__, copy.__annotations__ = function.__kwdefaults__, function.__annotations__
    copy.__dict__.update(function.__dict__)
    copy.__doc__, copy.__module__, copy.__qualname__ = function.__doc__, function.__module__, qualname
    return copy


def _cells(function: FunctionType, inner: FunctionType, qualname: str) -> Iterator[CellType]:
    """The closure of a function with what it wraps renamed."""
    for cell in function.__closure__ or ():
        yield CellType(renamed(inner, qualname)) if cell.cell_contents is inner else cell
