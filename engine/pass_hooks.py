"""Hooks of the backward pass: on tensors, before and after nodes. They see Tensors; what they return takes their place.

Each function takes the running Pass, a node and its gradients, and returns the gradients to go on with.
"""

from typing import Any

import numpy as np

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


def tensor_hooks(run: Any, node: Node, grads: list[Any]) -> list[Any]:
    extras = node.extras
    for nr, hooks in extras.tensor if extras is not None else ():
        if grads[nr] is None:
            continue
        for hook in list(hooks.values()):
            with GradMode(run.create_graph):
                result = hook(run.wrapped(grads[nr]))
            old = grads[nr]
            if result is not None:
                if not isinstance(result, TensorBase):
                    raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
                if result._a.shape != getattr(old, "_a", old).shape:
                    raise RuntimeError(f"hook '{getattr(hook, '__name__', hook)}' has changed the size of value")
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
            result = hook(tuple(run.wrapped(g) for g in grads))
        old = grads
        if result is not None:
            result = (result,) if isinstance(result, TensorBase) else tuple(result)
            grads = [run.unwrapped(g) for g in result]
        for o in run.observers:
            o.on_hook(run, node, "node_pre", hook, old[0], grads[0])
    return grads


def post_hooks(run: Any, node: Node, out: list[Any], grads: list[Any]) -> list[Any]:
    for hook in list(node.extras.post.values()):  # type: ignore[union-attr]
        shown = tuple(run.wrapped(g) for g in out)
        with GradMode(run.create_graph):
            result = hook(shown, tuple(run.wrapped(g) for g in grads))
        old = out
        if result is not None:
            result = (result,) if isinstance(result, TensorBase) else tuple(result)
            if len(result) != len(out):
                raise RuntimeError(
                    f"hook '{getattr(hook, '__name__', hook)}' has returned an incorrect number of values (got "
                    f"{len(result)}, but expected {len(out)})"
                )
            out = [run.unwrapped(g) for g in result]
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
