"""The four operations and their relatives.

The `.Scalar` overloads are not what a program's `x + 1` calls (that is `.Tensor` with a number). They are what
PyTorch's own derivative formulas and composite functions use, and so what graphs of higher order show.
"""

import numpy as np

from engine.errors import BOOL_NEGATION, BOTH_BOOL
from engine.op import Grad, Op
from engine.ops.kinds import refusing
from engine.ops.samples import pairs, positive_pairs, singles


def _scaled(self, other, alpha):
    """other * alpha, for a sum with self. Raises RuntimeError for an alpha of a higher kind than the operands."""
    kind = np.result_type(self, other).kind
    if isinstance(alpha, float) and kind in "iub":
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if isinstance(alpha, complex) and kind != "c":
        raise RuntimeError("For non-complex input tensors, argument alpha must not be a complex number.")
    return other * (bool(alpha) if kind == "b" else alpha)


def _sub(self, other, alpha=1):
    try:
        return self - (other if alpha == 1 else _scaled(self, other, alpha))
    except TypeError:  # numpy has no difference of bools either
        raise RuntimeError(BOTH_BOOL) from None


def scaled_by(name):
    """Samples of a matrix with one number called `name`."""
    return lambda rng: [{"self": rng.normal(size=(2, 3)), name: value} for value in (2.5, -1)]


def times(grad, factor):
    """The gradient times a number; untouched, and without a node, when the number is one."""
    return grad if factor == 1 else MUL_SCALAR(grad, factor)


ADD = Op(
    "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    lambda self, other, alpha=1: self + other if alpha == 1 else self + _scaled(self, other, alpha),
    "AddBackward0",
    {
        "self": Grad(lambda grad: grad, r"[[grad]]"),
        "other": Grad(lambda grad, alpha: grad if alpha == 1 else MUL_SCALAR(grad, alpha), r"[[grad]]"),
    },
    r"[[self]] + [[other]]",
    promote="common",
    inplace=True,
    numbers=("self", "other"),
    samples=pairs,
)
ADD_SCALAR = Op(
    "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    lambda self, other, alpha=1: self + other if alpha == 1 else self + _scaled(self, other, alpha),
    "AddBackward1",
    {"self": Grad(lambda grad: grad, r"[[grad]]")},
    r"[[self]] + [[other]]",
    promote="common",
    where=(),
    samples=scaled_by("other"),
)
SUB = Op(
    "sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    _sub,
    "SubBackward0",
    {
        "self": Grad(lambda grad: grad, r"[[grad]]"),
        "other": Grad(lambda grad, alpha: -grad if alpha == 1 else MUL_SCALAR(-grad, alpha), r"-[[grad]]"),
    },
    r"[[self]] - [[other]]",
    promote="common",
    inplace=True,
    numbers=("self", "other"),
    samples=pairs,
)
SUB_SCALAR = Op(
    "sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    _sub,
    "SubBackward1",
    {"self": Grad(lambda grad: grad, r"[[grad]]")},
    r"[[self]] - [[other]]",
    promote="common",
    where=(),
    samples=scaled_by("other"),
)
RSUB = Op(
    "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    lambda self, other, alpha=1: other - self if alpha == 1 else other - self * alpha,
    "RsubBackward1",
    {"self": Grad(lambda grad, alpha: -grad if alpha == 1 else MUL_SCALAR(-grad, alpha), r"-[[grad]]")},
    r"[[other]] - [[self]]",
    promote="common",
    where=("function",),
    samples=scaled_by("other"),
)
RSUB_TENSOR = Op(
    "rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    lambda self, other, alpha=1: _sub(other, self, alpha),
    "RsubBackward0",
    {
        "self": Grad(lambda grad, alpha: -grad if alpha == 1 else MUL_SCALAR(-grad, alpha), r"-[[grad]]"),
        "other": Grad(lambda grad: grad, r"[[grad]]"),
    },
    r"[[other]] - [[self]]",
    promote="common",
    where=("function",),
    samples=pairs,
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
MUL_SCALAR = Op(
    "mul.Scalar(Tensor self, Scalar other) -> Tensor",
    lambda self, other: self * other,
    "MulBackward1",
    {"self": Grad(lambda grad, other: MUL_SCALAR(grad, other), r"[[grad]] \cdot [[other]]")},
    r"[[self]] \cdot [[other]]",
    promote="common",
    where=(),
    samples=scaled_by("other"),
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
DIV_SCALAR = Op(
    "div.Scalar(Tensor self, Scalar other) -> Tensor",
    np.true_divide,
    "DivBackward1",
    {"self": Grad(lambda grad, other: DIV_SCALAR(grad, other), r"\frac{[[grad]]}{[[other]]}")},
    r"\frac{[[self]]}{[[other]]}",
    promote="float",
    where=(),
    samples=scaled_by("other"),
)
NEG = Op(
    "neg(Tensor self) -> Tensor",
    refusing("b", RuntimeError, BOOL_NEGATION, np.negative),
    "NegBackward0",
    {"self": Grad(lambda grad: -grad, r"-[[grad]]")},
    r"-[[self]]",
    promote="common",
    inplace=True,
    samples=singles,
)
