"""Ops whose result does not depend on the values they are given."""

import numpy as np

from engine.op import Grad, Op
from engine.ops.kinds import held
from engine.ops.samples import singles

ZEROS_LIKE = Op(
    "zeros_like(Tensor self) -> Tensor",
    np.zeros_like,
    where=(),
)


def _full(self, value):
    if getattr(value, "ndim", 0):
        raise RuntimeError(f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions.")
    return np.full_like(self, held(value, self.dtype))


# The gradient of a filling value is the sum of grad: the engine's reduction to the value's shape makes it.
_ZERO_GRAD = {"self": Grad(lambda grad: ZEROS_LIKE(grad), "0")}
FILL = Op(
    "fill.Scalar(Tensor self, Scalar value) -> Tensor",
    _full,
    "FillBackward0",
    _ZERO_GRAD,
    r"[[value]]",
    where=("function",),
    samples=lambda rng: [{**s, "value": 2.5} for s in singles(rng)],
)
FILL_TENSOR = Op(
    "fill.Tensor(Tensor self, Tensor value) -> Tensor",
    _full,
    "FillBackward1",
    {**_ZERO_GRAD, "value": Grad(lambda grad: grad, r"\sum [[grad]]")},
    r"[[value]]",
    where=("function",),
    samples=lambda rng: [{**s, "value": np.asarray(rng.normal())} for s in singles(rng)],
)
FILL_ = Op(
    "fill_.Scalar(Tensor self, Scalar value) -> Tensor",
    _full,
    "FillBackward2",
    _ZERO_GRAD,
    r"[[value]]",
    where=("function", "method"),
    unchecked="changes its input; fill.Scalar is checked",
    example="torch.zeros(2).fill_(1.5)",
)
FILL_TENSOR_ = Op(
    "fill_.Tensor(Tensor self, Tensor value) -> Tensor",
    _full,
    "FillBackward3",
    {**_ZERO_GRAD, "value": Grad(lambda grad: grad, r"\sum [[grad]]")},
    r"[[value]]",
    where=("function", "method"),
    unchecked="changes its input; fill.Tensor is checked",
    example="torch.zeros(2).fill_(torch.tensor(1.5))",
)
ZERO_ = Op(
    "zero_(Tensor self) -> Tensor",
    np.zeros_like,
    "ZeroBackward0",
    _ZERO_GRAD,
    "0",
    where=("function", "method"),
    unchecked="changes its input; its gradient is zero",
    example="torch.ones(2).zero_()",
)
