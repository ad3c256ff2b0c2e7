"""The larger and the smaller of two values, and clamping between bounds."""

import numpy as np

from engine.op import Grad, Op
from engine.ops.arithmetic import DIV_SCALAR
from engine.ops.comparison import ISNAN
from engine.ops.kinds import no_complex, refusing
from engine.ops.logical import LOGICAL_NOT, LOGICAL_OR
from engine.ops.masking import MASKED_FILL, WHERE
from engine.ops.samples import pairs, singles


def _share_below(grad, self, other):
    """The gradient where self < other, half of it where they are equal."""
    return MASKED_FILL(WHERE(self == other, DIV_SCALAR(grad, 2), grad), self > other, 0)


def _share_above(grad, self, other):
    """The gradient where self > other, half of it where they are equal."""
    return MASKED_FILL(WHERE(self == other, DIV_SCALAR(grad, 2), grad), self < other, 0)


def _fmax_first(self, other):
    """Where fmax takes its first operand: it is at least the second, or the second is not a number."""
    return LOGICAL_OR(self >= other, ISNAN(other))


def _fmin_first(self, other):
    """Where fmin takes its first operand: it is at most the second, or the second is not a number."""
    return LOGICAL_OR(self <= other, ISNAN(other))


def _clamp(self, min=None, max=None):
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    out = self if min is None else np.maximum(self, min)
    return out if max is None else np.minimum(out, max)


def _clamp_backward(grad, self, min, max):
    if min is None:
        return WHERE(self <= max, grad, 0)
    return WHERE(self >= min if max is None else (self >= min) & (self <= max), grad, 0)


def _clamp_bounds_backward(grad, self, min, max, mask):
    below = above = None
    if min is not None and mask[0]:
        below = WHERE(self < min if max is None else (self < min) & (min < max), grad, 0)
    if max is not None and mask[1]:
        above = WHERE(self > max if min is None else (self > max) | (max < min), grad, 0)
    return below, above


_WHERE_ABOVE = r"[[grad]] \cdot [\,[[self]] > [[other]]\,]"
_WHERE_BELOW = r"[[grad]] \cdot [\,[[self]] < [[other]]\,]"

MAXIMUM = Op(
    "maximum(Tensor self, Tensor other) -> Tensor",
    refusing("c", RuntimeError, "maximum not implemented for complex tensors.", np.maximum),
    "MaximumBackward0",
    {"self": Grad(_share_above, _WHERE_ABOVE), "other": Grad(_share_below, _WHERE_BELOW)},
    r"\max([[self]], [[other]])",
    promote="common",
    samples=pairs,
)
MINIMUM = Op(
    "minimum(Tensor self, Tensor other) -> Tensor",
    refusing("c", RuntimeError, "minimum not implemented for complex tensors.", np.minimum),
    "MinimumBackward0",
    {"self": Grad(_share_below, _WHERE_BELOW), "other": Grad(_share_above, _WHERE_ABOVE)},
    r"\min([[self]], [[other]])",
    promote="common",
    samples=pairs,
)
FMAX = Op(
    "fmax(Tensor self, Tensor other) -> Tensor",
    refusing("c", RuntimeError, "fmax not implemented for complex tensors.", np.fmax),
    "FmaxBackward0",
    {
        "self": Grad(
            lambda grad, self, other: MASKED_FILL(grad, LOGICAL_NOT(_fmax_first(self, other)), 0), _WHERE_ABOVE
        ),
        "other": Grad(lambda grad, self, other: MASKED_FILL(grad, _fmax_first(self, other), 0), _WHERE_BELOW),
    },
    r"\max([[self]], [[other]])",
    promote="common",
    samples=pairs,
)
FMIN = Op(
    "fmin(Tensor self, Tensor other) -> Tensor",
    refusing("c", RuntimeError, "fmin not implemented for complex tensors.", np.fmin),
    "FminBackward0",
    {
        "self": Grad(
            lambda grad, self, other: MASKED_FILL(grad, LOGICAL_NOT(_fmin_first(self, other)), 0), _WHERE_BELOW
        ),
        "other": Grad(lambda grad, self, other: MASKED_FILL(grad, _fmin_first(self, other), 0), _WHERE_ABOVE),
    },
    r"\min([[self]], [[other]])",
    promote="common",
    samples=pairs,
)

