"""`torch.autograd.functional`: Jacobians, Hessians and products with them, of Python functions of tensors.

Reference: https://docs.pytorch.org/docs/stable/autograd.html#functional-higher-level-api
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.autograd import strict_mode
from engine.autograd.calls import grad
from engine.autograd.forward_ad import check_rules
from engine.dispatch import apply
from engine.modes import STATE, enable_grad, set_grad_enabled
from engine.ops.join import STACK
from engine.tensor import Tensor, TensorBase

NEED_V = "The vector v can only be None if {} a single Tensor with a single element."
VECTORIZE = (
    "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for `vectorize=True`."
)
FORWARD = (
    "torch.autograd.functional.jacobian: `{}` and `{}` are not supported together{}. Please either set `{}` or `{}`."
)
STRATEGY = (
    'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs than '
    'inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
)
Tensors = tuple[Any, ...]


def vjp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """What func returns, and the product of v with its Jacobian."""
    with enable_grad():
        many, inputs = as_tuple(inputs, "inputs", "vjp")
        inputs = _leaves(inputs, create_graph, True)
        many_out, outputs = as_tuple(func(*inputs), "outputs of the user-provided function", "vjp")
        strict_mode.check_outputs(outputs, strict)
        if v is None and (len(outputs) != 1 or outputs[0].numel() != 1):
            raise RuntimeError(NEED_V.format("the user-provided function returns"))
        v = _checked_v(v, outputs, many_out, create_graph, "vjp")
    with set_grad_enabled(bool(operator.index(create_graph)) or STATE.grad_enabled):
        product = _zeros_for_none(_grad(outputs, inputs, v, create_graph), inputs, strict, create_graph, "back")
    return _result(outputs, create_graph, many_out), _result(product, create_graph, many)


def jvp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """What func returns, and the product of its Jacobian with v, by differentiating the product v J by v."""
    with enable_grad():
        many, inputs = as_tuple(inputs, "inputs", "jvp")
        inputs = _leaves(inputs, create_graph, True)
        v = _v_like_inputs(v, inputs, many, create_graph, "jvp")
        many_out, outputs = as_tuple(func(*inputs), "outputs of the user-provided function", "jvp")
        strict_mode.check_outputs(outputs, strict)
        weights = tuple(_zeros(t, True) for t in outputs)
        first = _grad(outputs, inputs, weights, True)
        strict_mode.check_gradients(first, strict)
    with set_grad_enabled(bool(operator.index(create_graph)) or STATE.grad_enabled):
        product = _zeros_for_none(_grad(first, weights, v, create_graph), outputs, strict, create_graph, "back_trick")
    return _result(outputs, create_graph, many_out), _result(product, create_graph, many_out)


def vhp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """What func returns, one number, and the product of v with its Hessian."""
    with enable_grad():
        many, inputs = as_tuple(inputs, "inputs", "vhp")
        inputs = _leaves(inputs, create_graph, True)
        v = _v_like_inputs(v, inputs, many, create_graph, "vhp")
        output, jac = _value_and_jacobian(func, inputs, strict, "vhp")
    with set_grad_enabled(bool(operator.index(create_graph)) or STATE.grad_enabled):
        product = _zeros_for_none(_grad(jac, inputs, v, create_graph), inputs, strict, create_graph, "double_back")
    return _result(output, create_graph, False), _result(product, create_graph, many)


def hvp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """What func returns, one number, and the product of its Hessian with v."""
    with enable_grad():
        many, inputs = as_tuple(inputs, "inputs", "hvp")
        inputs = _leaves(inputs, create_graph, True)
        v = _v_like_inputs(v, inputs, many, create_graph, "hvp")
        output, jac = _value_and_jacobian(func, inputs, strict, "hvp")
        weights = tuple(_zeros(t, True) for t in inputs)
        second = _grad(jac, inputs, weights, True)
        strict_mode.check_hessian(jac, strict)
    with set_grad_enabled(bool(operator.index(create_graph)) or STATE.grad_enabled):
        found = _grad(second, weights, v, create_graph)
        product = _zeros_for_none(found, inputs, strict, create_graph, "double_back_trick")
    return _result(output, create_graph, False), _result(product, create_graph, many)


def jacobian(
    func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """The Jacobian of func at inputs: for each output and input a tensor of both shapes, outputs first.

    Every row takes a backward pass of its own; `vectorize` and `strategy` are checked and change nothing else.
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(STRATEGY)
    if strategy == "forward-mode":
        _check_forward(create_graph, strict, vectorize)
    with enable_grad():
        many, inputs = as_tuple(inputs, "inputs", "jacobian")
        inputs = _leaves(inputs, create_graph, True)
        many_out, outputs = as_tuple(func(*inputs), "outputs of the user-provided function", "jacobian")
        strict_mode.check_outputs(outputs, strict)
        if strategy == "forward-mode":
            check_rules(outputs, inputs)
        if vectorize and strict:
            raise RuntimeError(FORWARD.format("strict=True", "vectorized=True", "", "strict=False", "vectorize=False"))
        rows = tuple(_rows(i, out, inputs, create_graph, strict) for i, out in enumerate(outputs))
    return _unpacked(_released(rows, create_graph), many_out, many)


