"""Complex numbers: making them, taking them apart."""

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.fill import ZEROS_LIKE
from engine.ops.kinds import wide_only
from engine.ops.masking import MASKED_FILL
from engine.ops.powers import RECIPROCAL, RSQRT
from engine.ops.samples import singles


def _check_parts(first, second):
    for x in (first, second):
        if x.dtype.kind not in "fV":
            names = " and ".join(from_numpy(y.dtype).torch_name for y in (first, second))
            raise RuntimeError(f"Expected both inputs to be Half, Float or Double tensors but got {names}")


def _check_same(first, second):
    if first.dtype != second.dtype:
        names = [from_numpy(x.dtype).torch_name for x in (first, second)]
        raise RuntimeError(
            f"Expected object of scalar type {names[0]} but got scalar type {names[1]} for second argument"
        )


def _complex(real, imag):
    _check_parts(real, imag)
    _check_same(real, imag)
    wide = np.complex128 if real.dtype == np.float64 else np.complex64
    return (real + 1j * imag).astype(wide)


def _polar(abs, angle):
    _check_parts(abs, angle)
    _check_same(abs, angle)
    wide = np.complex128 if abs.dtype == np.float64 else np.complex64
    return (abs * np.exp(1j * angle)).astype(wide)


def _is_complex(x):
    """Whether an array or a Tensor is complex."""
    return getattr(x.dtype, "is_complex", False) or getattr(x.dtype, "kind", "") == "c"


def _angle_backward(grad, self):
    if not _is_complex(self):
        return ZEROS_LIKE(grad)
    re, im = REAL(self), IMAG(self)
    square = re * re + im * im
    inverse = MASKED_FILL(RECIPROCAL(square), square == 0, 0)
    return COMPLEX(grad * -im * inverse, grad * re * inverse)


def _direction(z):
    """A complex number of the same angle and size 1; 0 for 0."""
    square = REAL(z) * REAL(z) + IMAG(z) * IMAG(z)
    return z * MASKED_FILL(RSQRT(square), square == 0, 0)


ANGLE = Op(
    "angle(Tensor self) -> Tensor",
    lambda self: np.angle(self).astype(self.real.dtype),
    "AngleBackward0",
    {"self": Grad(_angle_backward, r"[[grad]] \cdot i [[self]] / |[[self]]|^2")},
    r"\arg [[self]]",
    promote="float",
    samples=singles,
)
CONJ = Op(
    "_conj(Tensor self) -> Tensor",
    np.conj,
    "ConjBackward0",
    {"self": Grad(lambda grad: CONJ(grad), r"\overline{[[grad]]}")},
    r"\overline{[[self]]}",
    where=(),
    samples=singles,
)
CONJ_PHYSICAL = Op(
    "_conj_physical(Tensor self) -> Tensor",
    np.conjugate,
    "ConjPhysicalBackward0",
    {"self": Grad(lambda grad: CONJ_PHYSICAL(grad), r"\overline{[[grad]]}")},
    r"\overline{[[self]]}",
    where=(),
    samples=singles,
)
CONJ_PHYSICAL_ = Op(
    "conj_physical_(Tensor self) -> Tensor",
    np.conjugate,
    "ConjPhysicalBackward1",
    {"self": Grad(lambda grad: CONJ_PHYSICAL(grad), r"\overline{[[grad]]}")},
    r"\overline{[[self]]}",
    unchecked="changes its input; _conj_physical is checked",
    example="torch.conj_physical_(torch.tensor([1 + 2j]))",
)
_OF_COMPLEX = "takes complex numbers; the check is of real ones"
REAL = Op(
    "_real(Tensor self) -> Tensor",
    lambda self: np.real(self).copy(),
    "RealBackward0",
    {"self": Grad(lambda grad: COMPLEX(grad, ZEROS_LIKE(grad)), r"[[grad]]")},
    r"\Re [[self]]",
    where=(),
    unchecked=_OF_COMPLEX,
)
IMAG = Op(
    "_imag(Tensor self) -> Tensor",
    lambda self: np.imag(self).copy(),
    "ImagBackward0",
    {"self": Grad(lambda grad: COMPLEX(ZEROS_LIKE(grad), grad), r"i [[grad]]")},
    r"\Im [[self]]",
    where=(),
    unchecked=_OF_COMPLEX,
)
COMPLEX = Op(
    "complex(Tensor real, Tensor imag) -> Tensor",
    _complex,
    "ComplexBackward0",
    {
        "real": Grad(lambda grad, real: REAL(grad), r"\Re [[grad]]"),
        "imag": Grad(lambda grad, imag: IMAG(grad), r"\Im [[grad]]"),
    },
    r"[[real]] + i [[imag]]",
    pointwise=True,
    where=("function",),
    unchecked="its result is complex; the check is of real numbers",
    example="torch.complex(torch.tensor([1.0, 2.0]), torch.tensor([0.5, -1.0]))",
)
POLAR = Op(
    "polar(Tensor abs, Tensor angle) -> Tensor",
    wide_only("polar_cpu", _polar),
    "PolarBackward0",
    {
        "abs": Grad(
            lambda grad, result: REAL(CONJ(grad) * _direction(result)),
            r"\Re(\overline{[[grad]]} \cdot e^{i [[angle]]})",
        ),
        "angle": Grad(lambda grad, result: REAL(CONJ(grad) * result * 1j), r"\Re(i \overline{[[grad]]} [[result]])"),
    },
    r"[[abs]] e^{i [[angle]]}",
    where=("function",),
    unchecked="its result is complex; the check is of real numbers",
    example="torch.polar(torch.tensor([1.0, 2.0]), torch.tensor([0.0, 1.5]))",
)
