"""The functions that give a copy where the view of the same name shares memory: `torch.permute_copy` and its kin."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.op import Op
from engine.ops.pieces import SPLIT, SPLIT_WITH_SIZES, UNBIND
from engine.ops.slicing import AS_STRIDED, DIAGONAL, SELECT, SLICE, UNFOLD
from engine.ops.undifferentiable import NODE, REASON, no_derivative
from engine.ops.views import (
    ALIAS,
    EXPAND,
    PERMUTE,
    SQUEEZE,
    SQUEEZE_DIM,
    SQUEEZE_DIMS,
    TRANSPOSE,
    UNSQUEEZE,
    VIEW,
    VIEW_AS_COMPLEX,
    VIEW_AS_REAL,
    VIEW_DTYPE,
    T,
)


def _copied(out: Any) -> Any:
    return tuple(part.copy() for part in out) if isinstance(out, tuple) else out.copy()


def _copy(op: Op, parameters: str, example: str = "", of: Callable[..., Any] | None = None) -> Op:
    """The copying form of a view, with its derivative and its checks; `parameters` are those besides the tensor.

    `of` is what to copy, where it is more than the view takes.
    """
    view = of or op.forward
    sig = op.signature
    overload = f".{sig.overload}" if sig.overload else ""
    rest = f", {parameters}" if parameters else ""
    return Op(
        f"{sig.base}_copy{overload}(Tensor self{rest}) -> Tensor{'[]' if sig.returns_list else ''}",
        lambda *args, **kwargs: _copied(view(*args, **kwargs)),
        op.grad_fn and f"{op.grad_fn}_copy",
        op.grads,
        op.latex,
        where=("function",),
        samples=op.samples,
        unchecked=op.unchecked,
        example=example,
    )


ALIAS_COPY = _copy(ALIAS, "")
AS_STRIDED_COPY = _copy(AS_STRIDED, "SymInt[] size, SymInt[] stride, SymInt? storage_offset=None")
DETACH_COPY = Op(
    "detach_copy(Tensor self) -> Tensor",
    lambda self: self.copy(),
    NODE,
    {"self": no_derivative("detach_copy")},
    "[[self]]",
    where=("function",),
    unchecked=REASON,
    example="torch.detach_copy(torch.ones(2))",
)
DIAGONAL_COPY = _copy(DIAGONAL, "int offset=0, int dim1=0, int dim2=1")
EXPAND_COPY = _copy(EXPAND, "SymInt[] size, *, bool implicit=False")
PERMUTE_COPY = _copy(PERMUTE, "int[] dims")
SELECT_COPY = _copy(SELECT, "int dim, SymInt index")
SLICE_COPY = _copy(SLICE, "int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1")
SPLIT_COPY = _copy(SPLIT, "SymInt split_size, int dim=0")
SPLIT_WITH_SIZES_COPY = _copy(SPLIT_WITH_SIZES, "SymInt[] split_sizes, int dim=0")
SQUEEZE_COPY = _copy(SQUEEZE, "")
SQUEEZE_DIM_COPY = _copy(SQUEEZE_DIM, "int dim")
SQUEEZE_DIMS_COPY = _copy(SQUEEZE_DIMS, "int[] dim")
T_COPY = _copy(T, "")
TRANSPOSE_COPY = _copy(TRANSPOSE, "int dim0, int dim1")
UNBIND_COPY = _copy(UNBIND, "int dim=0")
UNFOLD_COPY = _copy(UNFOLD, "int dimension, int size, int step")
UNSQUEEZE_COPY = _copy(UNSQUEEZE, "int dim")
VIEW_DTYPE_COPY = _copy(VIEW_DTYPE, "ScalarType dtype", "torch.view_copy(torch.ones(2), torch.int32)")
VIEW_COPY = _copy(VIEW, "SymInt[] size", of=lambda self, size: VIEW.forward(np.ascontiguousarray(self), size))
VIEW_AS_REAL_COPY = _copy(VIEW_AS_REAL, "", "torch.view_as_real_copy(torch.ones(2, dtype=torch.cfloat))")
VIEW_AS_COMPLEX_COPY = _copy(VIEW_AS_COMPLEX, "", "torch.view_as_complex_copy(torch.ones(3, 2))")
