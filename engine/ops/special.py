"""Gamma, zeta and Bessel functions, and x times the logarithm of y."""

import math

import numpy as np

from engine.op import Grad, Op
from engine.ops import gamma_kernels as kernels
from engine.ops.arithmetic import ADD, ADD_SCALAR, SUB_SCALAR
from engine.ops.exponentials import EXP, LOG
from engine.ops.kinds import check_dtype, check_kind, only, wide_only
from engine.ops.masking import MASKED_FILL, WHERE
from engine.ops.reduction import SUM_DIM
from engine.ops.rounding import SGN
from engine.ops.samples import positive, positive_pairs, singles
from engine.ops.undifferentiable import NO_FORMULA, REASON, not_implemented
from engine.ops.views import UNSQUEEZE


def _mvlgamma(self, p):
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    parts = sum(kernels.lgamma(self - j / 2) for j in range(p))
    return parts + p * (p - 1) / 4 * math.log(math.pi)


def _mvlgamma_backward(grad, self, p):
    steps = np.arange(1 - p, 1).astype(getattr(self, "_a", self).dtype) / 2
    return grad * SUM_DIM(DIGAMMA(ADD(UNSQUEEZE(self, -1), steps)), (-1,))


def _xlog1py(self, other):
    if not hasattr(other, "dtype"):
        other = np.asarray(other).astype(self.dtype)
    return np.where(np.isnan(other), other, np.where(self == 0, np.zeros_like(other), self * np.log1p(other)))


def _i1_backward(grad, self, result):
    slope = I0(self) - result / WHERE(self == 0, 1, self)
    return grad * WHERE(self == 0, 0.5, slope)


def _i1e_backward(grad, self, result):
    slope = I0E(self) - result * (SGN(self) + 1 / WHERE(self == 0, 1, self))
    return grad * WHERE(self == 0, 0.5, slope)


def _whole_and_real(rng):
    """Samples whose first input is integral, since only the second has a derivative."""
    return [{"self": rng.integers(2, 6, size=(2, 3)), "other": rng.uniform(0.3, 2, size=s)} for s in ((2, 3), ())]


def _of_two(name, kernel, node, by_self, by_other, latex, samples):
    """A function of two tensors, with the overloads that take a number for the first or the second."""

    def with_number(which):
        return lambda rng: [{**s, which: 2.0} for s in samples(rng)]

    ways = (
        ("(Tensor self, Tensor other)", {"self": by_self, "other": by_other}, samples),
        (".self_scalar(Scalar self, Tensor other)", {"other": by_other}, with_number("self")),
        (".other_scalar(Tensor self, Scalar other)", {"self": by_self}, with_number("other")),
    )
    return tuple(
        Op(
            f"{name}{parameters} -> Tensor",
            kernel,
            f"{node}{i}",
            grads,
            latex,
            promote="float",
            pointwise=True,
            where=("special",),
            samples=drawn if any(g.latex != NO_FORMULA for g in grads.values()) else None,
            unchecked=REASON,
            example=f"torch.special.{name.removeprefix('special_')}(torch.tensor([2.0, 3.0]), 2.0)",
        )
        for i, (parameters, grads, drawn) in enumerate(ways)
    )


def _zeta(self, other):
    given = [a.dtype for a in (self, other) if hasattr(a, "dtype")]
    check_dtype("zeta_cpu", next((d for d in given if d.kind not in "iu"), np.dtype(np.float64)), "", "fd")
    return kernels.zeta(self, other)


def _incomplete(name, kernel, self, other):
    common = np.result_type(self, other)
    check_dtype(name, common, "f")
    return kernel(self.astype(common), other.astype(common))


def _entr(self):
    return np.where(self > 0, -self * np.log(np.where(self > 0, self, 1)), np.where(self < 0, -np.inf, self))


def _polygamma(n, self):
    check_kind(("digamma", "trigamma")[n] if n in (0, 1) else "polygamma", self, "fiubV")
    return kernels.polygamma(n, self)


def _igamma_density(self, other):
    return EXP(SUB_SCALAR(self, 1) * LOG(other) - other - LGAMMA(self))


