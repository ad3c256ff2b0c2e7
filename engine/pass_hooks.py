"""Hooks of the backward pass: on tensors, before and after nodes. They see Tensors; what they return takes their place.

Each function takes the running Pass, a node and its gradients, and returns the gradients to go on with.
"""

from typing import Any

import numpy as np

from engine.dtypes import from_numpy
from engine.graph import Node
from engine.modes import STATE
from engine.tensor import Tensor, TensorBase


class GradMode:
    """Grad mode for the length of a with block, unseen by observers."""

    __slots__ = ("enabled", "before")

    def __init__(self, enabled: bool):
        self.enabled = enabled
        self.before = False

    def __enter__(self) -> None:
        self.before, STATE.grad_enabled = STATE.grad_enabled, self.enabled

    def __exit__(self, *exc: object) -> None:
        STATE.grad_enabled = self.before


def call_hook(hook: Any, *given: Any) -> Any:
    """A hook of the program's, called. What goes wrong from here on is the program's own, a wrong call included."""
    return hook(*given)


def _check_result(hook: Any, result: Any, old: Any) -> None:
    """Raise TypeError or RuntimeError for what a tensor's hook must not return."""
    if old is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if not isinstance(result, TensorBase):
        raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
    name = getattr(hook, "__name__", hook)
    old = getattr(old, "_a", old)
    if result._a.dtype != old.dtype:
        was, got = (from_numpy(a.dtype).class_name for a in (old, result._a))
        raise RuntimeError(f"hook '{name}' has changed the type of value (was {was} got {got})")
    if result._a.shape != old.shape:
        raise RuntimeError(f"hook '{name}' has changed the size of value")


def _checked(run: Any, hook: Any, result: Any, old: list[Any]) -> list[Any]:
    """What a node's hook returned in the place of these gradients, as the pass carries them."""
    if not isinstance(result, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(result).__name__}'")
    if len(result) != len(old):
        raise RuntimeError(
            f"hook '{getattr(hook, '__name__', hook)}' has returned an incorrect number of values (got "
            f"{len(result)}, but expected {len(old)})"
        )
    for new, before in zip(result, old, strict=True):
        if new is not None:
            _check_result(hook, new, before)
    return [run.unwrapped(g) for g in result]


def tensor_hooks(run: Any, node: Node, grads: list[Any]) -> list[Any]:
    extras = node.extras
    for nr, hooks in extras.tensor if extras is not None else ():
        for hook in list(hooks.values()):
            with GradMode(run.create_graph):
                result = call_hook(hook, run.wrapped(grads[nr]))
            old = grads[nr]
            if result is not None:
                _check_result(hook, result, old)
                grads[nr] = run.unwrapped(result)
            for o in run.observers:
                o.on_hook(run, node, "tensor", hook, old, grads[nr])
    for nr, ref in list(extras.retains.items()) if extras is not None else ():
        tensor = ref()
        if tensor is not None and grads[nr] is not None:
            g = run.wrapped(grads[nr])
            old = tensor._grad
            fresh = g if run.create_graph else Tensor._wrap(np.array(g._a))
            tensor._grad = fresh if old is None else (old + g if run.create_graph else Tensor._wrap(old._a + g._a))
            for o in run.observers:
                o.on_retain(run, node, tensor)
    return grads


def pre_hooks(run: Any, node: Node, grads: list[Any]) -> list[Any]:
    for hook in list(node.extras.pre.values()):  # type: ignore[union-attr]
        with GradMode(run.create_graph):
            result = call_hook(hook, tuple(run.wrapped(g) for g in grads))
        old = grads
        if result is not None:
            grads = _checked(run, hook, result, grads)
        for o in run.observers:
            o.on_hook(run, node, "node_pre", hook, old[0], grads[0])
    return grads


def post_hooks(run: Any, node: Node, out: list[Any], grads: list[Any]) -> list[Any]:
    for hook in list(node.extras.post.values()):  # type: ignore[union-attr]
        shown = tuple(run.wrapped(g) for g in out)
        with GradMode(run.create_graph):
            result = call_hook(hook, shown, tuple(run.wrapped(g) for g in grads))
        old = out
        if result is not None:
            out = _checked(run, hook, result, out)
        for o in run.observers:
            o.on_hook(
                run,
                node,
                "node",
                hook,
                next((g for g in old if g is not None), None),
                next((g for g in out if g is not None), None),
            )
    return out


def leaf_hooks(run: Any, variable: Any) -> None:
    """Call what waits for a leaf's gradient to be added, which it does also where no gradient came."""
    if not variable._requires:
        return
    with GradMode(run.create_graph):
        for hook in list(variable._post_hooks.values()):
            result = call_hook(hook, variable)
            if result is not None:
                raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
