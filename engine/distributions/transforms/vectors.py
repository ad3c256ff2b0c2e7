"""Transforms of vectors."""

from typing import Any

from engine.distributions import constraints
from engine.distributions.transforms.numbers import clipped_sigmoid
from engine.distributions.transforms.transform import Transform
from engine.dtypes import finfo
from engine.nn import functional as F
from engine.nn.functional import VF
from engine.size import Size


class _OfVectors(Transform):
    """A transform of the last dimension; `longer` by which y has more places than x."""

    domain, codomain = constraints.real_vector, constraints.simplex
    longer = 0

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    __hash__ = Transform.__hash__

    def forward_shape(self, shape: Any) -> Any:
        return self._resized(shape, self.longer)

    def inverse_shape(self, shape: Any) -> Any:
        return self._resized(shape, -self.longer)

    @staticmethod
    def _resized(shape: Any, more: int) -> Any:
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        return Size((*shape[:-1], shape[-1] + more))


class SoftmaxTransform(_OfVectors):
    """y = exp(x), divided by its sum; the inverse is the logarithm."""

    def _call(self, x: Any) -> Any:
        probs = (x - x.max(-1, True)[0]).exp()
        return probs / probs.sum(-1, True)

    def _inverse(self, y: Any) -> Any:
        return y.log()


class StickBreakingTransform(_OfVectors):
    """Each place takes a share of what the places before it have left; what remains is one place more."""

    bijective = True
    longer = 1

    @staticmethod
    def _offset(like: Any, places: int) -> Any:
        return places + 1 - like.new_ones(places).cumsum(-1)

    def _call(self, x: Any) -> Any:
        z = clipped_sigmoid(x - self._offset(x, x.shape[-1]).log())
        left = (1 - z).cumprod(-1)
        return F.pad(z, [0, 1], value=1) * F.pad(left, [1, 0], value=1)

    def _inverse(self, y: Any) -> Any:
        taken = y[..., :-1]
        left = VF.clamp(1 - taken.cumsum(-1), min=finfo(y.dtype).tiny)
        return taken.log() - left.log() + self._offset(y, taken.shape[-1]).log()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        x = x - self._offset(x, x.shape[-1]).log()
        return (-x + F.logsigmoid(x) + y[..., :-1].log()).sum(-1)