LGAMMA = Op(
    "lgamma(Tensor self) -> Tensor",
    only("fiub", "lgamma_vml_cpu", kernels.lgamma),
    "LgammaBackward0",
    {"self": Grad(lambda grad, self: grad * DIGAMMA(self), r"[[grad]] \cdot \psi([[self]])")},
    r"\ln\Gamma([[self]])",
    promote="float",
    pointwise=True,
    inplace=True,
    samples=positive,
)
DIGAMMA = Op(
    "digamma(Tensor self) -> Tensor",
    only("f", "digamma", kernels.digamma),
    "DigammaBackward0",
    {"self": Grad(lambda grad, self: grad * POLYGAMMA(1, self), r"[[grad]] \cdot \psi'([[self]])")},
    r"\psi([[self]])",
    promote="float",
    pointwise=True,
    inplace=True,
    samples=lambda rng: [*positive(rng), {"self": rng.uniform(-0.9, -0.1, size=3)}],
)
POLYGAMMA = Op(
    "polygamma(int n, Tensor self) -> Tensor",
    _polygamma,
    "PolygammaBackward0",
    {"self": Grad(lambda grad, n, self: grad * POLYGAMMA(n + 1, self), r"[[grad]] \cdot \psi^{([[n]]+1)}([[self]])")},
    r"\psi^{([[n]])}([[self]])",
    promote="float",
    pointwise=True,
    samples=lambda rng: [{**s, "n": n} for n in (0, 1, 2) for s in positive(rng)],
)
MVLGAMMA = Op(
    "mvlgamma(Tensor self, int p) -> Tensor",
    _mvlgamma,
    "MvlgammaBackward0",
    {
        "self": Grad(
            _mvlgamma_backward,
            r"[[grad]] \cdot \sum_j \psi([[self]] - \tfrac{j}{2})",
        )
    },
    r"\ln\Gamma_{[[p]]}([[self]])",
    promote="float",
    pointwise=True,
    inplace=True,
    samples=lambda rng: [{"self": s["self"] + 2, "p": p} for p in (1, 3) for s in positive(rng)],
)
_ZETA_BY_OTHER = Grad(
    lambda grad, self, other: grad * -self * ZETA(self + 1, other),
    r"-[[grad]] \cdot [[self]] \cdot \zeta([[self]] + 1, [[other]])",
)
ZETA, ZETA_OF_SCALAR, ZETA_BY_SCALAR = _of_two(
    "special_zeta",
    wide_only("zeta_cpu", _zeta),
    "SpecialZetaBackward",
    not_implemented("zeta"),
    _ZETA_BY_OTHER,
    r"\zeta([[self]], [[other]])",
    _whole_and_real,
)
IGAMMA = Op(
    "igamma(Tensor self, Tensor other) -> Tensor",
    lambda self, other: _incomplete("igamma_cpu", kernels.igamma, self, other),
    "IgammaBackward0",
    {
        "self": not_implemented("igamma: input"),
        "other": Grad(
            lambda grad, self, other: grad * _igamma_density(self, other),
            r"[[grad]] \cdot e^{([[self]]-1)\ln [[other]] - [[other]] - \ln\Gamma([[self]])}",
        ),
    },
    r"P([[self]], [[other]])",
    promote="common",
    inplace=True,
    samples=_whole_and_real,
)
IGAMMAC = Op(
    "igammac(Tensor self, Tensor other) -> Tensor",
    lambda self, other: _incomplete("igammac_cpu", kernels.igammac, self, other),
    "IgammacBackward0",
    {
        "self": not_implemented("igammac: input"),
        "other": Grad(
            lambda grad, self, other: -grad * _igamma_density(self, other),
            r"-[[grad]] \cdot e^{([[self]]-1)\ln [[other]] - [[other]] - \ln\Gamma([[self]])}",
        ),
    },
    r"Q([[self]], [[other]])",
    promote="common",
    inplace=True,
    samples=_whole_and_real,
)
I0 = Op(
    "i0(Tensor self) -> Tensor",
    only("f", "i0_vml_cpu", kernels.i0),
    "I0Backward0",
    {"self": Grad(lambda grad, self: grad * I1(self), r"[[grad]] \cdot I_1([[self]])")},
    r"I_0([[self]])",
    promote="float",
    pointwise=True,
    inplace=True,
    samples=singles,
)
I0E = Op(
    "special_i0e(Tensor self) -> Tensor",
    only("f", "i0e_cpu", kernels.i0e),
    "SpecialI0EBackward0",
    {
        "self": Grad(
            lambda grad, self, result: grad * (I1E(self) - SGN(self) * result),
            r"[[grad]] \cdot (e^{-|x|} I_1(x) - \operatorname{sgn}(x) [[result]]),\; x = [[self]]",
        )
    },
    r"e^{-|[[self]]|} I_0([[self]])",
    promote="float",
    pointwise=True,
    where=("special",),
    samples=singles,
)
I1 = Op(
    "special_i1(Tensor self) -> Tensor",
    only("f", "i1_cpu", kernels.i1),
    "SpecialI1Backward0",
    {"self": Grad(_i1_backward, r"[[grad]] \cdot (I_0([[self]]) - [[result]] / [[self]])")},
    r"I_1([[self]])",
    promote="float",
    pointwise=True,
    where=("special",),
    samples=singles,
)
I1E = Op(
    "special_i1e(Tensor self) -> Tensor",
    only("f", "i1e_cpu", kernels.i1e),
    "SpecialI1EBackward0",
    {
        "self": Grad(
            _i1e_backward,
            r"[[grad]] \cdot (e^{-|x|} I_0(x) - [[result]] (\operatorname{sgn}(x) + 1/x)),\; x = [[self]]",
        )
    },
    r"e^{-|[[self]]|} I_1([[self]])",
    promote="float",
    pointwise=True,
    where=("special",),
    samples=singles,
)
ENTR = Op(
    "special_entr(Tensor self) -> Tensor",
    only("f", "entr_cpu", _entr),
    "SpecialEntrBackward0",
    {"self": Grad(lambda grad, self: grad * (-LOG(self) - 1), r"-[[grad]] \cdot (1 + \ln [[self]])")},
    r"-[[self]] \ln [[self]]",
    promote="float",
    pointwise=True,
    where=("special",),
    samples=positive,
)
XLOG1PY, XLOG1PY_OF_SCALAR, XLOG1PY_BY_SCALAR = _of_two(
    "special_xlog1py",
    only("f", "xlog1py_cpu", _xlog1py),
    "SpecialXlog1PyBackward",
    Grad(
        lambda grad, self, other: MASKED_FILL(XLOG1PY(grad, other), (self == 0) & (other <= -1), 0),
        r"[[grad]] \cdot \ln(1 + [[other]])",
    ),
    Grad(lambda grad, self, other: grad * self / ADD_SCALAR(other, 1), r"[[grad]] \frac{[[self]]}{[[other]] + 1}"),
    r"[[self]] \cdot \ln(1 + [[other]])",
    positive_pairs,
)
