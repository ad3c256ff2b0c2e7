"""`torch.autograd.graph`: hooks on what is saved, edges of the graph, hooks on several tensors at once."""

import weakref
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from engine.graph import AccumulateGrad, Node, RemovableHandle
from engine.modes import STATE, no_grad


class saved_tensors_hooks:
    """Pack each tensor saved inside the block, unpack it when backward needs it."""

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if STATE.hooks_refused is not None:
            raise RuntimeError(STATE.hooks_refused)
        STATE.saved_hooks = (*STATE.saved_hooks, (self.pack_hook, self.unpack_hook))

    def __exit__(self, *exc: object) -> None:
        STATE.saved_hooks = STATE.saved_hooks[:-1]


class save_on_cpu(saved_tensors_hooks):
    """Saved tensors are copied aside and brought back; there is only the CPU here, so the copy stays on it."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda"):
        super().__init__(lambda t: t.clone(), lambda t: t)


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Any:
    """No saved_tensors_hooks may be used inside the block: RuntimeError with the message, also where some are."""
    if STATE.saved_hooks:
        raise RuntimeError(error_message)
    before, STATE.hooks_refused = STATE.hooks_refused, error_message
    try:
        yield
    finally:
        STATE.hooks_refused = before


class _Mutation:
    """What `allow_mutation_on_saved_tensors` hands out."""

    def clear(self) -> None:
        """The copies go with the graph that holds them."""


@contextmanager
def allow_mutation_on_saved_tensors() -> Any:
    """Tensors saved inside the block may be changed in place afterwards: backward uses them as they were."""

    def copied(t: Any) -> Any:
        with no_grad():
            return t.clone()

    with saved_tensors_hooks(copied, lambda t: t):
        yield _Mutation()


class GradientEdge(NamedTuple):
    """A node and which of its outputs: where a tensor's gradient arrives."""

    node: Node
    output_nr: int
    ownership_token: Any = None


def get_gradient_edge(tensor: Any) -> GradientEdge:
    """The edge of a tensor. Raises RuntimeError when it requires no grad."""
    if not tensor._needs_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    fn, nr = tensor._edge()
    return GradientEdge(fn, nr)


def increment_version(tensor: Any) -> None:
    """Count an in-place change that the engine did not see."""
    for t in tensor if isinstance(tensor, list | tuple) else (tensor,):
        t._version_counter().n += 1


class _Handle:
    def __init__(self, handles: tuple[RemovableHandle, ...]):
        self.handles = handles

    def remove(self) -> None:
        """Take all the hooks back."""
        for h in self.handles:
            h.remove()

    def __enter__(self) -> "_Handle":
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


def register_multi_grad_hook(tensors: Sequence[Any], fn: Callable[..., Any], *, mode: str = "all") -> _Handle:
    """Call fn once the gradients of all (or, with mode="any", the first) of the tensors are known."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":
        once = _once_a_pass(fn)
        return _Handle(tuple(t.register_hook(once) for t in tensors if t._needs_grad))
    return _Handle(_hooks_of_all(tensors, fn))


def _once_a_pass(fn: Callable[..., Any]) -> Callable[[Any], None]:
    """A hook for several tensors that calls fn the first time in each backward pass."""
    last: list[Any] = [None]

    def hook(grad: Any) -> None:
        if last[0] is None or last[0]() is not STATE.backward_pass:
            last[0] = weakref.ref(STATE.backward_pass)
            fn(grad)

    return hook


def _comes_to(run: Any, node: Node) -> bool:
    """Whether a backward pass will still run a node, or give out the gradient that arrives at it."""
    if run.needed is not None:
        if isinstance(node, AccumulateGrad) and node in run.captures:
            raise RuntimeError(
                "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). "
                "This is currently not supported."
            )
        if node not in run.needed and node not in run.captures:
            return False
    return run.waiting.get(node, 0) > 0 or any(ready.node is node for _, ready in run.ready.heap)


def _hooks_of_all(tensors: Sequence[Any], fn: Callable[..., Any]) -> tuple[RemovableHandle, ...]:
    """Hooks that call fn with the gradients of all tensors once the pass has come to the last of them that it meets."""
    edges = [t._edge() for t in tensors]
    if None in edges:
        raise AssertionError("Expected gradient function to be set")
    nodes = [fn for fn, _ in edges]
    waiting: weakref.WeakKeyDictionary[Any, list[Any]] = weakref.WeakKeyDictionary()  # pass -> [how many more, grads]

    def hook_of(i: int) -> Callable[[Any], None]:
        def hook(grad: Any) -> None:
            now = STATE.backward_pass
            state = waiting.get(now)
            if state is None:
                state = waiting[now] = [sum(_comes_to(now, n) or n is nodes[i] for n in nodes), [None] * len(tensors)]
            state[0] -= 1
            state[1][i] = grad
            if state[0] == 0:
                fn(state[1])
                del waiting[now]

        return hook

    return tuple(t.register_hook(hook_of(i)) for i, t in enumerate(tensors))


__all__ = [
    "GradientEdge", "Node", "RemovableHandle", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks",
    "get_gradient_edge", "increment_version", "register_multi_grad_hook", "save_on_cpu", "saved_tensors_hooks",
]  # fmt: skip
