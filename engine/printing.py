"""PyTorch's text for a tensor, character for character, from its numpy data.

One format serves all elements of a tensor: integers stay integers, floating-point numbers that are all whole print as
``1.``, the rest with a fixed number of digits or in scientific notation, and every element is padded to the widest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from engine import dtypes


@dataclass(frozen=True)
class PrintOptions:
    """How tensors are printed.

    Attributes:
        precision: digits after the decimal point.
        threshold: a tensor with more elements than this is summarised.
        edgeitems: elements kept at each end of a summarised dimension.
        linewidth: characters per line.
        sci_mode: scientific notation always (True), never (False), or when the values call for it (None).
    """

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=math.inf),
}


class _Current:
    """The options in force."""

    __slots__ = ("options",)

    def __init__(self) -> None:
        self.options = PrintOptions()


_current = _Current()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change how tensors print: first to a profile (``default``, ``short`` or ``full``), then option by option.

    What is not given stays as it is, except ``sci_mode``, which goes back to None as in PyTorch.
    """
    base = _current.options
    if profile in _PROFILES:
        base = _PROFILES[profile]
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    changes = {name: value for name, value in given.items() if value is not None}
    _current.options = replace(base, **changes, sci_mode=sci_mode)  # type: ignore[arg-type]


def get_printoptions() -> dict[str, Any]:
    """The options in force, as keyword arguments for :func:`set_printoptions`."""
    return asdict(_current.options)


@contextmanager
def printoptions(**options: Any) -> Iterator[None]:
    """Change options, as :func:`set_printoptions`, for the duration of a ``with`` block."""
    before = _current.options
    set_printoptions(**options)
    try:
        yield
    finally:
        _current.options = before


