"""Division that rounds, and the remainders it leaves."""

import numpy as np

from engine.dtypes import get_default_dtype
from engine.op import Grad, Op
from engine.ops.fill import ZEROS_LIKE
from engine.ops.kinds import check_kind, only
from engine.ops.samples import pairs, positive_pairs
from engine.ops.undifferentiable import NODE, REASON, no_derivative


def _integers(self, other):
    """Whether both operands, arrays or numbers, are integers."""
    return all(np.asarray(x).dtype.kind in "iub" for x in (self, other))


def _checked_integers(self, other):
    """Whether the operation is one of integers; torch then refuses a divisor of zero."""
    if not _integers(self, other):
        return False
    if np.any(np.equal(np.broadcast_arrays(self, other)[1], 0)):
        raise RuntimeError("ZeroDivisionError")
    return True


def floor_quotient(self, other):
    """The quotient rounded down. Raises RuntimeError for an integer divided by zero."""
    _checked_integers(self, other)
    return np.floor_divide(self, other)


def trunc_quotient(self, other):
    """The quotient rounded towards zero. Raises RuntimeError for an integer divided by zero."""
    if not _checked_integers(self, other):
        return np.trunc(np.true_divide(self, other))
    down = np.floor_divide(self, other)
    return down + ((down < 0) & (down * other != self))


def _divide(self, other, rounding_mode=None):
    if rounding_mode is None:
        out = np.true_divide(self, other)
        # numpy divides integers as float64; torch as the default dtype
        return out.astype(get_default_dtype().numpy) if _integers(self, other) else out
    if rounding_mode in ("floor", "trunc"):
        check_kind(f"div_{rounding_mode}_cpu", self, "fiuV")
    if rounding_mode == "floor":
        return floor_quotient(self, other)
    if rounding_mode == "trunc":
        return trunc_quotient(self, other)
    raise RuntimeError(f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'")


def _remainder(self, other):
    _checked_integers(self, other)
    if np.asarray(self).dtype.kind == "f" or np.asarray(other).dtype.kind == "f":
        rest = np.fmod(self, other)  # a zero keeps the dividend's sign, which np.remainder changes
        return np.where((rest != 0) & (np.less(other, 0) != (rest < 0)), rest + other, rest)
    return np.remainder(self, other)


def _fmod(self, other):
    _checked_integers(self, other)
    return np.fmod(self, other)


def _divided_rounded(rng):
    return [{**s, "rounding_mode": mode} for s in positive_pairs(rng) for mode in ("floor", "trunc", None)]


def _by_number(rng):
    return [{"self": rng.normal(size=(2, 3)), "other": 0.75}]


DIV_MODE = Op(
    "div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
    _divide,
    "DivBackward2",
    {
        "self": Grad(
            lambda grad, other, rounding_mode: grad / other if rounding_mode is None else ZEROS_LIKE(grad), r"0"
        ),
        "other": Grad(
            lambda grad, self, other, rounding_mode: (
                -grad * ((self / other) / other) if rounding_mode is None else ZEROS_LIKE(grad)
            ),
            r"0",
        ),
    },
    r"\operatorname{round}\!\left(\frac{[[self]]}{[[other]]}\right)",
    promote="common",
    inplace=True,
    numbers=("self", "other"),
    samples=_divided_rounded,
)
FLOOR_DIVIDE = Op(
    "floor_divide(Tensor self, Tensor other) -> Tensor",
    only("fiu", "div_floor_cpu", floor_quotient),
    NODE,
    {"self": no_derivative("floor_divide"), "other": no_derivative("floor_divide")},
    latex=r"\left\lfloor\frac{[[self]]}{[[other]]}\right\rfloor",
    promote="common",
    inplace=True,
    numbers=("self", "other"),
    unchecked=REASON,
    example="torch.floor_divide(torch.tensor([5.0, -5.0]), 2)",
)
REMAINDER_SCALAR = Op(
    "remainder.Scalar(Tensor self, Scalar other) -> Tensor",
    only("fiu", "remainder_cpu", _remainder),
    "RemainderBackward0",
    {"self": Grad(lambda grad: grad, r"[[grad]]")},
    r"[[self]] \bmod [[other]]",
    promote="common",
    inplace=True,
    samples=_by_number,
)
REMAINDER_OF_SCALAR = Op(
    "remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
    only("fiu", "remainder_cpu", _remainder),
    NODE,
    {"other": no_derivative("remainder")},
    latex=r"[[self]] \bmod [[other]]",
    promote="common",
    where=("function",),
    unchecked=REASON,
    example="torch.remainder(7, torch.tensor([2.0, -4.0]))",
)
REMAINDER = Op(
    "remainder.Tensor(Tensor self, Tensor other) -> Tensor",
    only("fiu", "remainder_cpu", _remainder),
    "RemainderBackward1",
    {
        "self": Grad(lambda grad: grad, r"[[grad]]"),
        "other": Grad(
            lambda grad, self, other: -grad * DIV_MODE(self, other, rounding_mode="floor"),
            r"-[[grad]] \left\lfloor\frac{[[self]]}{[[other]]}\right\rfloor",
        ),
    },
    r"[[self]] \bmod [[other]]",
    promote="common",
    inplace=True,
    samples=pairs,
)
FMOD_SCALAR = Op(
    "fmod.Scalar(Tensor self, Scalar other) -> Tensor",
    only("fiu", "fmod_cpu", _fmod),
    "FmodBackward0",
    {"self": Grad(lambda grad: grad, r"[[grad]]")},
    r"\operatorname{fmod}([[self]], [[other]])",
    promote="common",
    inplace=True,
    samples=_by_number,
)
FMOD = Op(
    "fmod.Tensor(Tensor self, Tensor other) -> Tensor",
    only("fiu", "fmod_cpu", _fmod),
    "FmodBackward1",
    {
        "self": Grad(lambda grad: grad, r"[[grad]]"),
        "other": Grad(
            lambda grad, self, other: -grad * DIV_MODE(self, other, rounding_mode="trunc"),
            r"-[[grad]] \operatorname{trunc}\!\left(\frac{[[self]]}{[[other]]}\right)",
        ),
    },
    r"\operatorname{fmod}([[self]], [[other]])",
    promote="common",
    inplace=True,
    samples=pairs,
)
