"""The four operations and their relatives."""

import numpy as np

from engine.op import Grad, Op
from engine.ops.samples import pairs, positive_pairs, singles

ADD = Op(
    "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    lambda self, other, alpha=1: self + other if alpha == 1 else self + other * alpha,
    "AddBackward0",
    {
        "self": Grad(lambda grad: grad, r"[[grad]]"),
        "other": Grad(lambda grad, alpha: grad if alpha == 1 else grad * alpha, r"[[grad]]"),
    },
    r"[[self]] + [[other]]",
    promote="common",
    inplace=True,
    numbers=("self", "other"),
    samples=pairs,
)
SUB = Op(
    "sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    lambda self, other, alpha=1: self - other if alpha == 1 else self - other * alpha,
    "SubBackward0",
    {
        "self": Grad(lambda grad: grad, r"[[grad]]"),
        "other": Grad(lambda grad, alpha: -grad if alpha == 1 else -grad * alpha, r"-[[grad]]"),
    },
    r"[[self]] - [[other]]",
    promote="common",
    inplace=True,
    numbers=("self", "other"),
    samples=pairs,
)
RSUB = Op(
    "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    lambda self, other, alpha=1: other - self if alpha == 1 else other - self * alpha,
    "RsubBackward1",
    {"self": Grad(lambda grad, alpha: -grad if alpha == 1 else -grad * alpha, r"-[[grad]]")},
    r"[[other]] - [[self]]",
    promote="common",
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "other": 2.5}],
)
MUL = Op(
    "mul.Tensor(Tensor self, Tensor other) -> Tensor",
    lambda self, other: self * other,
    "MulBackward0",
    {
        "self": Grad(lambda grad, other: grad * other, r"[[grad]] \cdot [[other]]"),
        "other": Grad(lambda grad, self: grad * self, r"[[grad]] \cdot [[self]]"),
    },
    r"[[self]] \cdot [[other]]",
    promote="common",
    inplace=True,
    numbers=("self", "other"),
    samples=pairs,
)
DIV = Op(
    "div.Tensor(Tensor self, Tensor other) -> Tensor",
    np.true_divide,
    "DivBackward0",
    {
        "self": Grad(lambda grad, other: grad / other, r"\frac{[[grad]]}{[[other]]}"),
        "other": Grad(
            lambda grad, self, other: -grad * ((self / other) / other), r"-[[grad]] \cdot \frac{[[self]]}{[[other]]^2}"
        ),
    },
    r"\frac{[[self]]}{[[other]]}",
    promote="float",
    inplace=True,
    numbers=("self", "other"),
    samples=positive_pairs,
)
NEG = Op(
    "neg(Tensor self) -> Tensor",
    np.negative,
    "NegBackward0",
    {"self": Grad(lambda grad: -grad, r"-[[grad]]")},
    r"-[[self]]",
    promote="common",
    inplace=True,
    samples=singles,
)
POW = Op(
    "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
    lambda self, exponent: np.power(self, exponent),
    "PowBackward0",
    {
        "self": Grad(
            lambda grad, self, exponent: grad * (exponent * self ** (exponent - 1)) if exponent else grad * 0,
            r"[[grad]] \cdot [[exponent]] \cdot [[self]]^{[[exponent]]-1}",
        )
    },
    r"[[self]]^{[[exponent]]}",
    promote="common",
    inplace=True,
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "exponent": e} for e in (2, 3, 0, 1)],
)
