"""Activations with a second operand: a gate, or a learned or random slope."""

from typing import Any

import numpy as np

from engine.choosing import where, zero_where
from engine.op import Grad, Op
from engine.ops import rounded
from engine.ops.arithmetic import MUL_SCALAR, SUB
from engine.ops.checks import wrap_dim
from engine.ops.exponentials import SIGMOID
from engine.ops.fill import ZEROS_LIKE
from engine.ops.join import CAT
from engine.ops.kinds import only
from engine.ops.layouts import by_rows
from engine.ops.masking import WHERE
from engine.ops.samples import singles
from engine.ops.slicing import SLICE


def _sigmoid(x):
    return 1 / (1 + rounded.exp(-x))


def halves(x: Any, dim: int) -> tuple[Any, Any]:
    """The two halves of a tensor along a dimension, as arrays or as Tensors."""
    size = x.shape[dim]
    return SLICE(x, dim, 0, size // 2), SLICE(x, dim, size // 2, size)


def _glu(self, dim=-1):
    if self.ndim == 0:
        raise RuntimeError("glu does not support 0-dimensional tensors")
    dim = wrap_dim(dim, self.ndim)
    if self.shape[dim] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim} is size {self.shape[dim]}")
    a, b = np.split(self, 2, axis=dim)
    return a * _sigmoid(b)


def _glu_backward(grad_output, self, dim):
    a, b = np.split(self, 2, axis=dim)
    s = _sigmoid(b)
    return np.concatenate([grad_output * s, grad_output * a * s * (1 - s)], axis=dim)


def _glu_backward_by_output(grad, self, dim):
    """How a change of grad_output shows in both halves of glu_backward."""
    (a, b), (first, second) = halves(self, dim), halves(grad, dim)
    s = SIGMOID(b)
    return first * s + second * a * s * SUB(1, s)


def _glu_backward_by_input(grad, grad_output, self, dim):
    (a, b), (first, second) = halves(self, dim), halves(grad, dim)
    s = SIGMOID(b)
    slope = grad_output * s * SUB(1, s)
    return CAT([second * slope, first * slope + second * slope * a * SUB(1, MUL_SCALAR(s, 2))], dim)


GLU = Op(
    "glu(Tensor self, int dim=-1) -> Tensor",
    only("f", "glu_cpu", _glu),
    "GluBackward0",
    {
        "self": Grad(
            lambda grad, self, dim: GLU_BACKWARD(grad, self, dim),
            r"[[grad]] \cdot [\sigma(b),\; a \sigma(b)(1 - \sigma(b))],\; [a, b] = [[self]]",
        )
    },
    r"a \cdot \sigma(b),\; [a, b] = [[self]]",
    where=(),
    samples=lambda rng: [{"self": rng.normal(size=(2, 4)), "dim": d} for d in (0, -1)],
)
GLU_BACKWARD = Op(
    "glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor",
    _glu_backward,
    "GluBackwardBackward0",
    {
        "grad_output": Grad(_glu_backward_by_output, r"[[grad]]_a \sigma(b) + [[grad]]_b a \sigma' (b)"),
        "self": Grad(
            _glu_backward_by_input,
            r"[[grad_output]] [ [[grad]]_b \sigma',\; [[grad]]_a \sigma' + [[grad]]_b a \sigma'' ]",
        ),
    },
    r"[[grad_output]] \cdot [\sigma(b),\; a \sigma(b)(1 - \sigma(b))],\; [a, b] = [[self]]",
    where=(),
    samples=lambda rng: [{"grad_output": rng.normal(size=(2, 2)), "self": rng.normal(size=(2, 4)), "dim": 1}],
)


def _prelu_backward(grads, self, weight):
    return PRELU_KERNEL_BACKWARD(grads[0], self, weight)


def _prelu_backward_by_output(grads, self, weight):
    by_input, by_weight = grads
    below = None if by_input is None else by_input * weight
    if by_weight is not None:
        below = by_weight * self if below is None else below + by_weight * self
    return WHERE(self >= 0, 0 if by_input is None else by_input, below)


