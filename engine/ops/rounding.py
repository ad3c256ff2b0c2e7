"""Signs, magnitudes and rounding: functions whose derivative is zero or one almost everywhere."""

from typing import Any

import numpy as np

from engine.narrow import keeps_narrow
from engine.op import Grad, Op
from engine.ops.complex import CONJ
from engine.ops.exponentials import EXP2
from engine.ops.fill import ZEROS_LIKE
from engine.ops.kinds import check_kind, only, refusing
from engine.ops.layouts import laid_out_as_first
from engine.ops.masking import MASKED_FILL, WHERE
from engine.ops.samples import pairs, singles
from engine.ops.undifferentiable import NODE, REASON, no_derivative

_ZERO = {"self": Grad(lambda grad: ZEROS_LIKE(grad), "0")}


_COMPLEX_SIGN = "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead."


def _rounding(name, rounded):
    """A rounding kernel that leaves integers alone, as torch does, and refuses bools and complex numbers."""

    def kernel(self):
        kind = self.dtype.kind
        if kind == "f":
            return rounded(self)
        if kind == "c" and name != "round":
            raise NotImplementedError(f"{name} is not supported for complex inputs")
        check_kind(f"{name}_vml_cpu", self, "iu")
        return self.copy()

    return kernel


def _frexp(self):
    if self.dtype.kind != "f":
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    return np.frexp(self)


def _round_decimals(self, decimals):
    if decimals < 0:
        scale = 10.0**-decimals
        return np.rint(self / scale) * scale
    scale = 10.0**decimals
    return np.rint(self * scale) / scale


def _sgn(self):
    if self.dtype.kind == "b":
        return self.copy()
    if self.dtype.kind != "c":
        return np.sign(self)
    size = np.abs(self)
    return np.where(size == 0, 0, self / np.where(size == 0, 1, size)).astype(self.dtype)


def _nan_to_num(self, nan=None, posinf=None, neginf=None):
    if self.dtype.kind not in "fc":
        return self.copy()
    limits = np.finfo(self.dtype)
    return np.nan_to_num(
        self,
        nan=0.0 if nan is None else nan,
        posinf=limits.max if posinf is None else posinf,
        neginf=limits.min if neginf is None else neginf,
    )


def _copysign_backward(grad, self, result):
    return grad * MASKED_FILL(result / self, self == 0, 0)


def _heaviside(self, values):
    if "c" in (self.dtype.kind, values.dtype.kind):
        raise RuntimeError("heaviside is not yet implemented for complex tensors.")
    if self.dtype != values.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    return np.where(self == 0, values, self > 0).astype(self.dtype)


SIGN = Op(
    "sign(Tensor self) -> Tensor",
    refusing("c", NotImplementedError, _COMPLEX_SIGN, _sgn),
    "SignBackward0",
    _ZERO,
    r"\operatorname{sign} [[self]]",
    promote="common",
    inplace=True,
    samples=singles,
)


def _sgn_backward(grad: Any, self: Any, result: Any) -> Any:
    """Of a complex number, what turns it; the sign of a real number is constant."""
    if getattr(self, "_a", self).dtype.kind != "c":
        return ZEROS_LIKE(grad)
    size = abs(self)
    along = grad * CONJ(result)
    return (grad - (along + CONJ(along)) * 0.5 * result) / (size + (size == 0))


