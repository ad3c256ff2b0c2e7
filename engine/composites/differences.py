"""`torch.gradient`: slopes of sampled functions, from the differences of neighbours."""

from typing import Any

from engine.composite import composite
from engine.ops.arithmetic import DIV_SCALAR, MUL_SCALAR
from engine.ops.checks import wrap_dims
from engine.ops.join import CAT
from engine.ops.slicing import SLICE


def _checked(self: Any, count: int | None, dim: Any, edge_order: int) -> tuple[int, ...]:
    """The dimensions to follow. Raises RuntimeError for what does not fit together, as PyTorch words it."""
    asked = None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    if count is not None:
        if asked is None and count != self.ndim:
            raise RuntimeError(
                "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() "
                f"= {self.ndim}', since dim argument was not given, but got a list of length {count}"
            )
        if asked is not None and count != len(asked):
            raise RuntimeError(
                "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have "
                f"the same length, but got a spacing argument of length {count} and a dim argument of length "
                f"{len(asked)}."
            )
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    dims = wrap_dims(range(self.ndim) if asked is None else asked, self.ndim)
    if any(self.shape[d] < edge_order + 1 for d in dims):
        raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    return dims


def _parts(self: Any, d: int) -> Any:
    """What slices of a dimension are, by their ends."""
    return lambda start, end: SLICE(self, d, start, end, 1)


def _even(self: Any, d: int, step: Any, edge_order: int) -> Any:
    """The slope along a dimension whose samples are `step` apart."""
    part = _parts(self, d)
    inner = DIV_SCALAR(DIV_SCALAR(part(2, None) - part(0, -2), step), 2)
    if edge_order == 1:
        first, last = part(1, 2) - part(0, 1), part(-1, None) - part(-2, -1)
    else:
        first = MUL_SCALAR(part(0, 1), -1.5) + MUL_SCALAR(part(1, 2), 2) - MUL_SCALAR(part(2, 3), 0.5)
        last = MUL_SCALAR(part(-3, -2), 0.5) - MUL_SCALAR(part(-2, -1), 2) + MUL_SCALAR(part(-1, None), 1.5)
    return CAT([DIV_SCALAR(first, step), inner, DIV_SCALAR(last, step)], d)


def _uneven(self: Any, d: int, places: Any, edge_order: int) -> Any:
    """The slope along a dimension whose samples stand at `places`."""
    if places.ndim != 1:
        raise RuntimeError(
            "torch.gradient expected each element of spacing to have one dimension, but got an element with "
            f"{places.ndim} dimensions!"
        )
    part, steps = _parts(self, d), SLICE(places, 0, 1, None, 1) - SLICE(places, 0, 0, -1, 1)
    line = [1] * self.ndim
    line[d] = -1
    left, right = SLICE(steps, 0, 0, -1, 1), SLICE(steps, 0, 1, None, 1)
    both = left + right
    weights = [-right / (left * both), (right - left) / (left * right), left / (right * both)]
    before, here, after = (w.reshape(line) for w in weights)
    inner = before * part(0, -2) + here * part(1, -1) + after * part(2, None)
    if edge_order == 1:
        first, last = (part(1, 2) - part(0, 1)) / steps[0], (part(-1, None) - part(-2, -1)) / steps[-1]
    else:
        a, b = steps[0], steps[1]
        first = -(2 * a + b) / (a * (a + b)) * part(0, 1) + (a + b) / (a * b) * part(1, 2)
        first = first + -a / (b * (a + b)) * part(2, 3)
        a, b = steps[-2], steps[-1]
        last = b / (a * (a + b)) * part(-3, -2) + -(a + b) / (a * b) * part(-2, -1)
        last = last + (2 * b + a) / (b * (a + b)) * part(-1, None)
    return CAT([first, inner, last], d)


def _by_number(self: Any, spacing: Any = None, dim: Any = None, edge_order: int = 1) -> Any:
    """The slopes along dimensions, for samples that are `spacing` apart in each."""
    dims = _checked(self, None, dim, edge_order)
    return tuple(_even(self, d, 1.0 if spacing is None else spacing, edge_order) for d in dims)


def _by_numbers(self: Any, spacing: Any, dim: Any = None, edge_order: int = 1) -> Any:
    """The slopes along dimensions, for samples that are so far apart in each."""
    dims = _checked(self, len(spacing), dim, edge_order)
    return tuple(_even(self, d, step, edge_order) for d, step in zip(dims, spacing, strict=True))


def _by_places(self: Any, spacing: Any, dim: Any = None, edge_order: int = 1) -> Any:
    """The slopes along dimensions, for samples that stand at these places in each."""
    dims = _checked(self, len(spacing), dim, edge_order)
    return tuple(_uneven(self, d, places, edge_order) for d, places in zip(dims, spacing, strict=True))


_ONLY = ("function",)
_END = "int edge_order=1) -> Tensor[]"
GRADIENT = (
    composite(f"gradient.tensorarray(Tensor self, *, int[] dim, {_END}", where=_ONLY)(
        lambda self, dim, edge_order=1: _by_number(self, None, dim, edge_order)
    ),
    composite(f"gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, {_END}", where=_ONLY)(_by_number),
    composite(f"gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, {_END}", where=_ONLY)(
        _by_number
    ),
    composite(f"gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, {_END}", where=_ONLY)(
        _by_numbers
    ),
    composite(f"gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, {_END}", where=_ONLY)(_by_numbers),
    composite(f"gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, {_END}", where=_ONLY)(
        _by_places
    ),
    composite(f"gradient.tensorarrayarray(Tensor self, *, Tensor[] spacing, int[] dim, {_END}", where=_ONLY)(
        _by_places
    ),
)
