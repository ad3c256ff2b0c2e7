"""`torch.autograd.backward` and `torch.autograd.grad`: arguments checked as PyTorch does, then one pass."""

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.accidents import ACCIDENTS, told_of_backward
from engine.backward import run_backward
from engine.dispatch import apply
from engine.dtypes import from_numpy
from engine.graph import Node
from engine.levels import born
from engine.modes import STATE
from engine.ops.copy import TO_COPY
from engine.ops.join import STACK
from engine.size import Size
from engine.tensor import Tensor, TensorBase
from engine.warning import warn, warn_once_within

REFERENCE_CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
    "which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you "
    "have to use this function, make sure to reset the .grad fields of your parameters to None after use to break the "
    "cycle and avoid the leak."
)


def _passed(*args: Any, **kwargs: Any) -> Any:
    """A backward pass whose accidents are told as PyTorch words them."""
    try:
        return run_backward(*args, **kwargs)
    except ACCIDENTS as e:
        error = told_of_backward(e)
        if error is e:
            raise
        raise error from None


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
    if grad_variables is not None:
        warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning)
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only "
                "use `grad_tensors`."
            )
        grad_tensors = grad_variables
    if STATE.transforms:
        raise RuntimeError(errors.BACKWARD_INSIDE)
    wanted = None if inputs is None else _wanted(inputs, "backward")
    roots = _roots(tensors)
    grads = _root_grads(roots, grad_tensors)
    keep, create = _flag(create_graph if retain_graph is None else retain_graph), _flag(create_graph)
    if create:
        warn_once_within(REFERENCE_CYCLE, "torch/autograd/graph.py")
    _passed(roots, grads, keep, create, wanted, accumulate=True)


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
) -> Any:
    """Gradients of outputs by inputs, in a tuple, or in a dict when the inputs come in one.

    Reference: https://docs.pytorch.org/docs/stable/generated/torch.autograd.grad.html
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    roots = _roots(outputs)
    wanted = _wanted(inputs, "grad")
    if not only_inputs:
        warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for "
            "other parts of the graph, please use torch.autograd.backward.",
            FutureWarning,
        )
    grads = _root_grads(roots, grad_outputs, is_grads_batched)
    keep, create = _flag(create_graph if retain_graph is None else retain_graph), _flag(create_graph)
    unused = _flag(allow_unused)
    if is_grads_batched:
        rows = [
            _passed(roots, [None if b is None else b[i] for b in grads], True, create, wanted, False, unused, "grad")
            for i in range(max((len(b) for b in grads if b is not None), default=0))
        ]
        found = [_stack([r[k] for r in rows]) for k in range(len(wanted))]
    else:
        found = _passed(roots, grads, keep, create, wanted, False, unused, "grad")
    if materialize_grads:
        found = [_zeros(t, create) if g is None else g for g, t in zip(found, wanted, strict=True)]
    born(found)
    return dict(zip(inputs, found, strict=True)) if type(inputs) is dict else tuple(found)


def _flag(value: Any) -> bool:
    """A switch of the backward pass, which PyTorch takes as one unsigned byte. Raises TypeError or OverflowError."""
    number = operator.index(value)
    if not 0 <= number < 256:
        edge = "less than minimum" if number < 0 else "greater than maximum"
        raise OverflowError(f"unsigned byte integer is {edge}")
    return bool(number)


def _zeros(t: Any, requires_grad: bool) -> Any:
    """Zeros for an input that no gradient reached."""
    if _is_edge(t):
        raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
    made = Tensor._wrap(np.zeros_like(t._a))
    return made._recorded() if requires_grad else made


def _stack(rows: list[Any]) -> Any:
    """The gradients of a batch as one, recorded where they are."""
    return None if any(r is None for r in rows) else apply(STACK, (rows, 0), {})


def _is_edge(x: Any) -> bool:
    return isinstance(x, tuple) and len(x) > 1 and isinstance(x[0], Node)


def _plain(x: Any) -> Any:
    """A GradientEdge as the engine has edges: node and output number."""
    return (x[0], x[1]) if _is_edge(x) else x


def _wanted(inputs: Any, call: str) -> tuple[Any, ...]:
    """The inputs to stop at. Raises RuntimeError for none, TypeError for a mapping that is no dict."""
    if isinstance(inputs, TensorBase) or _is_edge(inputs):
        return (_plain(inputs),)
    if type(inputs) is dict:
        inputs = inputs.values()
    elif isinstance(inputs, Mapping):
        raise TypeError(
            f"`inputs` argument to `{call}()` must be a dict, not {type(inputs).__name__}. Other Mapping types are "
            "not supported."
        )
    wanted = tuple(map(_plain, inputs))
    if not wanted:
        raise RuntimeError(f"`inputs` argument to `{call}()` cannot be empty.")
    return wanted


def _roots(tensors: Any) -> tuple[Any, ...]:
    return (_plain(tensors),) if isinstance(tensors, TensorBase) or _is_edge(tensors) else tuple(map(_plain, tensors))


def _root_grads(roots: Sequence[Any], given: Any, batched: bool = False) -> list[Any]:
    """A gradient per root, checked; ones for scalars where none is given.

    Gradients left over have no root to go to, and count for nothing.
    """
    if given is None:
        grads: list[Any] = [None] * len(roots)
    elif isinstance(given, TensorBase):
        grads = [given]
    else:
        grads = list(given)
    out = [_root_grad(i, t, g, batched) for i, (t, g) in enumerate(zip(roots, grads, strict=False))]
    if batched and not out:
        raise IndexError("list index out of range")
    if len(out) != len(roots):
        raise RuntimeError(f"got {len(roots)} tensors and {len(out)} gradients")
    return out


def _root_grad(i: int, root: Any, g: Any, batched: bool) -> Any:
    """The gradient of one root: as given, or ones."""
    if not isinstance(root, TensorBase) and not _is_edge(root):
        raise AssertionError("Expected output to be a torch.Tensor")
    shape, kind = (root._a.shape, root._a.dtype) if isinstance(root, TensorBase) else root[0].meta[root[1]]
    kind = np.dtype(kind)
    if g is None:
        if isinstance(root, TensorBase) and not root._needs_grad:
            return None
        if math.prod(shape) != 1:
            raise RuntimeError(errors.GRAD_IMPLICIT)
        if kind.kind not in "fV":
            raise RuntimeError(
                f"grad can be implicitly created only for real scalar outputs but got {from_numpy(kind)}"
            )
        return Tensor._wrap(np.ones(shape, kind))
    if not isinstance(g, TensorBase):
        raise TypeError("gradients can be either Tensors or None, but got " + type(g).__name__)
    first = g[0] if batched else g  # type: ignore[index]
    if first._a.shape != shape:
        seen = Size(first._a.shape[1:]) if batched else g.shape  # PyTorch takes the batch away a second time
        sizes = f"grad_output[{i}] has a shape of {seen} and output[{i}] has a shape of {Size(shape)}"
        if batched:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch "
                "dimension. The sizes of the remaining dimensions are expected to match the shape of corresponding "
                f"output, but a mismatch was detected: {sizes}. If you only want some tensors in `grad_output` to be "
                "considered batched, consider using vmap."
            )
        raise RuntimeError(f"Mismatch in shape: {sizes}.")
    if (kind.kind == "c") != (g._a.dtype.kind == "c"):
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
            f"grad_output[{i}] has a dtype of {g.dtype} and output[{i}] has a dtype of {from_numpy(kind)}."
        )
    return g if first._a.dtype == kind else apply(TO_COPY, (g,), {"dtype": from_numpy(kind)})


def tensor_backward(
    self: Any, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None
) -> None:
    """`tensor.backward()`."""
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)
