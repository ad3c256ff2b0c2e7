"""What is switched on while a program runs: gradient recording, inference mode, anomaly detection, observers.

All of it lives in STATE, which is what the dispatcher and the backward engine read.
"""

import functools
import inspect
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from engine.warning import warn

F = TypeVar("F", bound=Callable[..., Any])
DECORATED_CLASS = (
    "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions or "
    "methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__` method "
    "and nothing else."
)


def _nothing(*args: Any) -> Any:
    return None


class State:
    """The engine's switches. `observers` are told of every op, node and mode; empty costs nothing."""

    __slots__ = (
        "grad_enabled", "inference", "anomaly", "check_nan", "observers", "saved_hooks", "sequence",
        "node", "backward_pass", "refresh_view", "batching", "autocast", "transforms", "hooks_refused",
        "multithreading",
    )  # fmt: skip

    def __init__(self) -> None:
        self.refresh_view: Callable[[Any], None] = _nothing  # set by engine.install, where views meet their nodes
        self.reset()

    def reset(self) -> None:
        """Everything that a program can switch, as it is before one runs."""
        self.grad_enabled = True
        self.inference = False
        self.anomaly = False
        self.check_nan = True
        self.observers: tuple[Any, ...] = ()
        self.saved_hooks: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = ()
        self.hooks_refused: str | None = None  # why no saved_tensors_hooks may be used
        self.multithreading = True
        self.sequence = 0
        self.node: Any = None  # the node that runs now
        self.backward_pass: Any = None  # the innermost backward pass that runs now
        self.batching: Any = None  # runs operators on batches while a vmap is active, or with casts under autocast
        self.autocast: Any = None  # what torch.autocast has switched on
        self.transforms: tuple[Any, ...] = ()  # those of torch.func that run now, the innermost last


STATE = State()


def is_grad_enabled() -> bool:
    """Whether operations are recorded for backward now."""
    return STATE.grad_enabled


def is_inference_mode_enabled() -> bool:
    """Whether inference mode is on now."""
    return STATE.inference


class _DecoratorContextManager:
    """A context manager that is a decorator too, also of generator functions, as PyTorch's are."""

    name = ""

    def __enter__(self) -> Any:
        raise NotImplementedError

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        raise NotImplementedError

    def __call__(self, orig_func: F) -> F:
        if inspect.isclass(orig_func):
            warn(DECORATED_CLASS, FutureWarning)
        if inspect.isgeneratorfunction(orig_func):
            return self._wrap_generator(orig_func)  # type: ignore[return-value]

        @functools.wraps(orig_func)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return orig_func(*args, **kwargs)

        return decorated  # type: ignore[return-value]

    def _wrap_generator(self, orig_func: Callable[..., Generator[Any, Any, Any]]) -> Callable[..., Any]:
        @functools.wraps(orig_func)
        def decorated(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            running = orig_func(*args, **kwargs)
            try:
                with self.clone():
                    response = running.send(None)
                while True:
                    try:
                        request = yield response
                    except GeneratorExit:
                        with self.clone():
                            running.close()
                        raise
                    except BaseException as e:  # noqa: BLE001  what the caller throws belongs to the generator
                        with self.clone():
                            response = running.throw(e)
                    else:
                        with self.clone():
                            response = running.send(request)
            except StopIteration as e:
                return e.value

        return decorated

    def clone(self) -> "_DecoratorContextManager":
        """A fresh manager of the same setting, so that one decorator may be entered again while it is active."""
        return type(self)()

    def _notify(self, entered: bool) -> None:
        for o in STATE.observers:
            o.on_mode(self.name, entered)


class _GradMode(_DecoratorContextManager):
    enabled = False

    def __new__(cls, orig_func: Callable[..., Any] | None = None) -> Any:
        made = super().__new__(cls)
        return made if orig_func is None else made(orig_func)  # `@torch.no_grad` without parentheses

    def __init__(self) -> None:
        self.prev = False

    def __enter__(self) -> None:
        self.prev = STATE.grad_enabled
        STATE.grad_enabled = self.enabled
        self._notify(True)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        STATE.grad_enabled = self.prev
        self._notify(False)


class no_grad(_GradMode):
    """Operations inside are not recorded: https://docs.pytorch.org/docs/stable/generated/torch.no_grad.html"""

    __module__ = "torch.autograd.grad_mode"
    name = "no_grad"


class enable_grad(_GradMode):
    """Operations inside are recorded again, also within `no_grad`."""

    __module__ = "torch.autograd.grad_mode"
    name = "enable_grad"
    enabled = True


class set_grad_enabled(_DecoratorContextManager):
    """Switch recording on or off, at once; as a context manager the former setting returns on leaving."""

    __module__ = "torch.autograd.grad_mode"

    def __init__(self, mode: bool):
        if not isinstance(mode, bool):
            raise TypeError(
                f"set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {type(mode).__name__}"
            )
        self.prev = STATE.grad_enabled
        self.mode = mode
        self.name = f"set_grad_enabled({mode})"
        STATE.grad_enabled = mode
        self._notify(True)

    def __call__(self, orig_func: F) -> F:
        STATE.grad_enabled = self.prev
        return super().__call__(orig_func)

    def __enter__(self) -> None:
        STATE.grad_enabled = self.mode

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        STATE.grad_enabled = self.prev
        self._notify(False)

    def __repr__(self) -> str:
        return f"torch.set_grad_enabled(mode={self.mode})"

    __str__ = __repr__

    def clone(self) -> "set_grad_enabled":
        return type(self)(self.mode)


class inference_mode(_DecoratorContextManager):
    """No recording and no version counting; tensors made inside can never be used in recorded computation."""

    __module__ = "torch.autograd.grad_mode"
    name = "inference_mode"

    def __new__(cls, mode: bool | Callable[..., Any] = True) -> Any:
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)

    def __init__(self, mode: bool | Callable[..., Any] = True):
        self.mode = bool(mode)
        self.prev = (False, False)

    def __enter__(self) -> None:
        self.prev = (STATE.grad_enabled, STATE.inference)
        STATE.grad_enabled, STATE.inference = not self.mode, self.mode
        self._notify(True)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        STATE.grad_enabled, STATE.inference = self.prev
        self._notify(False)

    def clone(self) -> "inference_mode":
        return type(self)(self.mode)


class set_multithreading_enabled(_DecoratorContextManager):
    """Whether a backward pass may use several threads; here it runs in one, and the answer alone changes."""

    __module__ = "torch.autograd.grad_mode"

    def __init__(self, mode: bool):
        self.mode, self.prev = mode, STATE.multithreading
        STATE.multithreading = mode

    def __enter__(self) -> None:
        """It was switched when this was made."""

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        STATE.multithreading = self.prev

    def clone(self) -> Any:
        """Another of the same kind."""
        return set_multithreading_enabled(self.mode)


def is_multithreading_enabled() -> bool:
    """What `set_multithreading_enabled` was told last."""
    return STATE.multithreading


def is_view_replay_enabled() -> bool:
    """Whether a changed view is made anew by its own operator where it need not: no."""
    return False
