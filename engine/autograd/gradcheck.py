"""`gradcheck` and `gradgradcheck`: analytical derivatives against central differences.

Reference: https://docs.pytorch.org/docs/stable/generated/torch.autograd.gradcheck.gradcheck.html
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.autograd.calls import grad
from engine.autograd.forward_ad import dual_level, make_dual, unpack_dual
from engine.modes import STATE
from engine.random import uniform
from engine.tensor import Tensor, TensorBase
from engine.warning import warn_within


class GradcheckError(RuntimeError):
    """Raised when a gradient is wrong."""

    __module__ = "torch.autograd.gradcheck"


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the gradients of `func` with finite differences, element by element.

    Raises GradcheckError where they differ (or returns False), ValueError when no input requires grad.
    """
    given = tuple(inputs) if isinstance(inputs, tuple | list) else (inputs,)
    try:
        return _check(func, given, eps, atol, rtol, nondet_tol if check_backward_ad else None, check_forward_ad)
    except GradcheckError:
        if raise_exception:
            raise
        return False


_SIDES = {
    "": "",
    "real": "While considering the real part of complex outputs only, ",
    "imag": "While considering the imaginary part of complex outputs only, ",
}
"""The part of a complex output that is looked at, and how PyTorch says so."""


def _check(
    func: Callable[..., Any],
    inputs: tuple[Any, ...],
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float | None,
    forward: bool = False,
) -> bool:
    """Without a `nondet_tol`, backward mode is not checked; with `forward`, forward mode is."""
    wanted = [(i, t) for i, t in enumerate(inputs) if isinstance(t, TensorBase) and t._needs_grad]
    if not wanted:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    for i, t in wanted:
        if t._a.dtype not in (np.float64, np.complex128):
            warn_within(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. This check "
                "will likely "
                "fail if all the inputs are not of double precision floating point or complex. ",
                "torch/autograd/gradcheck.py",
            )
        if any(s == 0 and n > 1 for s, n in zip(t.stride(), t._a.shape, strict=True)):
            raise RuntimeError(
                f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that are "
                "non-overlapping to be "
                "able to compute the numerical gradients correctly. You should call .contiguous on the input before "
                "passing it "
                "to gradcheck."
            )
        t._array()
    outputs = _differentiable(func(*inputs))
    if not outputs:
        _check_no_outputs(func, inputs, wanted, eps)
        return True
    if nondet_tol is not None:
        _check_backward(func, inputs, wanted, outputs, eps, atol, rtol, nondet_tol)
    if forward:
        _check_forward(func, inputs, wanted, outputs, eps, atol, rtol)
    return True


def _check_backward(
    func: Callable[..., Any],
    inputs: tuple[Any, ...],
    wanted: list[Any],
    outputs: list[Any],
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
) -> None:
    halves = [(o, out, "imag") for o, out in enumerate(outputs) if out.dtype.is_complex]
    for o, out, part in [*halves, *((o, out, "real" if halves else "") for o, out in enumerate(outputs))]:
        numerical = [_numerical(func, inputs, t, o, eps, part) for _, t in wanted]
        analytical = _analytical(out, [t for _, t in wanted], part)
        again = _analytical(out, [t for _, t in wanted], part)
        for k in range(len(wanted)):
            if np.abs(analytical[k] - again[k]).max(initial=0.0) > nondet_tol:
                raise GradcheckError(
                    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple "
                    "times gives "
                    "different values, although analytical gradient matches numerical gradient.The tolerance for "
                    "nondeterminism "
                    f"was {nondet_tol}."
                )
            _compare(f"{_SIDES[part]}Jacobian", o, k, numerical[k], analytical[k], rtol, atol)


def _check_forward(
    func: Callable[..., Any],
    inputs: tuple[Any, ...],
    wanted: list[Any],
    outputs: list[Any],
    eps: float,
    atol: float,
    rtol: float,
) -> None:
    """The Jacobian by one forward pass per element of an input. Complex functions are not checked."""
    if any(t.dtype.is_complex for t in [*outputs, *(t for _, t in wanted)]):
        return
    for k, (place, t) in enumerate(wanted):
        pushed = [_pushed(func, inputs, place, j, len(outputs)) for j in range(t._a.size)]
        for o in range(len(outputs)):
            numerical = _numerical(func, inputs, t, o, eps)
            analytical = np.array([row[o] for row in pushed]).reshape(numerical.shape)
            _compare("Jacobian computed with forward mode", o, k, numerical, analytical, rtol, atol)


def _compare(
    what: str, output: int, place: int, numerical: np.ndarray, analytical: np.ndarray, rtol: float, atol: float
) -> None:
    """Raise GradcheckError where the two Jacobians of an output by an input differ."""
    if not np.allclose(analytical, numerical, rtol, atol):
        raise GradcheckError(
            f"{what} mismatch for output {output} with respect to input {place},\n"
            f"numerical:{Tensor._wrap(numerical)}\nanalytical:{Tensor._wrap(analytical)}\n"
        )


