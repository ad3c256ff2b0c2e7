"""Draws of gamma and Dirichlet variables, whose derivatives are implicit, and of binomial ones, which have none.

A draw is where the distribution function reaches a level; held at that level, it moves with the parameters.
"""

from typing import Any

import numpy as np

from engine import rejection
from engine.dtypes import from_numpy
from engine.errors import broadcast
from engine.op import Grad, Op
from engine.ops.gamma_slopes import dirichlet_slope, gamma_slope
from engine.ops.kinds import check_kind

_RANDOM = "its result is random; the derivative holds the level of the distribution function"


def _floating(a: Any, kernel: str) -> np.ndarray:
    a = np.asarray(a)
    check_kind(kernel, a, "fV")
    return a


def _binomial(count: Any, prob: Any, generator: Any) -> np.ndarray:
    count, prob = np.asarray(count), np.asarray(prob)
    for name, a in (("count", count), ("prob", prob)):
        if a.dtype.kind not in "fV":
            kind = from_numpy(a.dtype).torch_name
            raise ValueError(f"binomial only supports floating-point dtypes for {name}, got: {kind}")
    if count.dtype != prob.dtype:
        kinds = [from_numpy(a.dtype).torch_name for a in (prob, count)]
        raise RuntimeError(f"Found dtype {kinds[0]} but expected {kinds[1]}")
    try:
        count, prob = np.broadcast_arrays(count, prob)
    except ValueError:
        raise broadcast(count.shape, prob.shape) from None
    return rejection.binomial(generator, count, prob)


def _underivable(name: str) -> Grad:
    def rule(grad: Any) -> Any:
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    return Grad(rule, r"\text{none}")


def _second(name: str) -> Grad:
    def rule(grad: Any) -> Any:
        raise NotImplementedError(f"the derivative for '{name}' is not implemented.")

    return Grad(rule, r"\text{none}")


STANDARD_GAMMA_GRAD = Op(
    "_standard_gamma_grad(Tensor self, Tensor output) -> Tensor",
    gamma_slope,
    "StandardGammaGradBackward0",
    {"self": _second("_standard_gamma_grad")},
    r"-\frac{\partial F / \partial [[self]]}{\partial F / \partial [[output]]}",
    where=("function",),
    unchecked="PyTorch has no derivative for it",
    example="torch._standard_gamma_grad(torch.tensor([0.5, 2.0]), torch.tensor([0.3, 1.0]))",
)
STANDARD_GAMMA = Op(
    "_standard_gamma(Tensor self, Generator? generator=None) -> Tensor",
    lambda self, generator: rejection.standard_gamma(generator, _floating(self, "gamma_cpu")),
    "StandardGammaBackward0",
    {
        "self": Grad(
            lambda grad, self, result: grad * STANDARD_GAMMA_GRAD(self, result),
            r"-[[grad]] \frac{\partial F / \partial [[self]]}{\partial F / \partial [[result]]}",
        )
    },
    r"\Gamma([[self]], 1)",
    where=("function",),
    unchecked=_RANDOM,
    example="torch._standard_gamma(torch.tensor([0.5, 2.0]))",
)
DIRICHLET_GRAD = Op(
    "_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor",
    dirichlet_slope,
    "NotImplemented",
    {name: _underivable("_dirichlet_grad") for name in ("x", "alpha", "total")},
    r"-\frac{\partial F / \partial [[alpha]]}{\partial F / \partial [[x]]}",
    where=("function",),
    unchecked="PyTorch has no derivative for it",
    example="torch._dirichlet_grad(torch.tensor([0.2]), torch.tensor([0.5]), torch.tensor([2.0]))",
)
SAMPLE_DIRICHLET = Op(
    "_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor",
    lambda self, generator: rejection.dirichlet(generator, _floating(self, "dirichlet")),
    "NotImplemented",
    {"self": _underivable("_sample_dirichlet")},
    r"\mathrm{Dir}([[self]])",
    where=("function",),
    unchecked=_RANDOM,
    example="torch._sample_dirichlet(torch.tensor([0.5, 2.0, 1.0]))",
)
BINOMIAL = Op(
    "binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor",
    _binomial,
    "NotImplemented",
    {name: _underivable("binomial") for name in ("count", "prob")},
    r"B([[count]], [[prob]])",
    where=("function",),
    unchecked="its result is random; PyTorch has no derivative for it",
    example="torch.binomial(torch.tensor([10.0, 20.0]), torch.tensor([0.2, 0.5]))",
)
