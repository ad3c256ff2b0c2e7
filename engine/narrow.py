"""float16 and bfloat16 in kernels: they run in float32 and round what they return, as PyTorch's kernels do on a CPU.

numpy has no bfloat16, and rounds float16 after every step, so no kernel of engine.ops needs to know of them. The check
costs nothing as long as a program makes no such tensor.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from engine.dtypes import NARROW, bfloat16, dtype, float16, float32, from_numpy

_NARROW = (float16, bfloat16)


def is_narrow(a: Any) -> bool:
    """Whether an array, or a number of numpy's, is of float16 or bfloat16."""
    found = getattr(a, "dtype", None)
    return type(found) is not dtype and found is not None and (found.kind == "V" or found.char == "e")


def run_wide(
    forward: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None = None, writes: Sequence[int] = ()
) -> Any:
    """forward(*args, **kwargs), through float32 where arguments are narrow.

    A dtype among the arguments decides what the result is rounded to. Where operands of other floating-point types are
    mixed in, the kernel is called as it is: to complain, or to convert.
    """
    if getattr(forward, "keeps_narrow", False):
        return forward(*args, **(kwargs or {}))
    given = [*args, *(kwargs or {}).values()]
    flat = [x for a in given for x in (a if type(a) in (list, tuple) else (a,))]
    wanted = next((a for a in given if isinstance(a, dtype)), None)
    narrow = {x.dtype for x in flat if is_narrow(x)}
    mixed = len(narrow) > 1 or any(
        type(x) is np.ndarray and x.ndim and x.dtype.kind in "fc" and x.dtype.char != "e" for x in flat
    )
    if (not narrow and wanted not in _NARROW) or (narrow and mixed):
        return forward(*args, **(kwargs or {}))
    refused = getattr(forward, "refuses_narrow", "")
    if refused and narrow:
        kind = from_numpy(narrow.pop()).torch_name
        if "{}" in refused:
            raise RuntimeError(refused.format(kind))
        forward(*[_widened(a) for a in args], **{k: _widened(v) for k, v in (kwargs or {}).items()})  # shapes first
        raise NotImplementedError(f"\"{refused}\" not implemented for '{kind}'")
    wide = [_widened(a) for a in args]
    with np.errstate(over="ignore"):
        try:
            out = forward(*wide, **{k: _widened(v) for k, v in (kwargs or {}).items()})
        except Exception:
            forward(*args, **(kwargs or {}))  # what it says of its arguments names their own dtype
            raise
        for i in writes:
            if is_narrow(args[i]):
                args[i][...] = wide[i].astype(args[i].dtype)
        if wanted is not None and wanted not in _NARROW:
            return out
        to = wanted.numpy if wanted is not None else narrow.pop()
        return tuple(_rounded(o, to) for o in out) if type(out) is tuple else _rounded(out, to)


def keeps_narrow(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a kernel that must see the narrow dtype itself: how numbers are drawn depends on it."""
    kernel.keeps_narrow = True  # type: ignore[attr-defined]
    return kernel


def with_wide_parameters(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that also takes narrow data with float32 parameters, as normalisation under autocast has them.

    The first result is rounded; statistics and gradients of parameters stay in float32.
    """

    @wraps(kernel)
    def run(*args: Any) -> Any:
        if not NARROW.used or not is_narrow(args[0]):
            return kernel(*args)
        first, *rest = kernel(*[_widened(a) for a in args])
        return (_rounded(first, args[0].dtype), *rest)

    return run


def _widened(a: Any) -> Any:
    if type(a) in (list, tuple):
        return type(a)(_widened(x) for x in a)
    if isinstance(a, dtype):
        return float32 if a in _NARROW else a
    return a.astype(np.float32) if is_narrow(a) else a


def _rounded(a: Any, to: np.dtype) -> Any:
    return a.astype(to) if getattr(a, "dtype", None) == np.float32 else a