PRELU_KERNEL = Op(
    "_prelu_kernel(Tensor self, Tensor weight) -> Tensor",
    lambda self, weight: where(self > 0, self, weight * self),
    "PreluKernelBackward0",
    {
        "self, weight": Grad(
            _prelu_backward,
            {
                "self": r"[[self]] > 0 \;?\; [[grad]] : [[weight]] \cdot [[grad]]",
                "weight": r"[[self]] > 0 \;?\; 0 : [[self]] \cdot [[grad]]",
            },
        )
    },
    r"[[self]] > 0 \;?\; [[self]] : [[weight]] \cdot [[self]]",
    pointwise=True,
    where=(),
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "weight": rng.normal(size=s)} for s in ((1, 3), (1, 1))],
)
PRELU_KERNEL_BACKWARD = Op(
    "_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)",
    lambda grad_output, self, weight: (
        where(self > 0, grad_output, weight * grad_output),
        zero_where(self > 0, self * grad_output),
    ),
    "PreluKernelBackwardBackward0",
    {
        "grad_output": Grad(
            _prelu_backward_by_output,
            r"[[self]] > 0 \;?\; [[grad]]_1 : [[grad]]_1 [[weight]] + [[grad]]_2 [[self]]",
        ),
        "self": Grad(
            lambda grads, grad_output, self: (
                ZEROS_LIKE(self) if grads[1] is None else WHERE(self >= 0, 0, grad_output * grads[1])
            ),
            r"[[self]] > 0 \;?\; 0 : [[grad]]_2 \cdot [[grad_output]]",
        ),
        "weight": Grad(
            lambda grads, grad_output, self: (
                ZEROS_LIKE(self) if grads[0] is None else WHERE(self >= 0, 0, grad_output * grads[0])
            ),
            r"[[self]] > 0 \;?\; 0 : [[grad]]_1 \cdot [[grad_output]]",
        ),
    },
    r"[[self]] > 0 \;?\; [[grad_output]] : [[weight]] \cdot [[grad_output]]",
    where=(),
    samples=lambda rng: [
        {"grad_output": rng.normal(size=(2, 3)), "self": rng.normal(size=(2, 3)), "weight": rng.normal(size=(1, 3))}
    ],
)


def _rrelu_backward(grad_output, self, noise, lower, upper, training, self_is_result):
    if training and upper - lower > 1e-6:
        return noise * grad_output
    return where(self > 0, grad_output, grad_output * ((lower + upper) / 2))


RRELU_WITH_NOISE = Op(
    "rrelu_with_noise(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.3333333333333333, "
    "bool training=False) -> Tensor",
    only(
        "f",
        "leaky_relu_cpu",
        lambda self, noise, lower=0.125, upper=1 / 3, training=False: by_rows(
            self * noise if training else where(self > 0, self, self * ((lower + upper) / 2))
        ),
    ),
    "RreluWithNoiseBackward0",
    {
        "self": Grad(
            lambda grad, self, noise, lower, upper, training: RRELU_WITH_NOISE_BACKWARD(
                grad, self, noise, lower, upper, training, False
            ),
            r"[[grad]] \cdot [[noise]]",
        )
    },
    r"[[self]] > 0 \;?\; [[self]] : r \cdot [[self]],\; r \sim U([[lower]], [[upper]])",
    where=(),
    samples=lambda rng: [{**s, "noise": np.ones(s["self"].shape)} for s in singles(rng)],
)
RRELU_WITH_NOISE_BACKWARD = Op(
    "rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, "
    "bool training, bool self_is_result) -> Tensor",
    _rrelu_backward,
    "RreluWithNoiseBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, self, noise, lower, upper, training: RRELU_WITH_NOISE_BACKWARD(
                grad, self, noise, lower, upper, training, False
            ),
            r"[[grad]] \cdot [[noise]]",
        ),
        "self": Grad(lambda grad: ZEROS_LIKE(grad), "0"),
    },
    r"[[grad_output]] \cdot [[noise]]",
    where=(),
    samples=lambda rng: [
        {
            "grad_output": rng.normal(size=3),
            "self": rng.normal(size=3),
            "noise": rng.uniform(size=3),
            "lower": 0.1,
            "upper": 0.3,
            "training": t,
            "self_is_result": False,
        }
        for t in (False, True)
    ],
)
