"""The error function, its inverse and the normal distribution."""

import math
from statistics import NormalDist

import numpy as np

from engine.op import Grad, Op
from engine.ops.arithmetic import MUL_SCALAR, SUB_SCALAR
from engine.ops.error_kernels import erf, erfc, erfcx, erfinv
from engine.ops.exponentials import EXP
from engine.ops.kinds import only, wide_only
from engine.ops.powers import POW
from engine.ops.samples import inside_unit, singles

_TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)
_HALF_ROOT_PI = math.sqrt(math.pi) / 2
_NORMAL = NormalDist()


def _ndtri(self):
    def quantile(p):
        if 0 < p < 1:
            return _NORMAL.inv_cdf(p)
        return -math.inf if p == 0 else math.inf if p == 1 else math.nan

    return np.array([quantile(p) for p in self.ravel().tolist()], self.dtype).reshape(self.shape)


def _log_ndtr(self):
    t = self * math.sqrt(0.5)
    below = np.log(erfcx(-np.minimum(t, 0)) / 2) - t * t
    return np.where(self < -1, below, np.log1p(-erfc(t) / 2))


ERF = Op(
    "erf(Tensor self) -> Tensor",
    only("f", "erf_vml_cpu", erf),
    "ErfBackward0",
    {
        "self": Grad(
            lambda grad, self: MUL_SCALAR(EXP(-POW(self, 2)), _TWO_OVER_ROOT_PI) * grad,
            r"[[grad]] \cdot \tfrac{2}{\sqrt\pi} e^{-[[self]]^2}",
        )
    },
    r"\operatorname{erf} [[self]]",
    promote="float",
    pointwise=True,
    inplace=True,
    samples=singles,
)
ERFC = Op(
    "erfc(Tensor self) -> Tensor",
    only("f", "erfc_vml_cpu", erfc),
    "ErfcBackward0",
    {
        "self": Grad(
            lambda grad, self: MUL_SCALAR(EXP(-POW(self, 2)), -_TWO_OVER_ROOT_PI) * grad,
            r"-[[grad]] \cdot \tfrac{2}{\sqrt\pi} e^{-[[self]]^2}",
        )
    },
    r"\operatorname{erfc} [[self]]",
    promote="float",
    pointwise=True,
    inplace=True,
    samples=singles,
)
ERFINV = Op(
    "erfinv(Tensor self) -> Tensor",
    only("f", "erfinv_vml_cpu", erfinv),
    "ErfinvBackward0",
    {
        "self": Grad(
            lambda grad, self: MUL_SCALAR(EXP(POW(ERFINV(self), 2)), _HALF_ROOT_PI) * grad,
            r"[[grad]] \cdot \tfrac{\sqrt\pi}{2} e^{\operatorname{erf}^{-1}([[self]])^2}",
        )
    },
    r"\operatorname{erf}^{-1} [[self]]",
    promote="float",
    pointwise=True,
    inplace=True,
    samples=inside_unit,
)
ERFCX = Op(
    "special_erfcx(Tensor self) -> Tensor",
    wide_only("erfcx_cpu", erfcx, "f"),
    "SpecialErfcxBackward0",
    {
        "self": Grad(
            lambda grad, self, result: SUB_SCALAR(MUL_SCALAR(self, 2) * result, _TWO_OVER_ROOT_PI) * grad,
            r"[[grad]] \cdot (2 [[self]] [[result]] - \tfrac{2}{\sqrt\pi})",
        )
    },
    r"e^{[[self]]^2} \operatorname{erfc} [[self]]",
    promote="float",
    pointwise=True,
    where=("special",),
    samples=singles,
)
NDTRI = Op(
    "special_ndtri(Tensor self) -> Tensor",
    wide_only("ndtri_cpu", _ndtri, "f"),
    "SpecialNdtriBackward0",
    {
        "self": Grad(
            lambda grad, result: grad * MUL_SCALAR(EXP(POW(result, 2) / 2), math.sqrt(2 * math.pi)),
            r"[[grad]] \cdot \sqrt{2\pi}\, e^{[[result]]^2/2}",
        )
    },
    r"\Phi^{-1}([[self]])",
    promote="float",
    pointwise=True,
    where=("special",),
    samples=lambda rng: [{"self": rng.uniform(0.1, 0.9, size=s)} for s in ((2, 3), ())],
)
LOG_NDTR = Op(
    "special_log_ndtr(Tensor self) -> Tensor",
    wide_only("log_ndtr_cpu", _log_ndtr, "f"),
    "SpecialLogNdtrBackward0",
    {
        "self": Grad(
            lambda grad, self, result: MUL_SCALAR(grad / EXP(result + POW(self, 2) / 2), 1 / math.sqrt(2 * math.pi)),
            r"\frac{[[grad]]}{\sqrt{2\pi}} e^{-[[result]] - [[self]]^2/2}",
        )
    },
    r"\ln \Phi([[self]])",
    promote="float",
    pointwise=True,
    where=("special",),
    samples=singles,
)
