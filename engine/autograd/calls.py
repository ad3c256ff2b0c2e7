"""`torch.autograd.backward` and `torch.autograd.grad`: arguments checked as PyTorch does, then one pass."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.backward import run_backward
from engine.graph import Node
from engine.tensor import Tensor, TensorBase
from engine.warning import warn_once_within


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Accumulate gradients into the leaves.

    Reference: https://docs.pytorch.org/docs/stable/generated/torch.autograd.backward.html
    """
    if inputs is not None:
        inputs = (inputs,) if isinstance(inputs, TensorBase | tuple) and not _is_sequence(inputs) else tuple(inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    roots = _roots(tensors)
    grads = _root_grads(roots, grad_variables if grad_tensors is None else grad_tensors, create_graph)
    keep = create_graph if retain_graph is None else retain_graph
    if create_graph:
        warn_once_within(
            "Using backward() with create_graph=True will create a reference cycle between the parameter and its "
            "gradient which "
            "can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you "
            "have to use "
            "this function, make sure to reset the .grad fields of your parameters to None after use to break the "
            "cycle and "
            "avoid the leak.",
            "torch/autograd/graph.py",
        )
    run_backward(roots, grads, keep, create_graph, inputs, accumulate=True)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """Gradients of outputs by inputs: https://docs.pytorch.org/docs/stable/generated/torch.autograd.grad.html"""
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    roots = _roots(outputs)
    wanted = (inputs,) if isinstance(inputs, TensorBase) or _is_edge(inputs) else tuple(inputs)
    keep = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        batched: list[Any] = [grad_outputs] if isinstance(grad_outputs, TensorBase) else list(grad_outputs)
        rows = [
            run_backward(roots, [b[i] for b in batched], True, create_graph, wanted, False, allow_unused, "grad")
            for i in range(len(batched[0]))
        ]
        return tuple(_stack([r[k] for r in rows], roots[0]) for k in range(len(wanted)))
    grads = _root_grads(roots, grad_outputs, create_graph)
    found = run_backward(roots, grads, keep, create_graph, wanted, False, allow_unused, "grad")
    if materialize_grads:
        found = [Tensor._wrap(np.zeros_like(t._a)) if g is None else g for g, t in zip(found, wanted, strict=True)]
    return tuple(found)


def _stack(rows: list[Any], like: Any) -> Any:
    if all(r is None for r in rows):
        return None
    return (
        type(rows[0])._stack_rows(rows)
        if hasattr(type(rows[0]), "_stack_rows")
        else Tensor._wrap(np.stack([r._a for r in rows]))
    )


def _is_edge(x: Any) -> bool:
    return isinstance(x, tuple) and len(x) == 2 and isinstance(x[0], Node)


def _is_sequence(x: Any) -> bool:
    return isinstance(x, Sequence) and not _is_edge(x)


def _roots(tensors: Any) -> tuple[Any, ...]:
    roots = (tensors,) if isinstance(tensors, TensorBase) or _is_edge(tensors) else tuple(tensors)
    if not roots:
        raise RuntimeError("grad requires non-empty inputs.")
    return roots


def _root_grads(roots: Sequence[Any], given: Any, create_graph: bool) -> list[Any]:
    """A gradient per root, checked; ones for scalars where none is given."""
    if given is None:
        grads: list[Any] = [None] * len(roots)
    elif isinstance(given, TensorBase):
        grads = [given]
    else:
        grads = list(given)
    if len(grads) != len(roots):
        raise RuntimeError(f"got {len(roots)} tensors and {len(grads)} gradients")
    out = []
    for i, (t, g) in enumerate(zip(roots, grads, strict=True)):
        if isinstance(t, tuple):
            out.append(g)
            continue
        if g is None:
            if t.requires_grad:
                if t._a.size != 1:
                    raise RuntimeError(errors.GRAD_IMPLICIT)
                if t._a.dtype.kind not in "fV":
                    raise RuntimeError(f"grad can be implicitly created only for real scalar outputs but got {t.dtype}")
                out.append(Tensor._wrap(np.ones(t._a.shape, t._a.dtype)))
            else:
                out.append(None)
            continue
        if not isinstance(g, TensorBase):
            raise TypeError("gradients can be either Tensors or None, but got " + type(g).__name__)
        if g._a.shape != t._a.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{i}] has a shape of {g.shape} and output[{i}] has a shape of "
                f"{t.shape}."
            )
        out.append(g)
    return out


def tensor_backward(
    self: Any, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None
) -> None:
    """`tensor.backward()`."""
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)