def _pushed(func: Callable[..., Any], inputs: tuple[Any, ...], place: int, j: int, count: int) -> list[np.ndarray]:
    """The tangents of the outputs for element j of an input."""
    tangent = np.zeros(inputs[place]._a.shape, inputs[place]._a.dtype)
    tangent.reshape(-1)[j] = 1
    with dual_level():
        given = list(inputs)
        given[place] = make_dual(given[place], Tensor._wrap(tangent))
        duals = [unpack_dual(out) for out in _differentiable(func(*given))[:count]]
    zeros = [np.zeros(dual.primal._a.size) for dual in duals]
    return [z if d.tangent is None else np.asarray(d.tangent._a).ravel() for d, z in zip(duals, zeros, strict=True)]


def _check_no_outputs(func: Callable[..., Any], inputs: tuple[Any, ...], wanted: list[Any], eps: float) -> None:
    found = func(*inputs)
    plain = [found] if isinstance(found, TensorBase) else [t for t in found if isinstance(t, TensorBase)]
    for o in range(len(plain)):
        for _, t in wanted:
            if np.abs(_numerical(func, inputs, t, o, eps, all_outputs=True)).max(initial=0.0) > 0:
                raise GradcheckError("Numerical gradient for function expected to be zero")


def _differentiable(outputs: Any) -> list[Any]:
    return [t for t in (outputs if isinstance(outputs, tuple | list) else [outputs]) if t._needs_grad]


def _numerical(
    func: Callable[..., Any],
    inputs: tuple[Any, ...],
    t: Any,
    o: int,
    eps: float,
    part: str = "",
    all_outputs: bool = False,
) -> np.ndarray:
    """The Jacobian by central differences: rows are elements of the input, columns of (a part of) the output.

    Of a complex input a + bi, an element is the derivative by a plus i times the derivative by b.
    """
    memory = t._array()
    flat = memory.reshape(-1) if memory.flags.c_contiguous else None

    def value() -> np.ndarray:
        enabled = STATE.grad_enabled
        out = func(*inputs)
        STATE.grad_enabled = enabled
        kept = (
            ([out] if isinstance(out, TensorBase) else [x for x in out if isinstance(x, TensorBase)])
            if all_outputs
            else _differentiable(out)
        )
        return np.array(getattr(kept[o]._a, part) if part else kept[o]._a).ravel()

    def slope(i: int, direction: complex) -> np.ndarray:
        place = np.unravel_index(i, memory.shape)
        old = memory[place].copy()
        values = []
        for step in (-eps * direction, eps * direction):
            if flat is not None:
                flat[i] = old + step
            else:
                memory[place] = old + step
            values.append(value())
        memory[place] = old
        return (values[1] - values[0]) / (2 * eps)

    two = memory.dtype.kind == "c"
    rows = [slope(i, 1.0) + 1j * slope(i, 1j) if two else slope(i, 1.0) for i in range(memory.size)]
    first = rows[0] if rows else value()
    return np.array(rows).reshape(memory.size, first.size).astype(memory.dtype if two else first.dtype)


def _analytical(out: Any, tensors: Sequence[Any], part: str) -> list[np.ndarray]:
    """The Jacobian by one backward pass per element of (a part of) the output."""
    jacobians = [np.zeros((t._a.size, out._a.size), t._a.dtype) for t in tensors]
    for j in range(out._a.size):
        seed = np.zeros(out._a.shape, out._a.dtype)
        seed.reshape(-1)[j] = 1j if part == "imag" else 1
        grads = grad(out, list(tensors), Tensor._wrap(seed), retain_graph=True, allow_unused=True)
        for jacobian, g in zip(jacobians, grads, strict=True):
            if g is not None:
                jacobian[:, j] = np.asarray(g._a).ravel()
    return jacobians


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
) -> bool:
    """gradcheck of the gradient itself."""
    given = (inputs,) if isinstance(inputs, TensorBase) else tuple(inputs)
    outputs = _differentiable(func(*given))
    if grad_outputs is None:
        seeds = [Tensor._wrap(uniform(None, o._a.shape, o._a.dtype, -1.0, 1.0)) for o in outputs]
    else:
        seeds = [grad_outputs] if isinstance(grad_outputs, TensorBase) else list(grad_outputs)
    for s in seeds:
        s._requires = True
    count = len(seeds)

    def gradient(*args: Any) -> tuple[Any, ...]:
        own, upstream = args[:-count], args[-count:]
        outs = _differentiable(func(*own))
        wanted = [t for t in own if isinstance(t, TensorBase) and t._needs_grad]
        return tuple(
            g for g in grad(outs, wanted, list(upstream), create_graph=True, allow_unused=True) if g is not None
        )

    return gradcheck(
        gradient,
        (*given, *seeds),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
    )
