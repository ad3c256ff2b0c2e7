"""Gradients of functions: `grad`, `grad_and_value`, `vjp`.

Reference: https://docs.pytorch.org/docs/stable/func.api.html
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.autograd.calls import grad as autograd_grad
from engine.batching.levels import current
from engine.batching.tensor import in_order, is_batched, level_of, lifted, unrecorded
from engine.batching.trees import filled, is_node, leaves, mapped, same_structure
from engine.composites.like_factories import ones_like
from engine.dispatch import run, sharing
from engine.graph import AccumulateGrad
from engine.levels import Transform, transforming
from engine.modes import STATE, enable_grad
from engine.ops.views import ALIAS
from engine.tensor import Tensor, TensorBase

_BLANK = (None, None, None, False, False, None)  # no dtype, layout, device, pinning, gradient, memory format
Argnums = int | tuple[int, ...]


def grad(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the gradient of func, which returns one number, by the arguments `argnums`."""

    @functools.wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        found, rest = grad_and_value(func, argnums, has_aux)(*args, **kwargs)
        return (found, rest[1]) if has_aux else found

    return gradient


def grad_and_value(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The same, with what func returned: (gradient, value), or (gradient, (value, aux))."""

    @functools.wraps(func)
    def gradient_and_value(*args: Any, **kwargs: Any) -> Any:
        wanted = chosen(args, argnums)
        with enable_grad():
            with transforming() as transform:
                inner = traced(wanted, transform)
                out = func(*with_chosen(wrapped(args, transform), argnums, inner), **wrapped(kwargs, transform))
            aux = None
            if has_aux:
                out, aux = _two(out, "grad_and_value(f)(*args)")
            _check_one_number(out)
            if out.is_complex():
                raise RuntimeError(f"grad can be implicitly created only for real scalar outputs but got {out.dtype}")
            found = gradients([out], leaves(inner), [ones_like(out, *_BLANK)])
        own = leaves(inner)
        grads = filled(inner, iter(released(g, own) for g in found))
        value = released(out, own)
        return (grads, (value, released_tree(aux, own))) if has_aux else (grads, value)

    return gradient_and_value


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """What func returns at the primals, and a function that multiplies cotangents of it with the Jacobian."""
    with enable_grad():
        with transforming() as transform:
            inner = traced(primals, transform)
            out = func(*inner)
        aux = None
        if has_aux:
            out, aux = _two(out, "vjp(f, *primals)")
        _check_floats(out)
    own = leaves(inner)

    def vjp_fn(cotangents: Any, *more: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        given = (cotangents, *more) if more else cotangents
        if not same_structure(given, out):
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
                f"function. cotangents: {mapped(_starred, given)}, primal output: {mapped(_starred, out)}"
            )
        with enable_grad():
            found = gradients(leaves(out), own, leaves(given))
        return filled(inner, iter(released(g, own) for g in found))

    vjp_fn.__name__, vjp_fn.__qualname__ = "wrapper", "_vjp_with_argnums.<locals>.wrapper"  # as it is printed
    value = released_tree(out, own)
    return (value, vjp_fn, released_tree(aux, own)) if has_aux else (value, vjp_fn)


class _Star:
    """A leaf in the text of a tree."""

    def __repr__(self) -> str:
        return "*"


def _starred(leaf: Any) -> _Star:
    return _Star()


# ---- parts -------------------------------------------------------------------------------------------
def traced(tree: Any, transform: Transform) -> Any:
    """New tensors to differentiate by; those that carry a graph stay connected to it."""

    def one(t: Any) -> Any:
        if not isinstance(t, TensorBase):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(t)}")
        level = current()
        if level and not (is_batched(t) and t._level == level and t._needs_grad):
            fresh = lifted(t, level) if level_of([t]) < level else in_order(t)
        elif t._needs_grad:
            fresh = run(ALIAS, [t])
        else:
            fresh = t.detach()  # type: ignore[attr-defined]
        if fresh._a.dtype.kind not in "fcV":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        fresh._requires = fresh._fn is None
        fresh._transforms, fresh._outside = (*t._transforms, transform), t
        return fresh

    return mapped(one, tree)


def wrapped(tree: Any, transform: Transform) -> Any:
    """The arguments that are not differentiated by, as they are printed inside."""

    def one(t: Any) -> Any:
        if not isinstance(t, TensorBase) or t._needs_grad:
            return t
        inside = unrecorded(t) if is_batched(t) else sharing(Tensor._wrap(t._array()), t)
        inside._trace_id = t._trace_id  # to observers they are the same
        inside._transforms, inside._outside = (*t._transforms, transform), t
        return inside

    return mapped(one, tree)


def gradients(outputs: list[Any], inputs: list[Any], weights: list[Any]) -> list[Any]:
    """Gradients with a graph of their own, zeros for inputs that play no part."""
    pairs = [(o, w) for o, w in zip(outputs, weights, strict=True) if o._needs_grad]
    if not pairs:
        return [zeros_like(t) for t in inputs]
    found = autograd_grad(
        [o for o, _ in pairs], inputs, [w for _, w in pairs], retain_graph=True, create_graph=True, allow_unused=True
    )
    return [zeros_like(t) if g is None else g for g, t in zip(found, inputs, strict=True)]


def zeros_like(t: Any) -> Any:
    """Zeros without history."""
    return Tensor._wrap(np.zeros(t._a.shape, t._a.dtype))


def released(t: Any, own: list[Any]) -> Any:
    """A result without history, unless it depends on a tensor outside that requires grad."""
    if not isinstance(t, TensorBase) or not t._needs_grad:
        return _outside(t)
    mine = {id(o) for o in own if o._fn is None}
    todo = [t._edge()]
    seen = set()
    while todo:
        edge = todo.pop()
        if edge is None or edge[0] in seen:
            continue
        seen.add(edge[0])
        if type(edge[0]) is AccumulateGrad and id(edge[0].variable) not in mine:
            return _outside(t)
        todo.extend(edge[0].edges)
    if is_batched(t):
        return _outside(unrecorded(t))
    alone = t.detach()  # type: ignore[attr-defined]
    if t._base is not None:
        alone._base = Tensor._wrap(t._base._array())
    return _outside(alone)


def _outside(t: Any) -> Any:
    """A result, which leaves its transform."""
    if isinstance(t, TensorBase):
        t._transforms = tuple([level for level in t._transforms if level in STATE.transforms])
    return t


def released_tree(tree: Any, own: list[Any]) -> Any:
    """The same for every tensor of a tree."""
    return mapped(lambda t: released(t, own), tree)


def chosen(args: tuple[Any, ...], argnums: Argnums) -> Any:
    """The argument, or the tuple of arguments, to differentiate by. Raises RuntimeError for numbers out of range."""
    if isinstance(argnums, bool) or not isinstance(argnums, int | tuple):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    if isinstance(argnums, tuple):
        if not argnums:
            raise RuntimeError("argnums must be non-empty")
        if len(set(argnums)) != len(argnums):
            raise RuntimeError(f"argnums elements must be unique, got {argnums}")
        return tuple(chosen(args, i) for i in argnums)
    if not -len(args) <= argnums < len(args):
        raise RuntimeError(f"Got argnum={argnums}, but only {len(args)} positional inputs")
    return args[argnums]


def with_chosen(args: tuple[Any, ...], argnums: Argnums, values: Any) -> tuple[Any, ...]:
    """The arguments with those to differentiate by replaced."""
    replaced = list(args)
    pairs = zip(argnums, values, strict=True) if isinstance(argnums, tuple) else [(argnums, values)]
    for i, v in pairs:
        replaced[i] = v
    return tuple(replaced)


def _two(out: Any, api: str) -> Any:
    if not isinstance(out, tuple) or len(out) != 2:
        raise RuntimeError(f"{api}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return out


def _check_one_number(out: Any) -> None:
    api = "grad_and_value(f)(*args): Expected f(*args) to return a"
    if not isinstance(out, TensorBase):
        raise RuntimeError(f"{api} Tensor, got {type(out)}")
    if out.ndim != 0:
        raise RuntimeError(
            f"{api} scalar Tensor, got tensor with {out.ndim} dims. Maybe you wanted to use the vjp or jacrev APIs "
            "instead?"
        )


def _check_floats(out: Any) -> None:
    for t in leaves(out):
        if not isinstance(t, TensorBase):
            what = "to return only tensors, got unsupported type" if is_node(out) else "to be a Tensor or Tensors, got"
            begin = "expected f(*primals)" if is_node(out) else "Expected output of f"
            raise RuntimeError(f"vjp(f, *primals): {begin} {what} {type(t)}")
        if t._a.dtype.kind not in "fcV":
            raise RuntimeError(
                "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype "
                f"{t.dtype}"
            )
