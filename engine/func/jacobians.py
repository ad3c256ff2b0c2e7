"""Jacobians and Hessians of functions, by one backward pass per element of the output."""

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.dispatch import apply
from engine.func.transforms import (
    Argnums,
    chosen,
    gradients,
    released,
    released_tree,
    traced,
    with_chosen,
    zeros_like,
)
from engine.func.trees import filled, leaves, mapped, same_structure
from engine.modes import enable_grad
from engine.ops.join import STACK
from engine.tensor import Tensor, TensorBase


def jacrev(
    func: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False, chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """A function that returns the Jacobian of func: outputs, then inputs, in the structure of both.

    One backward pass per element of the outputs.
    """
    return _jacobian(func, argnums, has_aux, "jacrev", _by_rows)


def jacfwd(
    func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[..., Any]:
    """The same Jacobian column by column. Each takes a pass through the backward graph, as there is no forward mode."""
    return _jacobian(func, argnums, has_aux, "jacfwd", _by_columns)


def hessian(func: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """A function that returns the Hessian of func."""
    return jacfwd(jacrev(func, argnums), argnums)


Parts = list[list[Any]]


def _jacobian(
    func: Callable[..., Any], argnums: Argnums, has_aux: bool, api: str, parts: Callable[[list[Any], list[Any]], Parts]
) -> Callable[..., Any]:
    """`parts` computes, for each output and each input, their Jacobian."""

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        wanted = chosen(args, argnums)
        with enable_grad():
            inner = traced(wanted)
            own = leaves(inner)
            out, aux = _with_aux(func(*with_chosen(args, argnums, inner), **kwargs), has_aux, api)
            for t in leaves(out):
                if not isinstance(t, TensorBase):
                    raise RuntimeError(f"{api}: Expected output of f to be a Tensor or Tensors, got {type(t)}")
            found = [filled(inner, iter(per_input)) for per_input in parts(leaves(out), own)]
        jac = released_tree(filled(out, iter(found)), own)
        return (jac, released_tree(aux, own)) if has_aux else jac

    return jacobian


def _with_aux(out: Any, has_aux: bool, api: str) -> tuple[Any, Any]:
    if not has_aux:
        return out, None
    if not isinstance(out, tuple) or len(out) != 2:
        raise RuntimeError(f"{api}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return out


def _basis(tensors: list[Any]) -> Iterator[list[Any]]:
    """For each element of the tensors: zeros like all of them, with a one there."""
    for i, t in enumerate(tensors):
        for j in range(t.numel()):
            unit = [zeros_like(other) for other in tensors]
            unit[i]._array().reshape(-1)[j] = 1
            yield unit


def _stacked(rows: list[Any], shape: tuple[int, ...], like: Any) -> Any:
    """Rows as one tensor of a shape; there may be none."""
    if not rows:
        return Tensor._wrap(np.zeros(shape, like._a.dtype))
    return apply(STACK, (rows, 0), {}).reshape(shape)


def _by_rows(outputs: list[Any], inputs: list[Any]) -> Parts:
    rows = [gradients(outputs, inputs, unit) for unit in _basis(outputs)]
    found, at = [], 0
    for out in outputs:
        part = rows[at : at + out.numel()]
        at += out.numel()
        shape = tuple(out.shape)
        found.append([_stacked([r[i] for r in part], shape + tuple(t.shape), t) for i, t in enumerate(inputs)])
    return found


def _by_columns(outputs: list[Any], inputs: list[Any]) -> Parts:
    weights = [zeros_like(t).requires_grad_() for t in outputs]
    first = gradients(outputs, inputs, weights)
    columns = [gradients(first, weights, unit) for unit in _basis(inputs)]
    found: Parts = []
    for i, out in enumerate(outputs):
        found.append([])
        at = 0
        for t in inputs:
            part = [c[i].reshape(-1) for c in columns[at : at + t.numel()]]
            at += t.numel()
            by_input = _stacked(part, (t.numel(), out.numel()), out)
            found[-1].append(by_input.t().reshape(tuple(out.shape) + tuple(t.shape)))
    return found


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> Any:
    """What func returns at the primals, and its Jacobian times the tangents.

    There is no forward mode here: the product v J is differentiated by v. Raises RuntimeError unless both are tuples of
    the same structure and shapes.
    """
    api = "jvp(f, primals, tangents)"
    if not isinstance(primals, tuple):
        raise RuntimeError(f"{api}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    if not same_structure(primals, tangents):
        raise RuntimeError(
            f"{api}: Expected primals and tangents to have the same python structure. For example, if primals is a "
            "tuple of 3 tensors, tangents also must be."
        )
    for p, t in zip(leaves(primals), leaves(tangents), strict=True):
        if p.shape != t.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the original Tensor, this is "
                f"not supported. Tensor is of size {list(p.shape)} while the given forward gradient is of size "
                f"{list(t.shape)}."
            )
    with enable_grad():
        inner = traced(primals)
        own = leaves(inner)
        out, aux = _with_aux(func(*inner), has_aux, api)
        for t in leaves(out):
            if not isinstance(t, TensorBase):
                raise RuntimeError(f"{api}: expected f(*args) to return only tensors, got unsupported type {type(t)}")
        outputs = leaves(out)
        weights = [zeros_like(t).requires_grad_() for t in outputs]
        first = gradients(outputs, own, weights)
        products = gradients(first, weights, leaves(tangents))
    own += weights
    result = released_tree(out, own), filled(out, iter(released(p, own) for p in products))
    return (*result, released_tree(aux, own)) if has_aux else result


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """What func returns at the primals, and a function that multiplies its Jacobian there with tangents."""
    out, _ = jvp(func, primals, mapped(zeros_like, primals))

    def jvp_fn(*tangents: Any) -> Any:
        return jvp(func, primals, tangents)[1]

    return out, jvp_fn
