"""Convolutions by number of dimensions, and F.unfold / F.fold."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.composite import composite, python_function
from engine.composites.parsed import parsed
from engine.ops.conv import CONVOLUTION
from engine.ops.fold import COL2IM, IM2COL
from engine.ops.pad import CONSTANT_PAD
from engine.ops.views import SQUEEZE_DIM, UNSQUEEZE
from engine.warning import warn_once

Ints = Sequence[int]
_BOTH = ("function", "nn")


def _values(given: Ints, name: str, dims: int) -> tuple[int, ...]:
    """One value per dimension."""
    if len(given) == 1:
        return tuple(given) * dims
    if len(given) != dims:
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {dims} values to match the convolution "
            f"dimensions, but got {name}={list(given)}"
        )
    return tuple(given)


def _batched(input: Any, dims: int, name: str) -> tuple[Any, bool]:
    """The input with a batch dimension, and whether it had one."""
    if input.ndim == dims + 2:
        return input, True
    if input.ndim == dims + 1:
        return UNSQUEEZE(input, 0), False
    raise RuntimeError(
        f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {name}, but got input of size: "
        f"{list(input.shape)}"
    )


def convolve(
    input: Any,
    weight: Any,
    bias: Any,
    dims: int,
    name: str,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
    output_padding: Ints | None = None,
) -> Any:
    """One convolution; transposed when there is an output padding."""
    transposed = output_padding is not None
    x, batched = _batched(input, dims, name)
    if weight.ndim < 3:
        raise RuntimeError("weight should have at least three dimensions")
    dims = weight.ndim - 2
    values = [_values(v, n, dims) for v, n in ((stride, "stride"), (padding, "padding"), (dilation, "dilation"))]
    extra = _values(output_padding, "output_padding", dims) if output_padding is not None else (0,) * dims
    if transposed:
        _check_output_padding(extra, values[0], values[2])
    out = CONVOLUTION(x, weight, bias, *values, transposed, extra, groups)
    return out if batched else SQUEEZE_DIM(out, 0)


def _check_output_padding(extra: Ints, stride: Ints, dilation: Ints) -> None:
    if all(o < s or o < d for o, s, d in zip(extra, stride, dilation, strict=True)):
        return
    if len(extra) == 1:
        extra, stride, dilation = (0, *extra), (1, *stride), (1, *dilation)
    names = ("height", "width") if len(extra) == 2 else ("depth", "height", "width")
    rows = (("output_padding", extra), ("stride", stride), ("dilation", dilation))
    shown = " ".join(f"{what}_{n}: {v}" for what, vs in rows for n, v in zip(names, vs, strict=True))
    raise RuntimeError(f"output padding must be smaller than either stride or dilation, but got {shown}")


def _named_padding(
    input: Any, weight: Any, bias: Any, dims: int, name: str, stride: Ints, padding: str, dilation: Ints, groups: int
) -> Any:
    """ "same" and "valid"."""
    if padding == "valid":
        x, batched = _batched(input, dims, name)
        out = CONVOLUTION(x, weight, bias, stride, (0,), dilation, False, (0,), groups)
        return out if batched else SQUEEZE_DIM(out, 0)
    if padding != "same":
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    if any(s != 1 for s in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    steps = _values(dilation, "dilation", dims)
    total = [d * (k - 1) for d, k in zip(steps, weight.shape[2:], strict=True)]
    left = [t // 2 for t in total]
    right = [t - p for t, p in zip(total, left, strict=True)]
    if left == right:
        return convolve(input, weight, bias, dims, name, stride, left, steps, groups)
    warn_once(
        "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the input be "
        "created"
    )
    more = [max(r - p, 0) for r, p in zip(right, left, strict=True)]
    x, batched = _batched(input, dims, name)
    x = CONSTANT_PAD(x, tuple(v for m in reversed(more) for v in (0, m)), 0)
    out = convolve(x, weight, bias, dims, name, stride, left, steps, groups)
    return out if batched else SQUEEZE_DIM(out, 0)


def _signature(dims: int, padding: str) -> str:
    n = f"SymInt[{dims}]"
    overload, kind = ("", f"{n} padding=0") if padding == "numbers" else (".padding", 'str padding="valid"')
    return (
        f"conv{dims}d{overload}(Tensor input, Tensor weight, Tensor? bias=None, {n} stride=1, {kind}, "
        f"{n} dilation=1, SymInt groups=1) -> Tensor"
    )


def _transposed(dims: int) -> str:
    n = f"SymInt[{dims}]"
    overload = "" if dims == 1 else ".input"
    return (
        f"conv_transpose{dims}d{overload}(Tensor input, Tensor weight, Tensor? bias=None, {n} stride=1, {n} padding=0, "
        f"{n} output_padding=0, SymInt groups=1, {n} dilation=1) -> Tensor"
    )


@composite(_signature(1, "numbers"), where=_BOTH)
def conv1d(input: Any, weight: Any, bias: Any, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> Any:
    """Convolution over one dimension."""
    return convolve(input, weight, bias, 1, "conv1d", stride, padding, dilation, groups)


@composite(_signature(1, "words"), where=_BOTH)
def conv1d_same(input: Any, weight: Any, bias: Any, stride: Ints, padding: str, dilation: Ints, groups: int) -> Any:
    """Convolution over one dimension with a named padding."""
    return _named_padding(input, weight, bias, 1, "conv1d", stride, padding, dilation, groups)


@composite(_signature(2, "numbers"), where=_BOTH)
def conv2d(input: Any, weight: Any, bias: Any, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> Any:
    """Convolution over two dimensions."""
    return convolve(input, weight, bias, 2, "conv2d", stride, padding, dilation, groups)


@composite(_signature(2, "words"), where=_BOTH)
def conv2d_same(input: Any, weight: Any, bias: Any, stride: Ints, padding: str, dilation: Ints, groups: int) -> Any:
    """Convolution over two dimensions with a named padding."""
    return _named_padding(input, weight, bias, 2, "conv2d", stride, padding, dilation, groups)


@composite(_signature(3, "numbers"), where=_BOTH)
def conv3d(input: Any, weight: Any, bias: Any, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> Any:
    """Convolution over three dimensions."""
    return convolve(input, weight, bias, 3, "conv3d", stride, padding, dilation, groups)


@composite(_signature(3, "words"), where=_BOTH)
def conv3d_same(input: Any, weight: Any, bias: Any, stride: Ints, padding: str, dilation: Ints, groups: int) -> Any:
    """Convolution over three dimensions with a named padding."""
    return _named_padding(input, weight, bias, 3, "conv3d", stride, padding, dilation, groups)


@composite(_transposed(1), where=_BOTH)
def conv_transpose1d(
    input: Any, weight: Any, bias: Any, stride: Ints, padding: Ints, output_padding: Ints, groups: int, dilation: Ints
) -> Any:
    """The adjoint of conv1d."""
    return convolve(input, weight, bias, 1, "conv_transpose1d", stride, padding, dilation, groups, output_padding)


@composite(_transposed(2), where=_BOTH)
def conv_transpose2d(
    input: Any, weight: Any, bias: Any, stride: Ints, padding: Ints, output_padding: Ints, groups: int, dilation: Ints
) -> Any:
    """The adjoint of conv2d."""
    return convolve(input, weight, bias, 2, "conv_transpose2d", stride, padding, dilation, groups, output_padding)


@composite(_transposed(3), where=_BOTH)
def conv_transpose3d(
    input: Any, weight: Any, bias: Any, stride: Ints, padding: Ints, output_padding: Ints, groups: int, dilation: Ints
) -> Any:
    """The adjoint of conv3d."""
    return convolve(input, weight, bias, 3, "conv_transpose3d", stride, padding, dilation, groups, output_padding)


_im2col, _col2im = parsed(IM2COL), parsed(COL2IM)


@python_function("nn")
def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """Blocks of an image as columns."""
    return _im2col(input, *(_pair(v) for v in (kernel_size, dilation, padding, stride)))


@python_function("nn")
def fold(input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """Columns summed back into an image."""
    return _col2im(input, *(_pair(v) for v in (output_size, kernel_size, dilation, padding, stride)))


def _pair(value: Any) -> Any:
    return tuple(value) if isinstance(value, Iterable) else (value, value)
