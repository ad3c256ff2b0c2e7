"""Methods that are not operators, called as PyTorch calls them: through its argument parser, or as Python functions.

Their code checks no arguments; what is said of wrong ones follows from the signatures here.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.builtin import builtin, without_arguments
from engine.overloads import Overload
from engine.signature import parse

_FORMAT = "*, MemoryFormat? memory_format=None"
_CASTS = ("half", "float", "double", "int", "long", "short", "char", "byte", "bool", "bfloat16", "cfloat", "cdouble")
_PARSED = {
    "cpu": f"cpu(Tensor self, {_FORMAT}) -> Tensor",
    "is_contiguous": "is_contiguous(Tensor self, *, MemoryFormat memory_format=contiguous_format) -> bool",
    "numpy": "numpy(Tensor self, *, bool force=False) -> Tensor",
    "requires_grad_": "requires_grad_(Tensor self, bool requires_grad=True) -> Tensor",
    "size": "size(Tensor self, int? dim=None) -> int",
    "stride": "stride(Tensor self, int? dim=None) -> int",
    "type": f"type(Tensor self, any dtype=None, bool non_blocking=False, {_FORMAT}) -> Tensor",
    **{name: f"{name}(Tensor self, {_FORMAT}) -> Tensor" for name in _CASTS},
}
_NO_ARGUMENTS = (
    "data_ptr", "detach", "detach_", "dim", "element_size", "get_device", "is_inference", "item", "ndimension",
    "nelement", "numel", "retain_grad", "storage_offset", "tolist", "untyped_storage",
)  # fmt: skip
_PYTHON = ("backward", "is_shared", "norm", "register_hook", "register_post_accumulate_grad_hook", "split", "unflatten")
"""Methods that PyTorch itself writes in Python: Python's own messages name them with their class."""


def through_parser(name: str, function: Callable[..., Any], signature: str) -> Callable[..., Any]:
    """A method that checks and converts its arguments by a signature, then calls `function`."""
    overload = Overload(parse(signature), partial(_spread, function), (), True)
    return builtin(name, [overload], True, function.__doc__ or name)


def _spread(function: Callable[..., Any], values: list[Any]) -> Any:
    return function(*values)


def _quick(name: str, function: Callable[..., Any], slow: Callable[..., Any]) -> Callable[..., Any]:
    """A question asked so often that the plain form of it, without an argument or with an int, goes straight on."""

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not kwargs and (not args or (len(args) == 1 and type(args[0]) is int)):
            return function(self, *args)
        return slow(self, *args, **kwargs)

    call.__name__, call.__qualname__, call.__doc__ = name, f"Tensor.{name}", function.__doc__
    return call


def attach(cls: Any) -> None:
    """Put the argument checks before the methods of `cls`."""
    for name, signature in _PARSED.items():
        function = getattr(cls, name)
        checked = through_parser(name, function, signature)
        setattr(cls, name, _quick(name, function, checked) if name in ("size", "stride") else checked)
    for name in _NO_ARGUMENTS:
        setattr(cls, name, without_arguments(getattr(cls, name), name))
    for name in _PYTHON:
        getattr(cls, name).__qualname__ = f"Tensor.{name}"
