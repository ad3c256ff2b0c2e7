"""In-place random fills. The numbers are drawn with the generator's next words, as PyTorch draws them.

The former content plays no part, so its gradient is zero.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from engine import dtypes, random
from engine.narrow import keeps_narrow
from engine.op import Grad, Op
from engine.ops.fill import ZEROS_LIKE
from engine.ops.kinds import check_kind, torch_name

_UNCHECKED = "its result is random; the gradient of the former content is zero"


def _in_order(draw: Callable[..., Any], may_be_empty: bool = True) -> Callable[..., Any]:
    """A kernel of draw(memory, …), whose numbers go into memory in the order in which it lies."""

    def forward(a: Any, *given: Any) -> np.ndarray:
        def drawn(shape: tuple[int, ...]) -> np.ndarray:
            if may_be_empty and not a.size:  # PyTorch looks at the dtype where there is something to fill
                return np.zeros(shape, a.dtype)
            return draw(_Memory(shape, a.dtype, a.flags.c_contiguous), *given)

        return random.drawn_as_it_lies(a, drawn)

    return forward


def _fill(signature: str, forward: Callable[..., Any], grad_fn: str, latex: str, example: str) -> Op:
    return Op(
        signature, keeps_narrow(forward), grad_fn, {"self": Grad(lambda grad: ZEROS_LIKE(grad), "0")}, latex,
        unchecked=_UNCHECKED, where=("method",), example=example,
    )  # fmt: skip


class _Memory(NamedTuple):
    """What is to be filled."""

    shape: tuple[int, ...]
    dtype: np.dtype
    contiguous: bool


def _uniform(a: _Memory, low: float, high: float, generator: Any) -> np.ndarray:
    check_kind("check_uniform_bounds", a, "fcV")
    if low > high:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}")
    if a.dtype.kind == "c":
        return _of_parts(random.uniform(generator, (*a.shape, 2), _part(a), low, high), a)
    return random.uniform(generator, a.shape, a.dtype, low, high)


def _part(a: _Memory) -> np.dtype:
    """The dtype of a complex number's parts."""
    return np.dtype(np.float32 if a.dtype == np.complex64 else np.float64)


def _of_parts(parts: np.ndarray, a: _Memory) -> np.ndarray:
    return np.ascontiguousarray(parts).view(a.dtype).reshape(a.shape)


def _normal(a: _Memory, mean: float, std: float, generator: Any) -> np.ndarray:
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    check_kind("normal_kernel_cpu", a, "fcV")
    if a.dtype.kind == "c":  # half of the variance is each part's
        return _of_parts(random.normal(generator, (*a.shape, 2), _part(a), mean, std * 0.5**0.5, a.contiguous), a)
    return random.normal(generator, a.shape, a.dtype, mean, std, a.contiguous)


def _bernoulli(a: _Memory, p: float, generator: Any) -> np.ndarray:
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    check_kind("bernoulli_scalar_cpu_", a, "fiubV")
    return random.bernoulli(generator, a.shape, p, a.dtype)


def _bernoulli_of(a: np.ndarray, p: Any, generator: Any) -> np.ndarray:
    if a.size:
        check_kind("bernoulli_tensor_cpu_self_", a, "fiubV")
    axes = random.memory_axes(a)
    chances = np.broadcast_to(np.asarray(p), a.shape).transpose(axes)
    return random.bernoulli(generator, chances.shape, chances, a.dtype).transpose(np.argsort(axes))


def _continuous(name: str, a: _Memory, kind: str) -> None:
    if a.dtype.kind not in "fV":
        raise RuntimeError(
            f"{name} distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {kind}"
        )


def _exponential(a: _Memory, lambd: float, generator: Any) -> np.ndarray:
    _continuous("Exponential", a, torch_name(a))
    if lambd <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    return random.exponential(generator, a.shape, a.dtype, lambd)


def _cauchy(a: _Memory, median: float, sigma: float, generator: Any) -> np.ndarray:
    if sigma <= 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    _continuous("Cauchy", a, dtypes.from_numpy(a.dtype).cpp_name)
    return random.cauchy(generator, a.shape, a.dtype, median, sigma)


def _log_normal(a: _Memory, mean: float, std: float, generator: Any) -> np.ndarray:
    if std <= 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    check_kind("log_normal_cpu", a, "fV")
    return random.log_normal(generator, a.shape, a.dtype, mean, std)


def _geometric(a: _Memory, p: float, generator: Any) -> np.ndarray:
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    check_kind("geometric_cpu", a, "fiuV")
    return random.geometric(generator, a.shape, p, a.dtype)