_INSIDE = Grad(_clamp_backward, r"[[grad]] \cdot [\,[[min]] \le [[self]] \le [[max]]\,]")
_KEPT_ABOVE = Grad(lambda grad, self, min: WHERE(self >= min, grad, 0), r"[[grad]] \cdot [\,[[self]] \ge [[min]]\,]")
_KEPT_BELOW = Grad(lambda grad, self, max: WHERE(self <= max, grad, 0), r"[[grad]] \cdot [\,[[self]] \le [[max]]\,]")

CLAMP_TENSOR = Op(
    "clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
    no_complex("clamp", _clamp),
    "ClampBackward0",
    {
        "self": _INSIDE,
        "min, max": Grad(
            _clamp_bounds_backward,
            {"min": r"[[grad]] \cdot [\,[[self]] < [[min]]\,]", "max": r"[[grad]] \cdot [\,[[self]] > [[max]]\,]"},
        ),
    },
    r"\min(\max([[self]], [[min]]), [[max]])",
    promote="common",
    inplace=True,
    samples=lambda rng: [{"self": s["self"], "min": s["other"], "max": s["other"] + 0.5} for s in pairs(rng)],
)
CLAMP = Op(
    "clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
    no_complex("clamp", _clamp),
    "ClampBackward1",
    {"self": _INSIDE},
    r"\min(\max([[self]], [[min]]), [[max]])",
    promote="common",
    inplace=True,
    samples=lambda rng: [
        {**s, "min": low, "max": high} for s in singles(rng) for low, high in ((-0.5, 0.5), (0, None), (None, 0.3))
    ],
)
CLAMP_MIN = Op(
    "clamp_min(Tensor self, Scalar min) -> Tensor",
    no_complex("clamp", np.maximum),
    "ClampMinBackward0",
    {"self": _KEPT_ABOVE},
    r"\max([[self]], [[min]])",
    promote="common",
    inplace=True,
    samples=lambda rng: [{**s, "min": 0.2} for s in singles(rng)],
)
CLAMP_MIN_TENSOR = Op(
    "clamp_min.Tensor(Tensor self, Tensor min) -> Tensor",
    no_complex("clamp", np.maximum),
    "ClampMinBackward1",
    {
        "self": _KEPT_ABOVE,
        "min": Grad(lambda grad, self, min: WHERE(self < min, grad, 0), r"[[grad]] \cdot [\,[[self]] < [[min]]\,]"),
    },
    r"\max([[self]], [[min]])",
    promote="common",
    inplace=True,
    samples=lambda rng: [{"self": s["self"], "min": s["other"]} for s in pairs(rng)],
)
CLAMP_MAX = Op(
    "clamp_max(Tensor self, Scalar max) -> Tensor",
    no_complex("clamp", np.minimum),
    "ClampMaxBackward0",
    {"self": _KEPT_BELOW},
    r"\min([[self]], [[max]])",
    promote="common",
    inplace=True,
    samples=lambda rng: [{**s, "max": 0.2} for s in singles(rng)],
)
CLAMP_MAX_TENSOR = Op(
    "clamp_max.Tensor(Tensor self, Tensor max) -> Tensor",
    no_complex("clamp", np.minimum),
    "ClampMaxBackward1",
    {
        "self": _KEPT_BELOW,
        "max": Grad(lambda grad, self, max: WHERE(self > max, grad, 0), r"[[grad]] \cdot [\,[[self]] > [[max]]\,]"),
    },
    r"\min([[self]], [[max]])",
    promote="common",
    inplace=True,
    samples=lambda rng: [{"self": s["self"], "max": s["other"]} for s in pairs(rng)],
)
