"""bfloat16 in kernels: they run in float32 and round what they return, as PyTorch's kernels do on a CPU.

numpy itself has no bfloat16, so no kernel of engine.ops needs to know of it. The check costs nothing as long as a
program makes no such tensor.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from engine.dtypes import NARROW, bfloat16, dtype, float32


def is_narrow(a: Any) -> bool:
    """Whether an array, or a number of numpy's, is of bfloat16."""
    found = getattr(a, "dtype", None)
    return type(found) is not dtype and found is not None and found.kind == "V"


def run_wide(
    forward: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None = None, writes: Sequence[int] = ()
) -> Any:
    """forward(*args, **kwargs), through float32 where arguments are bfloat16.

    A dtype among the arguments decides what the result is rounded to. Where operands of other floating-point types are
    mixed in, the kernel is called as it is: to complain, or to convert.
    """
    given = [*args, *(kwargs or {}).values()]
    flat = [x for a in given for x in (a if type(a) in (list, tuple) else (a,))]
    wanted = next((a for a in given if isinstance(a, dtype)), None)
    narrow = any(is_narrow(x) for x in flat)
    mixed = any(type(x) is np.ndarray and x.ndim and x.dtype.kind in "fc" for x in flat)
    if (not narrow and wanted is not bfloat16) or (narrow and mixed):
        return forward(*args, **(kwargs or {}))
    wide = [_widened(a) for a in args]
    out = forward(*wide, **{k: _widened(v) for k, v in (kwargs or {}).items()})
    for i in writes:
        if is_narrow(args[i]):
            args[i][...] = wide[i].astype(args[i].dtype)
    if wanted is not None and wanted is not bfloat16:
        return out
    return tuple(map(_rounded, out)) if type(out) is tuple else _rounded(out)


def with_wide_parameters(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that also takes half-precision data with float32 parameters, as normalisation under autocast has them.

    The first result is rounded; statistics and gradients of parameters stay in float32.
    """

    @wraps(kernel)
    def run(*args: Any) -> Any:
        dtype = getattr(args[0], "dtype", None)
        half = dtype == np.float16 and any(getattr(a, "dtype", None) == np.float32 for a in args)
        if not half and not (NARROW.used and is_narrow(args[0])):
            return kernel(*args)
        first, *rest = kernel(*[_widened(a) for a in args])
        return (None if first is None else first.astype(dtype), *rest)

    return run


def _widened(a: Any) -> Any:
    if type(a) in (list, tuple):
        return type(a)(_widened(x) for x in a)
    if a is bfloat16:
        return float32
    return a.astype(np.float32) if is_narrow(a) or getattr(a, "dtype", None) == np.float16 else a


def _rounded(a: Any) -> Any:
    return a.astype(bfloat16.numpy) if getattr(a, "dtype", None) == np.float32 else a
