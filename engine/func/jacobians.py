"""Jacobians and Hessians of functions: one backward pass on a batch of unit gradients, as `vmap` runs it."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.autograd.forward_ad import check_rules
from engine.batching.levels import batching, gathered, sampled
from engine.batching.trees import filled, leaves, mapped, same_structure, structure_text
from engine.dispatch import apply, run
from engine.func.transforms import (
    Argnums,
    chosen,
    gradients,
    released,
    released_tree,
    traced,
    with_chosen,
    wrapped,
    zeros_like,
)
from engine.levels import Transform, next_number, transforming
from engine.modes import enable_grad
from engine.ops.join import CAT
from engine.ops.pieces import SPLIT_WITH_SIZES
from engine.tensor import Tensor, TensorBase


def jacrev(
    func: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False, chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """A function that returns the Jacobian of func: outputs, then inputs, in the structure of both.

    One backward pass for all elements of the outputs together, or `chunk_size` of them at a time.
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")
    return _jacobian(func, argnums, has_aux, "jacrev", functools.partial(_by_rows, chunk_size=chunk_size))


def jacfwd(
    func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[..., Any]:
    """The same Jacobian column by column: there is no forward mode, so it differentiates the backward pass."""
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
    def jacobian(*args: Any) -> Any:
        _only_real(api, args, "inputs")
        wanted = chosen(args, argnums)
        if parts is _by_columns:
            for t in leaves(wanted):
                t.numel()  # what PyTorch asks of an input first, and a wrong one has not
                _check_primal(t)
        with enable_grad():
            forward = parts is _by_columns
            with transforming(2 if forward else 1, forward) as transform:  # jvp inside vmap
                inner = traced(wanted, transform)
                own = leaves(inner)
                result = func(*with_chosen(wrapped(args, transform), argnums, inner))
            out, aux = _with_aux(result, has_aux, api)
            _only_tensors(out, _PRODUCTS[api])
            _only_real(api, out, "outputs")
            found = [filled(inner, iter(per_input)) for per_input in parts(leaves(out), own)]
        jac = released_tree(filled(out, iter(found)), own)
        return (jac, released_tree(aux, own)) if has_aux else jac

    return jacobian


_PRODUCTS = {"jacrev": "vjp(f, *primals)", "jacfwd": "jvp(f, primals, tangents)"}
"""What PyTorch computes a Jacobian by, which is what its messages name."""


def _only_real(api: str, values: Any, which: str) -> None:
    for i, t in enumerate(leaves(values)):
        if isinstance(t, TensorBase) and t.is_complex():
            raise RuntimeError(
                f"{api}: Expected all {which} to be real but received complex tensor at flattened input idx: {i}"
            )


def _only_tensors(out: Any, product: str) -> None:
    for t in leaves(out):
        if not isinstance(t, TensorBase):
            raise RuntimeError(
                f"{product}: expected f(*primals) to return only tensors, got unsupported type {type(t)}"
            )


def _check_primal(t: Any) -> None:
    """Raise ValueError for what has no derivative in forward mode."""
    if not (t.dtype.is_floating_point or t.dtype.is_complex):
        raise ValueError(f"Expected primal to be floating point or complex, but got: {t.dtype}")


def _with_aux(out: Any, has_aux: bool, api: str) -> tuple[Any, Any]:
    if not has_aux:
        return out, None
    if not isinstance(out, tuple) or len(out) != 2:
        raise RuntimeError(f"{api}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return out


def _basis(tensors: list[Any]) -> list[Any]:
    """One tensor per tensor, of a row for each of all their elements: zeros, and a one at that element."""
    total = sum(t.numel() for t in tensors)
    found, at = [], 0
    for t in tensors:
        rows = np.zeros((total, t.numel()), t._a.dtype)
        rows[at : at + t.numel()] = np.eye(t.numel(), dtype=t._a.dtype)
        found.append(Tensor._wrap(rows.reshape((total, *t.shape))))
        at += t.numel()
    return found


def _mapped(derivative: Callable[[list[Any]], list[Any]], units: list[Any], chunk_size: int | None = None) -> list[Any]:
    """derivative(rows) of all rows of the basis at once, as vmap runs it, or `chunk_size` of them at a time."""
    total = units[0].shape[0] if units else 0
    step = total if chunk_size is None else min(chunk_size, total)
    pieces = []
    for start in range(0, max(total, 1), max(step, 1)):
        rows = units if step == total else [u.narrow(0, start, min(step, total - start)) for u in units]
        size = min(step, total - start) if step else 0
        with batching(size) as level:
            out = derivative([sampled(r, 0, level) for r in rows])
            pieces.append([gathered(t, 0, level) for t in out])
    if len(pieces) == 1:
        return pieces[0]
    return [apply(CAT, (list(column), 0), {}) for column in zip(*pieces, strict=True)]


def _by_rows(outputs: list[Any], inputs: list[Any], chunk_size: int | None) -> Parts:
    rows = _mapped(lambda units: gradients(outputs, inputs, units), _basis(outputs), chunk_size)
    counts = [out.numel() for out in outputs]
    per_input = [run(SPLIT_WITH_SIZES, [r, counts, 0]) for r in rows]
    return [
        [pieces[i].view((*out.shape, *t.shape)) for pieces, t in zip(per_input, inputs, strict=True)]
        for i, out in enumerate(outputs)
    ]


def _by_columns(outputs: list[Any], inputs: list[Any]) -> Parts:
    check_rules(outputs, inputs)
    weights = _weights(outputs)
    first = gradients(outputs, inputs, weights)
    columns = _mapped(lambda units: gradients(first, weights, units), _basis(inputs))
    counts = [t.numel() for t in inputs]
    found: Parts = []
    for column, out in zip(columns, outputs, strict=True):
        pieces = run(SPLIT_WITH_SIZES, [column.movedim(0, -1), counts, -1])
        found.append([piece.view((*out.shape, *t.shape)) for piece, t in zip(pieces, inputs, strict=True)])
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
            "tuple of 3 tensors, tangents also must be. Got primals with structure "
            f"{structure_text(primals)} and tangents with structure {structure_text(tangents)}"
        )
    for name, values in (("primals", primals), ("tangents", tangents)):
        for t in leaves(values):
            if not isinstance(t, TensorBase):
                raise RuntimeError(f"{api}: Expected {name} to only contain Tensors, got {type(t)}")
    for p, t in zip(leaves(primals), leaves(tangents), strict=True):
        _check_primal(p)
        if p.shape != t.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the original Tensor, this is "
                f"not supported. Tensor is of size {list(p.shape)} while the given forward gradient is of size "
                f"{list(t.shape)}."
            )
    with enable_grad():
        with transforming(forward=True) as transform:
            inner = traced(primals, transform)
            own = leaves(inner)
            out, aux = _with_aux(func(*inner), has_aux, api)
        _only_tensors(out, api)
        outputs = leaves(out)
        check_rules(outputs, own)
        weights = _weights(outputs)
        first = gradients(outputs, own, weights)
        products = gradients(first, weights, leaves(tangents))
    own += weights
    result = released_tree(out, own), filled(out, iter(released(p, own) for p in products))
    return (*result, released_tree(aux, own)) if has_aux else result


def _weights(outputs: list[Any]) -> list[Any]:
    """Zeros to differentiate by, in the place of gradients of the outputs."""
    return traced([zeros_like(t) for t in outputs], Transform(next_number()))


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """What func returns at the primals, and a function that multiplies its Jacobian there with tangents."""
    out, _ = jvp(func, primals, mapped(zeros_like, primals))

    def jvp_fn(*tangents: Any) -> Any:
        return jvp(func, primals, tangents)[1]

    return out, jvp_fn
