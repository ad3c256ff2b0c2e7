"""What repr of a tensor says, in the frames of the transforms of torch.func that it was made in."""

import textwrap
from typing import Any

import numpy as np

from engine import printing
from engine.graph import AccumulateGrad
from engine.levels import Transform
from engine.modes import STATE
from engine.tensor import Tensor, TensorBase


def show(self: Any, *, tensor_contents: Any = None) -> str:
    """repr(tensor), as PyTorch prints it."""
    return _text(self, True) if not self._transforms else text_inside(self)


def _text(t: Any, with_history: bool) -> str:
    name, requires_grad = None, False
    if with_history:
        requires_grad = t._needs_grad
        try:
            fn = t._node() if isinstance(t, TensorBase) else None
            name = None if fn is None else type(fn).__name__
        except RuntimeError:  # a view that has none, as its base was changed in place
            name = "Invalid"
    prefix = "tensor(" if type(t) is Tensor or not type(t)._prints_class else f"{type(t).__name__}("
    tangent = None if t._tangent is None or STATE.batching is None else f"{t._tangent}"
    return printing.tensor_text(
        np.asarray(t._a), t.dtype, requires_grad=requires_grad, grad_fn_name=name, prefix=prefix, tangent=tangent
    )


def text_inside(t: Any) -> str:
    """The same of a tensor inside transforms: its value, in the frames of its levels, the innermost outside.

    What the value shows of autograd is what lies outside of all transforms.
    """
    heads: dict[int, str] = {}
    while True:
        heads.update({level.number: level.head() for level in t._transforms if isinstance(level, Transform)})
        number, head, below = t._below()
        if head:
            heads[number] = head
        if below is None:
            break
        t = below
    text = _text(t, _depends_outside(t)) if t._transforms else repr(t)
    for number in sorted(heads):
        text = f"{heads[number]}\n{textwrap.indent(text, '    ')}\n)"
    return text


def _depends_outside(t: TensorBase) -> bool:
    """Whether a gradient of it goes to a leaf that no transform made."""
    todo, seen = [t._edge()], set()
    while todo:
        edge = todo.pop()
        if edge is None or edge[0] in seen:
            continue
        seen.add(edge[0])
        if isinstance(edge[0], AccumulateGrad) and not edge[0].variable._transforms:
            return True
        todo.extend(edge[0].edges)
    return False
