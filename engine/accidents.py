"""When the engine trips over arguments nobody foresaw: one sentence of it instead of numpy's or Python's own words.

What the engine itself says of a mistake is raised by a `raise` in its code. An error that comes up otherwise, out of
numpy or out of an expression, is an accident; a program sees it as an error of the function it called.
"""

import dis
import os
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from types import TracebackType
from typing import Any

import numpy as np

from engine.dtypes import from_numpy
from engine.errors import BOOL_NEGATION, BOOL_SUBTRACTION
from engine.pass_hooks import call_hook
from engine.tensor import TensorBase
from engine.type_names import type_name

_HERE = os.path.dirname(__file__) + os.sep
_NUMPY = os.path.dirname(np.__file__) + os.sep
_RAISE = dis.opmap["RAISE_VARARGS"]
ACCIDENTS = (
    ValueError, TypeError, IndexError, KeyError, AttributeError, ZeroDivisionError, OverflowError, AssertionError,
)  # fmt: skip
"""Kinds of errors that may be accidents; PyTorch's RuntimeError is never one."""


def guarded(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """`call`, whose accidents are told as errors of `name`; errors of calling it wrongly stay Python's."""

    @wraps(call)
    def guarded_call(*args: Any, **kwargs: Any) -> Any:  # warnings are given past a frame of this name
        try:
            return call(*args, **kwargs)
        except ACCIDENTS as e:
            error = told(name, e, args, kwargs, python=True)
            if error is e:
                raise
            raise error from None

    return guarded_call


def told(name: str, e: Exception, args: Sequence[Any], kwargs: Mapping[str, Any], python: bool = False) -> Exception:
    """The error a program sees: the one given, or for an accident one that names the function and its arguments.

    `python` is said of functions that PyTorch, too, has in Python: what Python says of a wrong kind of argument there
    ("'list' object has no attribute …") is let through as PyTorch lets it through.
    """
    depth, tb = 0, e.__traceback__
    while tb is not None and tb.tb_next is not None:
        depth, tb = depth + 1, tb.tb_next
    if tb is None or not _accident(e, tb):
        return e
    if python and (depth < 2 or (_pythons_own(e) and not _numpys(e, tb))):
        return e
    kind = TypeError if isinstance(e, TypeError | AttributeError) else RuntimeError
    shown = [*map(_shown, args), *(f"{k}={_shown(v)}" for k, v in kwargs.items())]
    return kind(f"{name}() cannot be computed with these arguments: ({', '.join(shown)})")


def _pythons_own(e: Exception) -> bool:
    """Whether PyTorch's Python code trips over the same, in the same words."""
    if isinstance(e, TypeError | AttributeError | ZeroDivisionError):
        return True
    return str(e).startswith(("tuple index out of range", "The truth value of an array"))


_BY_NUMPYS_WORDS = {"boolean negative": BOOL_NEGATION, "boolean subtract": BOOL_SUBTRACTION}


def told_of_backward(e: Exception) -> Exception:
    """The error a program sees of a backward pass: PyTorch's words for what numpy refuses in a derivative's formula.

    What comes up in the program's own code, a hook or a custom Function, stays as it is.
    """
    tb = e.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code is call_hook.__code__:
            return e
        if not tb.tb_frame.f_code.co_filename.startswith((_HERE, _NUMPY, "<plain operator>")):
            return e
        tb = tb.tb_next
    if isinstance(e, TypeError):
        for words, message in _BY_NUMPYS_WORDS.items():
            if words in str(e):
                return RuntimeError(message)
    return told("backward", e, (), {})


def _numpys(e: Exception, tb: TracebackType) -> bool:
    return tb.tb_frame.f_code.co_filename.startswith(_NUMPY) or type(e).__module__.startswith("numpy")


def _accident(e: Exception, tb: TracebackType) -> bool:
    code = tb.tb_frame.f_code
    if _numpys(e, tb):
        return True
    if not code.co_filename.startswith(_HERE):
        return False  # the program's own code: a hook, a function it handed over
    return code.co_code[tb.tb_lasti] != _RAISE


def _shown(v: Any) -> str:
    if isinstance(v, TensorBase):
        return f"Tensor of {from_numpy(v._a.dtype).name} {list(v._a.shape)}"
    if isinstance(v, bool | int | float | complex | str) or v is None:
        return repr(v)
    if isinstance(v, list | tuple) and len(v) <= 4:
        inner = ", ".join(map(_shown, v))
        return f"[{inner}]" if isinstance(v, list) else f"({inner})"
    return type_name(v)