def _random_between(a: _Memory, low: int, high: int | None, generator: Any) -> np.ndarray:
    top = high
    if top is None:
        whole = a.dtype.kind in "iu"
        top = int(np.iinfo(a.dtype).max) + 1 if whole else int(2 ** (np.finfo(a.dtype).nmant + 1))
    if low < top:
        check_integer_bounds(low, top, dtypes.from_numpy(a.dtype))
    return random.randint(generator, a.shape, low, top, a.dtype)


def _random(a: _Memory, generator: Any) -> np.ndarray:
    check_kind("random_kernel_cpu", a, "fiubV")
    return random.whole_range(generator, a.shape, a.dtype)


def check_integer_bounds(low: int, high: int, dtype: dtypes.dtype) -> None:
    """Raise RuntimeError when a dtype cannot hold the numbers from low up to high - 1."""
    if dtype.is_complex:
        raise RuntimeError("check_random_bounds handles only integral, floating-point and boolean types")
    if dtype.rank <= 1:
        limits = (0, 1) if dtype is dtypes.bool_ else (np.iinfo(dtype.numpy).min, np.iinfo(dtype.numpy).max)
        for name, value in (("from", low), ("to - 1", high - 1)):
            if not limits[0] <= value <= limits[1]:
                raise RuntimeError(f"{name} is out of bounds for {dtype.cpp_name}")


UNIFORM_ = _fill(
    "uniform_(Tensor self, float from=0, float to=1, *, Generator? generator=None) -> Tensor",
    _in_order(_uniform, may_be_empty=False),
    "UniformBackward0",
    r"U([[from]], [[to]])",
    example="torch.empty(3).uniform_(-1, 1)",
)
NORMAL_ = _fill(
    "normal_(Tensor self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor",
    _in_order(_normal),
    "NormalBackward0",
    r"N([[mean]], [[std]]^2)",
    example="torch.empty(3).normal_(0, 2)",
)
BERNOULLI_TENSOR_ = _fill(
    "bernoulli_.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor",
    _bernoulli_of,
    "BernoulliBackward1",
    r"B([[p]])",
    example="torch.empty(2).bernoulli_(torch.tensor([0.2, 0.9]))",
)
BERNOULLI_ = _fill(
    "bernoulli_.float(Tensor self, float p=0.5, *, Generator? generator=None) -> Tensor",
    _in_order(_bernoulli),
    "BernoulliBackward2",
    r"B([[p]])",
    example="torch.empty(3).bernoulli_(0.5)",
)
EXPONENTIAL_ = _fill(
    "exponential_(Tensor self, float lambd=1, *, Generator? generator=None) -> Tensor",
    _in_order(_exponential),
    "ExponentialBackward0",
    r"\mathrm{Exp}([[lambd]])",
    example="torch.empty(3).exponential_(2.0)",
)
RANDOM_ = _fill(
    "random_(Tensor self, *, Generator? generator=None) -> Tensor",
    _in_order(_random),
    "RandomBackward2",
    r"\mathrm{random}",
    example="torch.empty(3, dtype=torch.int64).random_()",
)
RANDOM_FROM_ = _fill(
    "random_.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor",
    _in_order(_random_between, may_be_empty=False),
    "RandomBackward0",
    r"\mathrm{random}([[from]], [[to]])",
    example="torch.empty(3).random_(5, 10)",
)
RANDOM_TO_ = _fill(
    "random_.to(Tensor self, int to, *, Generator? generator=None) -> Tensor",
    _in_order(lambda a, to, generator: _random_between(a, 0, to, generator), may_be_empty=False),
    "RandomBackward1",
    r"\mathrm{random}(0, [[to]])",
    example="torch.empty(3).random_(10)",
)
CAUCHY_ = _fill(
    "cauchy_(Tensor self, float median=0, float sigma=1, *, Generator? generator=None) -> Tensor",
    _in_order(_cauchy, may_be_empty=False),
    "CauchyBackward0",
    r"\mathrm{Cauchy}([[median]], [[sigma]])",
    example="torch.empty(3).cauchy_()",
)
LOG_NORMAL_ = _fill(
    "log_normal_(Tensor self, float mean=1, float std=2, *, Generator? generator=None) -> Tensor",
    _in_order(_log_normal),
    "LogNormalBackward0",
    r"e^{N([[mean]], [[std]]^2)}",
    example="torch.empty(3).log_normal_()",
)
GEOMETRIC_ = _fill(
    "geometric_(Tensor self, float p, *, Generator? generator=None) -> Tensor",
    _in_order(_geometric),
    "GeometricBackward0",
    r"\mathrm{Geom}([[p]])",
    example="torch.empty(3).geometric_(0.5)",
)