SGN = Op(
    "sgn(Tensor self) -> Tensor",
    _sgn,
    "SgnBackward0",
    {"self": Grad(_sgn_backward, "0")},
    r"\operatorname{sgn} [[self]]",
    promote="common",
    inplace=True,
    samples=singles,
)
ABS = Op(
    "abs(Tensor self) -> Tensor",
    only("fciu", "abs_cpu", np.abs),
    "AbsBackward0",
    {"self": Grad(lambda grad, self: grad * SGN(self), r"[[grad]] \cdot \operatorname{sgn} [[self]]")},
    r"\lvert [[self]] \rvert",
    promote="common",
    inplace=True,
    samples=singles,
)
FLOOR = Op(
    "floor(Tensor self) -> Tensor",
    _rounding("floor", np.floor),
    "FloorBackward0",
    _ZERO,
    r"\lfloor [[self]] \rfloor",
    promote="common",
    inplace=True,
    samples=singles,
)
CEIL = Op(
    "ceil(Tensor self) -> Tensor",
    _rounding("ceil", np.ceil),
    "CeilBackward0",
    _ZERO,
    r"\lceil [[self]] \rceil",
    promote="common",
    inplace=True,
    samples=singles,
)
ROUND = Op(
    "round(Tensor self) -> Tensor",
    _rounding("round", np.rint),
    "RoundBackward0",
    _ZERO,
    r"\operatorname{round} [[self]]",
    promote="common",
    inplace=True,
    samples=singles,
)
ROUND_DECIMALS = Op(
    "round.decimals(Tensor self, *, int decimals) -> Tensor",
    only("f", "round_cpu", _round_decimals),
    "RoundBackward1",
    _ZERO,
    r"\operatorname{round}_{[[decimals]]} [[self]]",
    promote="common",
    inplace=True,
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "decimals": 1}],
)
TRUNC = Op(
    "trunc(Tensor self) -> Tensor",
    _rounding("trunc", np.trunc),
    "TruncBackward0",
    _ZERO,
    r"\operatorname{trunc} [[self]]",
    promote="common",
    inplace=True,
    samples=singles,
)
FRAC = Op(
    "frac(Tensor self) -> Tensor",
    only("f", "frac_cpu", lambda self: self - np.trunc(self)),
    "FracBackward0",
    {"self": Grad(lambda grad: grad, r"[[grad]]")},
    r"[[self]] - \operatorname{trunc} [[self]]",
    promote="common",
    inplace=True,
    samples=singles,
)
NAN_TO_NUM = Op(
    "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
    laid_out_as_first(_nan_to_num),
    "NanToNumBackward0",
    {"self": Grad(lambda grad, self: grad * ISFINITE(self), r"[[grad]] \cdot [\,[[self]] \text{ finite}\,]")},
    r"\operatorname{finite}([[self]])",
    inplace=True,
    samples=singles,
)
ISFINITE = Op(
    "isfinite(Tensor self) -> Tensor",
    np.isfinite,
    latex=r"[\,\lvert [[self]] \rvert < \infty\,]",
    example='torch.isfinite(torch.tensor([1.0, float("inf")]))',
    pointwise=True,
)
COPYSIGN = Op(
    "copysign.Tensor(Tensor self, Tensor other) -> Tensor",
    only("f", "copysign_cpu", np.copysign),
    "CopysignBackward0",
    {
        "self": Grad(_copysign_backward, r"[[grad]] \frac{[[result]]}{[[self]]}"),
        "other": Grad(lambda grad: ZEROS_LIKE(grad), "0"),
    },
    r"\lvert [[self]] \rvert \operatorname{sign} [[other]]",
    promote="float",
    inplace=True,
    samples=pairs,
)
COPYSIGN_SCALAR = Op(
    "copysign.Scalar(Tensor self, Scalar other) -> Tensor",
    only("f", "copysign_cpu", np.copysign),
    "CopysignBackward1",
    {"self": Grad(_copysign_backward, r"[[grad]] \frac{[[result]]}{[[self]]}")},
    r"\lvert [[self]] \rvert \operatorname{sign} [[other]]",
    promote="float",
    inplace=True,
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "other": -2.0}],
)
NEXTAFTER = Op(
    "nextafter(Tensor self, Tensor other) -> Tensor",
    keeps_narrow(only("fV", "nextafter_cpu", np.nextafter)),
    "NextafterBackward0",
    {
        "self": Grad(lambda grad, self, other: WHERE(self != other, grad, 0), r"[[grad]]"),
        "other": Grad(lambda grad, other: ZEROS_LIKE(other), "0"),
    },
    r"\operatorname{next}([[self]] \to [[other]])",
    promote="common",
    inplace=True,
    samples=pairs,
)
FREXP = Op(
    "frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
    _frexp,
    "FrexpBackward0",
    {"self": Grad(lambda grads, exponent: grads[0] / EXP2(exponent), r"[[grad]] \cdot 2^{-e}")},
    r"[[self]] = m \cdot 2^e",
    outputs=("mantissa", "exponent"),
    names=("mantissa", "exponent"),
    nondiff=(1,),
    samples=singles,
)
HEAVISIDE = Op(
    "heaviside(Tensor self, Tensor values) -> Tensor",
    _heaviside,
    NODE,
    {"self": no_derivative("heaviside"), "values": no_derivative("heaviside")},
    latex=r"[\,[[self]] > 0\,]",
    pointwise=True,
    inplace=True,
    unchecked=REASON,
    example="torch.heaviside(torch.tensor([-1.0, 0.0, 2.0]), torch.tensor(0.5))",
)
SIGNBIT = Op(
    "signbit(Tensor self) -> Tensor",
    refusing(
        "c",
        NotImplementedError,
        "signbit is not implemented for complex tensors.",
        lambda self: np.signbit(self) if self.dtype.kind == "f" else self < 0,
    ),
    latex=r"[\,[[self]] < 0\,]",
    example="torch.signbit(torch.tensor([-1.0, 0.0]))",
)
