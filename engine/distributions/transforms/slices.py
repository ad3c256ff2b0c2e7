"""Several transforms side by side, each of its slice of a tensor."""

from collections.abc import Sequence
from typing import Any

from engine.distributions import constraints
from engine.distributions.distribution import lazy_property, sum_last
from engine.distributions.transforms.transform import Transform
from engine.nn.functional import VF


class _OfSlices(Transform):
    """What the two share. Subclasses say how many places there are, how a tensor is sliced and joined again."""

    dim: int
    counted = "len(transforms)"

    def __init__(self, tseq: Sequence[Any], dim: int, cache_size: int) -> None:
        if not all(isinstance(t, Transform) for t in tseq):
            raise AssertionError("All elements of tseq must be Transform instances")
        super().__init__(cache_size)
        self.transforms = [t.with_cache(cache_size) for t in tseq] if cache_size else list(tseq)
        self.dim = dim

    @property
    def bijective(self) -> bool:  # type: ignore[override]
        """Whether all of them are."""
        return all(t.bijective for t in self.transforms)

    def _places(self) -> int:
        return len(self.transforms)

    def _slices(self, value: Any) -> list[Any]:
        raise NotImplementedError

    def _joined(self, slices: list[Any]) -> Any:
        raise NotImplementedError

    def _checked(self, value: Any, letter: str, what: str) -> list[Any]:
        """The slices of a tensor. Raises AssertionError where the transforms do not fit it."""
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for {what} with {value.dim()} dimensions")
        if value.size(self.dim) != self._places():
            size = f"{letter}.size({self.dim}) = {value.size(self.dim)}"
            raise AssertionError(f"{size} must equal {self.counted} {self._places()}")
        return self._slices(value)

    def _call(self, x: Any) -> Any:
        parts = self._checked(x, "x", "tensor")
        return self._joined([t(part) for t, part in zip(self.transforms, parts, strict=True)])

    def _inverse(self, y: Any) -> Any:
        parts = self._checked(y, "y", "tensor")
        return self._joined([t.inv(part) for t, part in zip(self.transforms, parts, strict=True)])

    def _volumes(self, x: Any, y: Any) -> list[Any]:
        """log |dy/dx| of each transform."""
        triples = zip(self.transforms, self._checked(x, "x", "x"), self._checked(y, "y", "y"), strict=True)
        return [t.log_abs_det_jacobian(of_x, of_y) for t, of_x, of_y in triples]


class CatTransform(_OfSlices):
    """Transforms of neighbouring pieces, each `lengths[i]` long in the dimension `dim`."""

    counted = "length"

    def __init__(
        self, tseq: Sequence[Any], dim: int = 0, lengths: Sequence[int] | None = None, cache_size: int = 0
    ) -> None:
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})")

    event_dim = lazy_property(lambda self: max(t.event_dim for t in self.transforms))  # type: ignore[assignment]
    length = lazy_property(lambda self: sum(self.lengths))

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    def _places(self) -> int:
        return self.length

    def _slices(self, value: Any) -> list[Any]:
        starts = [sum(self.lengths[:i]) for i in range(len(self.lengths))]
        return [value.narrow(self.dim, start, n) for start, n in zip(starts, self.lengths, strict=True)]

    def _joined(self, slices: list[Any]) -> Any:
        return VF.cat(slices, dim=self.dim)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """log |dy/dx|, summed over the dimensions that any of them takes together."""
        volumes = [
            sum_last(volume, self.event_dim - t.event_dim)
            for t, volume in zip(self.transforms, self._volumes(x, y), strict=True)
        ]
        dim = (self.dim - x.dim() if self.dim >= 0 else self.dim) + self.event_dim
        return VF.cat(volumes, dim=dim) if dim < 0 else sum(volumes)

    @property
    def domain(self) -> Any:
        """What the pieces must be."""
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @property
    def codomain(self) -> Any:
        """What the pieces become."""
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)


class StackTransform(_OfSlices):
    """Transforms of the places of a dimension, one each."""

    def __init__(self, tseq: Sequence[Any], dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(tseq, dim, cache_size)

    def with_cache(self, cache_size: int = 1) -> Any:
        return self if self._cache_size == cache_size else StackTransform(self.transforms, self.dim, cache_size)

    def _slices(self, value: Any) -> list[Any]:
        return [value.select(self.dim, i) for i in range(value.size(self.dim))]

    def _joined(self, slices: list[Any]) -> Any:
        return VF.stack(slices, dim=self.dim)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """log |dy/dx|, side by side again."""
        return self._joined(self._volumes(x, y))

    @property
    def domain(self) -> Any:
        """What the places must hold."""
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @property
    def codomain(self) -> Any:
        """What the places come to hold."""
        return constraints.stack([t.codomain for t in self.transforms], self.dim)
