"""torch.utils.checkpoint: a function's activations are not kept but computed again when backward needs them.

Reference: https://docs.pytorch.org/docs/stable/checkpoint.html
"""

import contextlib
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from engine import generators
from engine.autograd.calls import backward
from engine.autograd.function import Function
from engine.autograd.graph import saved_tensors_hooks
from engine.dtypes import bfloat16
from engine.modes import STATE, enable_grad, no_grad
from engine.nn.modules.container import Sequential
from engine.saved import unpack
from engine.saving import save_input
from engine.tensor import TensorBase
from engine.warning import warn_inside

EXPLICITLY = (
    "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, calling "
    "checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to "
    "preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
    "differences between the two variants."
)
EXPLICITLY_SEQUENTIAL = (
    "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In version "
    "2.9 we will raise an exception if use_reentrant is not passed. use_reentrant=False is recommended, but if you "
    "need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details "
    "on the differences between the two variants."
)
NOT_WITH_INPUTS = (
    "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` parameter to "
    ".backward(). To resolve this error, you can either set use_reentrant=False, or call .backward() without passing "
    "the `inputs` argument."
)
TWICE = (
    "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. If you are calling "
    "ctx.saved_tensors in backward, make sure to do so only once. Otherwise please open an issue with details on your "
    "use case."
)

NO_AUTOCAST = {"enabled": False, "dtype": bfloat16, "cache_enabled": True}


class CheckpointError(RuntimeError):
    """The function computed something else the second time."""


class _Enough(Exception):
    """Everything that was saved the first time has been computed again."""


class _EarlyStop:
    forced: bool | None = None


class _Debug:
    forced: bool | None = None


@contextlib.contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """Whether recomputation inside the block stops as soon as it has everything."""
    before, _EarlyStop.forced = _EarlyStop.forced, enable
    try:
        yield
    finally:
        _EarlyStop.forced = before


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """Whether all calls inside the block are debugged, whatever they say themselves; None leaves it to them."""
    before, _Debug.forced = _Debug.forced, enabled
    try:
        yield
    finally:
        _Debug.forced = before


class DefaultDeviceType:
    """The kind of device whose states are kept when no argument lies on one."""

    _default_device_type = "cuda"

    @staticmethod
    def set_device_type(device: str = "cuda") -> None:
        """Change it."""
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type() -> str:
        """What it is."""
        return DefaultDeviceType._default_device_type


def get_device_states(*args: Any) -> tuple[list[int], list[Any]]:
    """The devices among the arguments with a random stream of their own, and its states: none, as all is on the CPU."""
    return [], []


def set_device_states(devices: Any, states: Any, *, device_type: str | None = None) -> None:
    """Give devices the states of their random streams. There are none."""


def noop_context_fn() -> tuple[Any, Any]:
    """Two contexts that do nothing, for the first run and for the recomputation."""
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function: Callable[..., Any], *args: Any, use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] = noop_context_fn, determinism_check: str = "default",
    debug: bool = False, early_stop: bool = True, **kwargs: Any,
) -> Any:  # fmt: skip
    """What function(*args, **kwargs) returns, with its activations computed again in backward.

    With `use_reentrant` the whole call is one node whose backward runs a backward pass of its own; otherwise the graph
    is as without checkpoint, and only what its nodes save is missing until it is needed.
    """
    if use_reentrant is None:
        warn_inside(EXPLICITLY)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if not use_reentrant:
        return _checkpoint(function, args, kwargs, preserve, context_fn, determinism_check, debug, early_stop)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if context_fn is not noop_context_fn or debug is not False:
        raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
    return CheckpointFunction.apply(function, preserve, *args)


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """The functions one after the other, checkpointed in so many segments; the last segment is not."""
    if use_reentrant is None:
        warn_inside(EXPLICITLY_SEQUENTIAL)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if isinstance(functions, Sequential):
        functions = list(functions.children())

    def in_line(part: Any) -> Callable[[Any], Any]:
        def forward(x: Any) -> Any:
            for f in part:
                x = f(x)
            return x

        return forward

    size, done = len(functions) // segments, 0
    for start in range(0, size * (segments - 1), size):
        done = start + size
        input = checkpoint(
            in_line(functions[start:done]), input, use_reentrant=use_reentrant, preserve_rng_state=preserve
        )
    return in_line(functions[done:])(input)