def hessian(
    func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """The Hessian of func, which returns one number: the Jacobian of its Jacobian."""
    many, inputs = as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def one_number(*args: Any) -> Any:
        out = func(*args)
        many_out, outputs = as_tuple(out, "outputs of the user-provided function", "hessian")
        strict_mode.check_outputs(outputs, strict)
        _check_one_number(outputs, many_out, "hessian")
        return out.squeeze()

    def jac_func(*args: Any) -> Any:
        jac = jacobian(one_number, args, create_graph=True)
        strict_mode.check_jacobian(jac, strict)
        return jac

    found = jacobian(jac_func, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return _unpacked(found, many, many)


# ---- parts -------------------------------------------------------------------------------------------
def as_tuple(given: Any, what: str, name: str) -> tuple[bool, Tensors]:
    """Whether a tuple was given, and the tensors as one. Raises TypeError for anything but tensors."""
    many = isinstance(given, tuple)
    given = given if many else (given,)
    for i, t in enumerate(given):
        if not isinstance(t, TensorBase):
            where = f"value at index {i}" if many else f"given {what}"
            raise TypeError(
                f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the {where} has type "
                f"{type(t)}."
            )
    return many, given


def _leaves(tensors: Tensors, create_graph: bool, need_graph: bool) -> Tensors:
    """New tensors for the arguments, so that they differ from the same tensors captured by the function."""
    return tuple(
        t.view_as(t) if create_graph and t._needs_grad else t.detach().requires_grad_(need_graph) for t in tensors
    )


def _released(nested: Any, create_graph: bool) -> Any:
    """Results without history, unless it was asked for."""
    if create_graph:
        return nested
    return nested.detach() if isinstance(nested, TensorBase) else tuple(_released(t, False) for t in nested)  # type: ignore[attr-defined]


def _unpacked(nested: Any, outer: bool, inner: bool) -> Any:
    """Tuples of tuples as the arguments were given: without the level that was none."""
    if not inner:
        nested = tuple(t[0] for t in nested)
    return nested if outer else nested[0]


def _result(tensors: Tensors, create_graph: bool, many: bool) -> Any:
    released = _released(tuple(tensors), create_graph)
    return released if many else released[0]


def _zeros(like: Any, requires_grad: bool = False) -> Any:
    t = Tensor._wrap(np.zeros_like(like._array()))
    t._requires = requires_grad
    return t


def _v_like_inputs(v: Any, inputs: Tensors, many: bool, create_graph: bool, name: str) -> Any:
    if v is None and (len(inputs) != 1 or inputs[0].numel() != 1):
        raise RuntimeError(NEED_V.format("the input to the user-provided function is"))
    return _checked_v(v, inputs, many, create_graph, name)


def _checked_v(v: Any, like: Tensors, many: bool, create_graph: bool, name: str) -> Any:
    """The vector as leaves. Raises RuntimeError unless it has the shapes of what it is multiplied with."""
    if v is None:
        return None
    v = _leaves(as_tuple(v, "v", name)[1], create_graph, False)
    if len(v) != len(like):
        if many:
            raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}.")
        raise RuntimeError("The given v should contain a single Tensor.")
    for i, (a, b) in enumerate(zip(v, like, strict=True)):
        if a.shape != b.shape:
            where = f"Entry {i} in " if many else ""
            raise RuntimeError(f"{where}v has invalid size: should be {b.shape} but got {a.shape}.")
    return v


def _grad(outputs: Tensors, inputs: Tensors, weights: Any, create_graph: bool, keep: bool | None = None) -> Tensors:
    """Gradients by inputs, None for those that play no part; outputs without gradient are left out."""
    weights = (None,) * len(outputs) if weights is None else weights
    pairs = [(o, w) for o, w in zip(outputs, weights, strict=True) if o is not None and o._needs_grad]
    if not pairs:
        return (None,) * len(inputs)
    return grad([o for o, _ in pairs], inputs, [w for _, w in pairs], keep, create_graph, allow_unused=True)


def _zeros_for_none(found: Tensors, like: Tensors, strict: bool, create_graph: bool, stage: str) -> Tensors:
    """Zeros where there is no gradient; in strict mode that is an error."""
    strict_mode.check_dependence(found, strict, create_graph, stage)
    return tuple(_zeros(t) if g is None else g for g, t in zip(found, like, strict=True))


def _check_one_number(outputs: Tensors, many: bool, name: str) -> None:
    if many:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].numel() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")


def _value_and_jacobian(func: Callable[..., Any], inputs: Tensors, strict: bool, name: str) -> tuple[Tensors, Tensors]:
    many, outputs = as_tuple(func(*inputs), "outputs of the user-provided function", name)
    strict_mode.check_outputs(outputs, strict)
    _check_one_number(outputs, many, name)
    jac = _grad(outputs, inputs, None, True)
    strict_mode.check_jacobian(jac, strict)
    return outputs, jac


def _rows(i: int, out: Any, inputs: Tensors, create_graph: bool, strict: bool) -> Tensors:
    """The Jacobian of one output by every input, a backward pass per element."""
    columns: list[list[Any]] = [[] for _ in inputs]
    for j in range(out.numel()):
        found = _grad((out.reshape(-1)[j],), inputs, None, create_graph, True)
        strict_mode.check_row(i, found, strict, create_graph)
        for column, g, t in zip(columns, found, inputs, strict=True):
            column.append(_zeros(t) if g is None else g)
    stacked = []
    for column, t in zip(columns, inputs, strict=True):
        rows = apply(STACK, (column, 0), {}) if column else Tensor._wrap(np.zeros((0, *t.shape), t._a.dtype))
        stacked.append(rows.view(tuple(out.shape) + tuple(t.shape)))
    return tuple(stacked)


def _check_forward(create_graph: bool, strict: bool, vectorize: bool) -> None:
    """Raise PyTorch's errors for what forward mode cannot do."""
    reverse, forward = 'strategy="reverse-mode"', 'strategy="forward-mode"'
    if create_graph:
        raise NotImplementedError(FORWARD.format("create_graph=True", forward, " (yet)", "create_graph=False", reverse))
    if strict:
        raise RuntimeError(FORWARD.format("strict=True", forward, " (yet)", "strict=False", reverse))
    if not vectorize:
        raise NotImplementedError(VECTORIZE)


__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
