"""The von Mises distribution."""

import math
from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.distribution import Distribution, broadcast_all
from engine.dtypes import bool_, float64
from engine.modes import no_grad
from engine.nn.functional import VF
from engine.ops.special import I0E, I1E
from engine.size import Size


class VonMises(Distribution):
    """Angles around `loc`, the closer to it the larger the concentration."""

    arg_constraints: ClassVar[dict[str, Any]] = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real  # type: ignore[assignment]
    has_rsample = False

    def __init__(self, loc: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, Size(), validate_args)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density."""
        self._validate_sample(value)
        k = self.concentration
        return k * VF.cos(value - self.loc) - math.log(2 * math.pi) - (I0E(k).log() + k)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws by rejection, from a wrapped Cauchy distribution (Best and Fisher, 1979), in double precision."""
        shape = self._extended_shape(sample_shape)
        with no_grad():
            loc, k = self.loc.to(float64), self.concentration.to(float64)
            tau = 1 + (1 + 4 * k**2).sqrt()
            rho = (tau - (2 * tau).sqrt()) / (2 * k)
            width = VF.where(k < 1e-5, 1 / k + k, (1 + rho**2) / (2 * rho))
            angle, done = VF.empty(shape, dtype=float64), VF.zeros(shape, dtype=bool_)
            while not bool(done.all()):
                first, second, third = VF.rand((3, *shape), dtype=float64).unbind()
                z = VF.cos(math.pi * first)
                f = (1 + width * z) / (width + z)
                c = k * (width - f)
                accept = (c * (2 - c) - second > 0) | ((c / second).log() + 1 - c >= 0)
                if bool(accept.any()):
                    angle = VF.where(accept, (third - 0.5).sign() * f.acos(), angle)
                    done = done | accept
            return ((angle + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch shape."""
        return type(self)(self.loc.expand(batch_shape), self.concentration.expand(batch_shape), validate_args=False)

    @property
    def mean(self) -> Any:
        """The mean direction."""
        return self.loc

    @property
    def mode(self) -> Any:
        """The likeliest value."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The circular variance: 0 when all angles are the same, 1 when all are equally likely."""
        return 1 - I1E(self.concentration) / I0E(self.concentration)


__all__ = ["VonMises"]