class CheckpointFunction(Function):
    """The whole call as one node; its backward runs the function again and then a backward pass inside the first."""

    @staticmethod
    def forward(ctx: Any, run_function: Callable[..., Any], preserve_rng_state: bool, *args: Any) -> Any:
        """Run the function without recording."""
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.preserve_rng_state = preserve_rng_state
        ctx.device_type, ctx.had_device_in_fwd = "cpu", False
        ctx.device_autocast_kwargs, ctx.cpu_autocast_kwargs = dict(NO_AUTOCAST), dict(NO_AUTOCAST)
        if preserve_rng_state:
            ctx.fwd_cpu_state = generators.get_rng_state()
        ctx.tensor_indices = [i for i, a in enumerate(args) if isinstance(a, TensorBase)]
        ctx.inputs = [None if isinstance(a, TensorBase) else a for a in args]
        ctx.save_for_backward(*(args[i] for i in ctx.tensor_indices))
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Run the function with recording, and backward through it."""
        if STATE.backward_pass is not None and STATE.backward_pass.inputs is not None:
            raise RuntimeError(NOT_WITH_INPUTS)
        inputs = list(ctx.inputs)
        for i, t in zip(ctx.tensor_indices, ctx.saved_tensors, strict=True):
            inputs[i] = t
        detached = detach_variable(tuple(inputs))
        with _random_numbers_of(ctx.fwd_cpu_state if ctx.preserve_rng_state else None), enable_grad():
            outputs = ctx.run_function(*detached)
        if isinstance(outputs, TensorBase):
            outputs = (outputs,)
        pairs = [(o, g) for o, g in zip(outputs, grads, strict=False) if isinstance(o, TensorBase) and o._needs_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward([o for o, _ in pairs], [g for _, g in pairs])
        return (None, None, *(t.grad if isinstance(t, TensorBase) else None for t in detached))


def check_backward_validity(inputs: Any) -> None:
    """Warn when no input needs a gradient."""
    if not any(isinstance(t, TensorBase) and t._needs_grad for t in inputs):
        warn_inside("None of the inputs have requires_grad=True. Gradients will be None")


def detach_variable(inputs: Any) -> tuple[Any, ...]:
    """The inputs as leaves. Raises RuntimeError unless they are a tuple."""
    if not isinstance(inputs, tuple):
        raise RuntimeError(f"Only tuple of tensors is supported. Got Unsupported input type: {type(inputs).__name__}")
    leaves = []
    for t in inputs:
        if isinstance(t, TensorBase):
            needs, t = t._needs_grad, t.detach()  # type: ignore[attr-defined]
            t.requires_grad = needs
        leaves.append(t)
    return tuple(leaves)


@contextlib.contextmanager
def _random_numbers_of(state: Any) -> Iterator[None]:
    """Draw inside as from a state of the default stream; None for going on with the stream as it is."""
    with generators.fork_rng(enabled=state is not None):
        if state is not None:
            generators.set_rng_state(state)
        yield


# ---- without a backward pass of its own --------------------------------------------------------------
class _Holder:
    """What a node saves in place of a tensor; a backward pass finds its tensor here once it is computed again."""

    def __init__(self) -> None:
        self.found: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


class _NoPass:
    """Stands for the backward pass when a program reads a saved tensor outside of any."""


class _Frame:
    """One checkpointed call: how to run it again, and what was saved in it the first time."""

    def __init__(
        self, run: Callable[..., None], args: tuple[Any, ...], early_stop: bool, describe: Any, debug: bool
    ):  # fmt: skip
        self.run = run
        self.args = [save_input(a) if isinstance(a, TensorBase) else a for a in args]
        self.early_stop = early_stop
        self.describe = describe
        self.tip = NO_LOG if debug else SEE_MORE
        self.holders: list[weakref.ref[_Holder]] = []
        self.descriptions: list[Any] = []
        self.recomputed: weakref.WeakSet[Any] = weakref.WeakSet()
        self.count = 0
        self.complete = False
        self.more_is_fine = False

    def pack(self, t: Any) -> _Holder:
        """Keep a place for a tensor, and what it looks like."""
        holder = _Holder()
        self.holders.append(weakref.ref(holder))
        self.descriptions.append(self.describe(t))
        return holder

    def unpack(self, holder: _Holder) -> Any:
        """The tensor of a place, once per backward pass; the first to be asked for runs the function again."""
        now = STATE.backward_pass or _NoPass()
        if now not in self.recomputed:
            self._recompute(now)
        if now not in holder.found:
            raise CheckpointError("torch.utils.checkpoint: a tensor was not saved again during recomputation.")
        t = holder.found[now]
        if t is None:
            raise CheckpointError(TWICE)
        holder.found[now] = None
        return t

    def _recompute(self, now: Any) -> None:
        self.count, self.more_is_fine = 0, False
        args = [unpack(STATE.node, a) for a in self.args]
        again = saved_tensors_hooks(lambda t: self._pack_again(now, t), lambda t: t)
        with contextlib.suppress(_Enough), enable_grad(), again:
            self.run(*args)
        self.recomputed.add(now)
        self._compare(now)

    def _pack_again(self, now: Any, t: Any) -> Any:
        if t._needs_grad:
            t = t.detach()
        i = self.count
        self.count += 1
        if i >= len(self.holders):
            if not self.complete:
                self.more_is_fine = True
                return t
            raise CheckpointError(
                "torch.utils.checkpoint: trying to save more tensors during recomputation than during the original "
                f"forward pass.\n{self.tip}"
            )
        holder = self.holders[i]()
        if holder is not None:
            holder.found[now] = t
        if self.early_stop and self.count == len(self.holders):
            raise _Enough
        return t

    def _compare(self, now: Any) -> None:
        """Raise CheckpointError when other tensors were saved than the first time."""
        if self.more_is_fine:
            return
        if self.count != len(self.holders):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {len(self.holders)}\nNumber of tensors saved "
                f"during recomputation: {self.count}.\n{self.tip}"
            )
        different = ""
        for i, (reference, before) in enumerate(zip(self.holders, self.descriptions, strict=True)):
            holder = reference()
            if holder is not None and self.describe(holder.found[now]) != before:
                different += (
                    f"tensor at position {i}:\nsaved metadata: {before}\n"
                    f"recomputed metadata: {self.describe(holder.found[now])}\n"
                )
        if different:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than "
                f"during the forward pass.\n{different}.\n{self.tip}"
            )


SEE_MORE = """
Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint\u2011debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""

