"""`torch.compiler`: nothing is compiled, so there is nothing to steer; functions come back as they are."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from engine.nn.compiled import compile


def is_compiling() -> bool:
    """False: no compiler looks at the program."""
    return False


def is_dynamo_compiling() -> bool:
    """False."""
    return False


def is_exporting() -> bool:
    """False."""
    return False


def reset() -> None:
    """Forget what was compiled: nothing."""


def cudagraph_mark_step_begin() -> None:
    """Nothing to mark."""


def allow_in_graph(fn: Any) -> Any:
    """The function, or functions, as they are."""
    if not isinstance(fn, list | tuple) and not callable(fn):
        raise AssertionError("allow_in_graph expects a callable")
    return fn


def assume_constant_result(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The function as it is."""
    return fn


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """The function as it is; without one, a decorator."""
    return disable if fn is None else fn


@contextlib.contextmanager
def set_stance(
    stance: str = "default", *, skip_guard_eval_unsafe: bool = False, force_backend: Any = None
) -> Iterator[None]:
    """How calls of compiled functions are treated: always as written."""
    yield


COMPILER: dict[str, Any] = {
    f.__name__: f
    for f in (
        allow_in_graph, assume_constant_result, compile, cudagraph_mark_step_begin, disable, is_compiling,
        is_dynamo_compiling, is_exporting, reset, set_stance,
    )
}  # fmt: skip
