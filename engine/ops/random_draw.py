"""Random draws whose parameters are tensors. Sampling is a step without slope, so their gradients are zero."""

from typing import Any

import numpy as np

from engine import dtypes, random, rejection
from engine.errors import broadcast
from engine.narrow import keeps_narrow
from engine.op import Grad, Op
from engine.ops.fill import ZEROS_LIKE
from engine.ops.kinds import check_kind

_UNCHECKED = "its result is random; sampling passes no gradient on"
_ZERO = Grad(lambda grad: ZEROS_LIKE(grad), "0")


def _bernoulli(p: Any, generator: Any) -> np.ndarray:
    p = np.asarray(p)
    check_kind("bernoulli_tensor_cpu_p_", p, "fV")
    if not np.all((p >= 0) & (p <= 1)):
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  "
            "If so, "
            "please report an enhancement request to PyTorch.)"
        )
    return random.bernoulli(generator, p.shape, p, p.dtype)


def _bernoulli_p(a: Any, p: float, generator: Any) -> np.ndarray:
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    return random.bernoulli(generator, a.shape, p, a.dtype)


def _normal(mean: Any, std: Any, generator: Any, like: Any) -> np.ndarray:
    if getattr(getattr(std, "dtype", None), "kind", "") == "c":
        raise RuntimeError("normal expects standard deviation to be non-complex")
    if isinstance(std, float):
        if std < 0:
            raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    elif np.any(std < 0):
        raise RuntimeError("normal expects all elements of std >= 0.0")
    try:
        shape = np.broadcast_shapes(np.shape(mean), np.shape(std))
    except ValueError:
        raise broadcast(np.shape(mean), np.shape(std)) from None
    check_kind("normal_kernel_cpu", like, "fcV")
    if isinstance(std, float):
        return (random.any_normal(generator, shape, like.dtype, std) + mean).astype(like.dtype)
    drawn = (random.any_normal(generator, shape, like.dtype) * std).astype(like.dtype)
    return (drawn + mean).astype(like.dtype)


def _poisson(rate: Any, generator: Any) -> np.ndarray:
    check_kind("poisson_cpu", rate, "fV")
    return rejection.poisson(generator, np.asarray(rate))


def _multinomial(weights: Any, num_samples: int, replacement: bool, generator: Any) -> np.ndarray:
    weights = np.asarray(weights)
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if weights.dtype.kind not in "fV":
        kind = dtypes.from_numpy(weights.dtype).torch_name
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {kind}")
    return np.ascontiguousarray(random.multinomial(generator, weights, num_samples, replacement))


def _native_dropout(input: Any, p: float, train: bool | None = None) -> tuple[np.ndarray, np.ndarray]:
    input = np.asarray(input)
    if train is False or not input.size:
        return input.copy(), np.ones_like(input, dtype=bool)
    kept = random.drawn_as_it_lies(
        np.empty_like(input, dtype=bool), lambda shape: _bernoulli_p(np.empty(shape, bool), 1 - p, None)
    )
    if input.dtype.kind not in "fcV":
        kind = dtypes.from_numpy(input.dtype).torch_name
        raise RuntimeError(
            f"result type {dtypes.get_default_dtype().torch_name} can't be cast to the desired output type {kind}"
        )
    scale = 0.0 if p == 1 else 1 / (1 - p)
    return (input * kept * input.dtype.type(scale)).astype(input.dtype, copy=False), kept


NATIVE_DROPOUT = Op(
    "native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)",
    keeps_narrow(_native_dropout),
    "NativeDropoutBackward0",
    {
        "input": Grad(
            lambda grads, result1, p, train: (
                grads[0] * (result1 * (1.0 if not train else 0.0 if p == 1 else 1 / (1 - p)))
            ),
            r"\frac{m \odot [[grad]]}{1 - [[p]]}",
        )
    },
    r"\frac{m \odot [[input]]}{1 - [[p]]},\ m \sim B(1 - [[p]])",
    where=("function",),
    unchecked=_UNCHECKED.split(";")[0],
    example="torch.native_dropout(torch.ones(3), 0.5, True)",
)
BERNOULLI = Op(
    "bernoulli(Tensor self, *, Generator? generator=None) -> Tensor",
    _bernoulli,
    "BernoulliBackward0",
    {"self": _ZERO},
    r"B([[self]])",
    unchecked=_UNCHECKED,
    example="torch.bernoulli(torch.tensor([0.2, 0.9]))",
)
BERNOULLI_P = Op(
    "bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor",
    _bernoulli_p,
    latex=r"B([[p]])",
    unchecked=_UNCHECKED,
    example="torch.bernoulli(torch.zeros(3), 0.5)",
)
NORMAL_TENSOR_TENSOR = Op(
    "normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor",
    keeps_narrow(lambda mean, std, generator: _normal(mean, std, generator, mean)),
    "NormalBackward3",
    {"mean": _ZERO, "std": _ZERO},
    r"N([[mean]], [[std]]^2)",
    where=("function",),
    unchecked=_UNCHECKED,
    example="torch.normal(torch.zeros(2), torch.tensor([1.0, 10.0]))",
)
NORMAL_TENSOR_FLOAT = Op(
    "normal.Tensor_float(Tensor mean, float std=1, *, Generator? generator=None) -> Tensor",
    keeps_narrow(lambda mean, std, generator: _normal(mean, std, generator, mean)),
    "NormalBackward1",
    {"mean": _ZERO},
    r"N([[mean]], [[std]]^2)",
    where=("function",),
    unchecked=_UNCHECKED,
    example="torch.normal(torch.tensor([0.0, 100.0]), 1.0)",
)
NORMAL_FLOAT_TENSOR = Op(
    "normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor",
    keeps_narrow(lambda mean, std, generator: _normal(mean, std, generator, std)),
    "NormalBackward2",
    {"std": _ZERO},
    r"N([[mean]], [[std]]^2)",
    where=("function",),
    unchecked=_UNCHECKED,
    example="torch.normal(0.0, torch.tensor([1.0, 10.0]))",
)
MULTINOMIAL = Op(
    "multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor",
    _multinomial,
    latex=r"\mathrm{Categorical}([[self]])",
    unchecked=_UNCHECKED,
    example="torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 2)",
)
POISSON = Op(
    "poisson(Tensor self, Generator? generator=None) -> Tensor",
    _poisson,
    "PoissonBackward0",
    {"self": _ZERO},
    r"\mathrm{Poisson}([[self]])",
    where=("function",),
    unchecked=_UNCHECKED,
    example="torch.poisson(torch.tensor([1.0, 5.0]))",
)
