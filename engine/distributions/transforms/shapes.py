"""The transform that changes nothing but the shape."""

from typing import Any

from engine.distributions import constraints
from engine.distributions.transforms.transform import Transform
from engine.size import Size


class ReshapeTransform(Transform):
    """The last dimensions `in_shape` as `out_shape`, which has equally many elements."""

    bijective = True

    def __init__(self, in_shape: Any, out_shape: Any, cache_size: int = 0) -> None:
        self.in_shape, self.out_shape = Size(in_shape), Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size)

    @property
    def domain(self) -> Any:
        """Any numbers of the one shape."""
        return constraints.independent(constraints.real, len(self.in_shape))

    @property
    def codomain(self) -> Any:
        """Any numbers of the other."""
        return constraints.independent(constraints.real, len(self.out_shape))

    def with_cache(self, cache_size: int = 1) -> Any:
        return self if self._cache_size == cache_size else ReshapeTransform(self.in_shape, self.out_shape, cache_size)

    def _call(self, x: Any) -> Any:
        return x.reshape((*x.shape[: x.dim() - len(self.in_shape)], *self.out_shape))

    def _inverse(self, y: Any) -> Any:
        return y.reshape((*y.shape[: y.dim() - len(self.out_shape)], *self.in_shape))

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Zeros: no volume changes."""
        return x.new_zeros(x.shape[: x.dim() - len(self.in_shape)])

    def forward_shape(self, shape: Any) -> Any:
        """The shape of y for a shape of x. Raises ValueError where x does not end as it should."""
        return _exchanged(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape: Any) -> Any:
        """The shape of x for a shape of y, with the same errors."""
        return _exchanged(shape, self.out_shape, self.in_shape)


def _exchanged(shape: Any, end: Size, other: Size) -> Any:
    if len(shape) < len(end):
        raise ValueError("Too few dimensions on input")
    cut = len(shape) - len(end)
    if shape[cut:] != end:
        raise ValueError(f"Shape mismatch: expected {shape[cut:]} but got {end}")
    return shape[:cut] + other