def tensor_text(
    array: np.ndarray,
    dtype: dtypes.dtype | None = None,
    *,
    requires_grad: bool = False,
    grad_fn_name: str | None = None,
    prefix: str = "tensor(",
    device: str | None = None,
    tangent: str | None = None,
) -> str:
    """What ``repr`` of a tensor with these elements says.

    ``grad_fn_name`` is the class name of its grad_fn, which takes the place of ``requires_grad=True``. ``prefix`` is
    ``tensor(`` or a subclass's name and parenthesis. ``device`` is named only when given, and so is the ``tangent``
    of a dual tensor. A Parameter's text is :func:`parameter_text`.
    """
    dtype = dtype or dtypes.from_numpy(array.dtype)
    body = "[]" if array.size == 0 else _body(array, len(prefix))
    suffixes = [f"device='{device}'"] if device else []
    suffixes += _size_and_dtype(array, dtype)
    if grad_fn_name is not None:
        suffixes.append(f"grad_fn=<{grad_fn_name}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    if tangent is not None:
        suffixes.append(f"tangent={tangent}")
    return _with_suffixes(prefix + body, suffixes, indent=len(prefix))


def parameter_text(array: np.ndarray, dtype: dtypes.dtype | None = None, *, requires_grad: bool = True) -> str:
    """What ``repr`` of an ``nn.Parameter`` with these elements says."""
    return "Parameter containing:\n" + tensor_text(array, dtype, requires_grad=requires_grad)


def scalar_format(array: np.ndarray, spec: str) -> str:
    """``format(tensor, spec)`` of a tensor without dimensions: that of its only element as a Python number."""
    return format(array.item(), spec)


def _size_and_dtype(array: np.ndarray, dtype: dtypes.dtype) -> list[str]:
    """The suffixes a reader needs to know the size and type of a tensor that does not show them."""
    default = dtypes.get_default_dtype()
    if array.size == 0:
        size_unclear, dtype_clear = array.ndim != 1, dtype is default
    else:
        default_complex = dtypes.complex128 if default is dtypes.float64 else dtypes.complex64
        size_unclear = not _current.options.edgeitems
        dtype_clear = dtype in (default, default_complex, dtypes.int64, dtypes.bool_)
    suffixes = [f"size={array.shape}"] if size_unclear else []
    return suffixes if dtype_clear else [*suffixes, f"dtype={dtype}"]


def _with_suffixes(text: str, suffixes: Sequence[str], indent: int) -> str:
    """Append ``, suffix`` for each, on a new line when the last one is full, and close the parenthesis."""
    last_line = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if last_line + len(suffix) + 2 > _current.options.linewidth:
            text += ",\n" + " " * indent + suffix
            last_line = indent + len(suffix)
        else:
            text += ", " + suffix
            last_line += len(suffix) + 2
    return text + ")"


class _NumberFormat:
    """The format shared by the real numbers ``values`` of one tensor, a one-dimensional array."""

    __slots__ = ("is_float", "scientific", "spec", "whole", "width")

    def __init__(self, values: np.ndarray) -> None:
        options = _current.options
        self.is_float = values.dtype.kind not in "biu"
        self.whole, self.scientific, self.spec, self.width = True, False, "", 1
        if not self.is_float:
            self.width = _widest_integer(values)
            return
        # Neither zeros nor infinities have a say in the format. Few numbers at a time are printed: Python's own are
        # quicker than arrays, and in float64 the halves cannot overflow.
        numbers = [v for v in values.astype(np.float64).tolist() if v and v - v == 0]
        if not numbers:
            self.spec = ".0f"
            return
        sides = [side for side in ([v for v in numbers if v > 0], [v for v in numbers if v < 0]) if side]
        # The longest text belongs to the greatest number of its sign, or in scientific notation to any with the
        # longest exponent, which one of the extremes of a sign has.
        extremes = {extreme(side) for side in sides for extreme in (min, max)}
        sizes = [abs(v) for v in extremes]
        smallest, largest = min(sizes), max(sizes)
        self.whole = all(v.is_integer() for v in numbers)
        self.scientific = options.sci_mode
        if self.scientific is None:
            self.scientific = largest / smallest > 1000.0 or largest > 1.0e8 or smallest < 1.0e-4
        if self.scientific:
            self.spec = f".{options.precision}e"
        else:
            self.spec = ".0f" if self.whole else f".{options.precision}f"
        self.width = max(len(format(value, self.spec)) for value in extremes) + self._adds_point

    @property
    def _adds_point(self) -> bool:
        return self.is_float and self.whole and not self.scientific

    def texts(self, values: Sequence[float]) -> list[str]:
        """The values, each padded on the left to the common width."""
        if not self.is_float or self._adds_point:
            return [self.text(value) for value in values]
        spec, width = self.spec, self.width
        return [format(value, spec).rjust(width) for value in values]

    def text(self, value: float) -> str:
        """``value`` padded on the left to the common width."""
        if not self.is_float:
            return str(value).rjust(self.width)
        text = format(value, self.spec)
        if self._adds_point and math.isfinite(value):
            text += "."
        return text.rjust(self.width)


def _widest_integer(values: np.ndarray) -> int:
    if not values.size:
        return 1
    if values.dtype.kind == "b":
        return 4 if values.all() else 5
    return max(len(str(values.min())), len(str(values.max())))


class _ElementFormat:
    """The format of a tensor's elements: one number, or two for a complex tensor."""

    __slots__ = ("imaginary", "real", "width")

    def __init__(self, values: Any) -> None:
        values = values.reshape(-1)
        if values.dtype.kind == "c":
            self.real, self.imaginary = _NumberFormat(values.real), _NumberFormat(values.imag)
            self.width = self.real.width + self.imaginary.width + 1  # and the j
        else:
            self.real, self.imaginary = _NumberFormat(values), None
            self.width = self.real.width

    def texts(self, values: Sequence[complex]) -> list[str]:
        if self.imaginary is None:
            return self.real.texts(values)  # type: ignore[arg-type]
        return [self.text(value) for value in values]

    def text(self, value: complex) -> str:
        if self.imaginary is None:
            return self.real.text(value)  # type: ignore[arg-type]
        imaginary = (self.imaginary.text(value.imag) + "j").lstrip()
        sign = "" if imaginary[0] in "+-" else "+"
        return self.real.text(value.real) + sign + imaginary


def _single_number(value: float) -> str:
    """A floating-point number that is a whole tensor: as `_NumberFormat` writes it, without looking for a format."""
    options = _current.options
    size = abs(value)
    if not 0 < size < math.inf:
        return f"{value:.0f}" + ("." if value == 0 else "")
    if options.sci_mode or (options.sci_mode is None and (size > 1.0e8 or size < 1.0e-4)):
        return format(value, f".{options.precision}e")
    return f"{value:.0f}." if value == math.ceil(value) else format(value, f".{options.precision}f")


def _body(array: np.ndarray, indent: int) -> str:
    if array.ndim == 0 and array.dtype.kind == "f":
        return _single_number(array.item())
    summarise = array.size > _current.options.threshold
    element = _ElementFormat(_shown(array) if summarise else array)
    return _nested(array, indent, summarise, element)


def _shown(array: np.ndarray) -> np.ndarray:
    """The elements that a summary shows."""
    edge = _current.options.edgeitems
    for axis, length in enumerate(array.shape):
        if length > 2 * edge:
            array = np.take(array, [*range(edge), *range(length - edge, length)], axis=axis)
    return array


def _nested(array: np.ndarray, indent: int, summarise: bool, element: _ElementFormat) -> str:
    if array.ndim == 0:
        return element.text(array.item())
    if array.ndim == 1:
        return _row(array, indent, summarise, element)
    edge = _current.options.edgeitems
    if summarise and len(array) > 2 * edge:
        parts = [_nested(part, indent + 1, True, element) for part in array[:edge]]
        parts.append("...")
        parts += [_nested(part, indent + 1, True, element) for part in array[len(array) - edge :]]
    else:
        parts = [_nested(part, indent + 1, summarise, element) for part in array]
    return "[" + ("," + "\n" * (array.ndim - 1) + " " * (indent + 1)).join(parts) + "]"


def _row(array: np.ndarray, indent: int, summarise: bool, element: _ElementFormat) -> str:
    options = _current.options
    edge = options.edgeitems
    if summarise and not edge:
        texts = ["..."]
    elif summarise and len(array) > 2 * edge:
        texts = [*element.texts(array[:edge].tolist()), " ...", *element.texts(array[-edge:].tolist())]
    else:
        texts = element.texts(array.tolist())
    per_line = max(1, (options.linewidth - indent) // (element.width + 2))  # the comma and the space
    lines = [", ".join(texts[start : start + per_line]) for start in range(0, len(texts), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