NO_LOG = """
The playground keeps no log for `debug=True`: step through the run, and both computations are seen.
"""

CHECKS: dict[str, Callable[[Any], Any]] = {
    "default": lambda t: {"shape": t.shape, "dtype": t.dtype, "device": t.device},
    "none": lambda t: None,
}


def _checkpoint(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], preserve: bool, context_fn: Any,
    determinism_check: str, debug: bool, early_stop: bool,
) -> Any:  # fmt: skip
    """A call whose nodes save holders instead of tensors."""
    if determinism_check not in CHECKS:
        raise ValueError(f"determinism_check should be one of {list(CHECKS)}, but got {determinism_check}")
    first, again = context_fn()
    state = generators.get_rng_state() if preserve else None

    def run(*inputs: Any) -> None:
        with _random_numbers_of(state), again:
            function(*inputs, **kwargs)

    if not STATE.grad_enabled:
        return function(*args, **kwargs)
    stop = early_stop if _EarlyStop.forced is None else _EarlyStop.forced
    debug = debug if _Debug.forced is None else _Debug.forced
    frame = _Frame(run, args, stop, CHECKS[determinism_check], debug)
    with saved_tensors_hooks(frame.pack, frame.unpack), first:
        out = function(*args, **kwargs)
    frame.complete = True
    return out


__all__ = [
    "CheckpointError", "CheckpointFunction", "DefaultDeviceType", "check_backward_validity", "checkpoint",
    "checkpoint_sequential", "detach_variable", "get_device_states", "noop_context_fn", "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop", "set_device_states",
]  # fmt: skip
