"""Views in place: `x.t_()` gives the tensor itself another shape. Their derivatives have names of their own."""

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.op import Grad, Op
from engine.ops.views import SQUEEZE, SQUEEZE_DIM, SQUEEZE_DIMS, TRANSPOSE, UNSQUEEZE, T, turned


def _twin(op: Op, node: str, arguments: str, forward: Callable[..., Any] | None = None) -> Op:
    """The in-place op with the rule of `op`, and its kernel unless told; `arguments` are those of an example."""
    sig = op.signature
    overload = f".{sig.overload}" if sig.overload and op is not TRANSPOSE else ""
    params = ", ".join(f"{p.type} {p.name}" for p in sig.params)
    return Op(
        f"{sig.base}_{overload}({params}) -> Tensor",
        forward or op.forward,
        node,
        {"self": Grad(op.grads["self"].rule, op.grads["self"].latex)},
        op.latex,
        view=True,
        where=("method",),
        unchecked=f"changes its input; {op.name} is checked",
        example=f"torch.tensor([[1.0, 2.0, 3.0]]).{sig.base}_({arguments})",
    )


T_ = _twin(T, "TBackward1", "", partial(turned, name="t_"))
TRANSPOSE_ = _twin(TRANSPOSE, "TransposeBackward1", "0, 1")
SQUEEZE_ = _twin(SQUEEZE, "SqueezeBackward3", "")
SQUEEZE_DIM_ = _twin(SQUEEZE_DIM, "SqueezeBackward4", "0")
SQUEEZE_DIMS_ = _twin(SQUEEZE_DIMS, "SqueezeBackward5", "(0,)")
UNSQUEEZE_ = _twin(UNSQUEEZE, "UnsqueezeBackward1", "0")
