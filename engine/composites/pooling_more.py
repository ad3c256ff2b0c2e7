"""Pooling built on pooling: power means, normalisation across channels, and pooling undone."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.composite import python_function
from engine.composites.padding import pad
from engine.composites.parsed import parsed
from engine.composites.pooling import avg_pool1d
from engine.ops.avg_pool import AVG_POOL2D, AVG_POOL3D
from engine.ops.max_pool import MAX_UNPOOL2D, MAX_UNPOOL3D
from engine.ops.views import SQUEEZE_DIM, UNSQUEEZE, VIEW

Ints = Sequence[int]


def _each(value: Any, dims: int) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, Iterable) else (value,) * dims


def _power_mean(means: Any, count: int, norm_type: float) -> Any:
    """(count * mean)^(1 / norm_type), with the sign kept."""
    return (means.sign() * means.abs().relu()).mul(count).pow(1.0 / norm_type)


def _windows(dims: int, input: Any, norm_type: float, kernel_size: Any, stride: Any, ceil_mode: bool) -> Any:
    """The means of powers, by the parser that PyTorch's own Python code calls them through."""
    powers = input.pow(norm_type)
    if stride is None:
        return _AVERAGES[dims](powers, kernel_size, padding=0, ceil_mode=ceil_mode)
    return _AVERAGES[dims](powers, kernel_size, stride, 0, ceil_mode)


_AVERAGES = {1: parsed(avg_pool1d), 2: parsed(AVG_POOL2D), 3: parsed(AVG_POOL3D)}


@python_function("nn")
def lp_pool1d(input: Any, norm_type: float, kernel_size: int, stride: Any = None, ceil_mode: bool = False) -> Any:
    """The p-norm of each window."""
    return _power_mean(_windows(1, input, norm_type, kernel_size, stride, ceil_mode), kernel_size, norm_type)


@python_function("nn")
def lp_pool2d(input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    """The p-norm of each window."""
    width, height = _each(kernel_size, 2)
    return _power_mean(_windows(2, input, norm_type, kernel_size, stride, ceil_mode), width * height, norm_type)


@python_function("nn")
def lp_pool3d(input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    """The p-norm of each window."""
    depth, width, height = _each(kernel_size, 3)
    means = _windows(3, input, norm_type, kernel_size, stride, ceil_mode)
    return _power_mean(means, depth * width * height, norm_type)


@python_function("nn")
def local_response_norm(input: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Any:
    """Each element divided by a power of the energy of the channels around it."""
    dims = input.dim()
    if dims < 3:
        raise ValueError(f"Expected 3D or higher dimensionality                          input (got {dims} dimensions)")
    if input.numel() == 0:
        return input
    energy = input.mul(input)
    before, after = size // 2, (size - 1) // 2
    if dims == 3:
        wide = pad(UNSQUEEZE(energy, 1), (0, 0, before, after))
        energy = SQUEEZE_DIM(AVG_POOL2D(wide, (size, 1), (1, 1), (0, 0), False, True, None), 1)
    else:
        shape = tuple(input.shape)
        wide = VIEW(energy, (shape[0], 1, shape[1], shape[2], -1))
        wide = pad(wide, (0, 0, 0, 0, before, after))
        mean = AVG_POOL3D(wide, (size, 1, 1), (1, 1, 1), (0, 0, 0), False, True, None)
        energy = VIEW(SQUEEZE_DIM(mean, 1), shape)
    return input / energy.mul(alpha).add(k).pow(beta)


def _unpooled_size(input: Any, kernel_size: Ints, stride: Ints, padding: Ints, output_size: Any) -> tuple[int, ...]:
    """The size before pooling; `output_size` may choose among those that pool to the same. Raises ValueError."""
    dims, whole = len(kernel_size), input.size()
    natural = [(whole[-dims + d] - 1) * stride[d] + kernel_size[d] - 2 * padding[d] for d in range(dims)]
    if output_size is None:
        for d, n in enumerate(natural):
            if n < 0:
                raise ValueError(
                    "max_unpooling: output_size must contain non-negative spatial dimensions, but got "
                    f"output_size[{d}]={n}"
                )
        return tuple(natural)
    wanted = output_size
    if len(wanted) == dims + 2:
        wanted = wanted[2:]
    if len(wanted) != dims:
        raise ValueError(
            f"output_size should be a sequence containing {dims} or {dims + 2} elements, but it has a length of "
            f"'{len(wanted)}'"
        )
    for d, n in enumerate(wanted):
        low, high = natural[d] - stride[d], natural[d] + stride[d]
        if not low < n < high:
            raise ValueError(f'invalid output_size "{wanted}" (dim {d} must be between {low} and {high})')
    return tuple(wanted)


def _unpool(dims: int, input: Any, indices: Any, kernel_size: Any, stride: Any, padding: Any, output_size: Any) -> Any:
    kernel = _each(kernel_size, dims)
    step = kernel if stride is None else _each(stride, dims)
    border = _each(padding, dims)
    size = _unpooled_size(input, kernel, step, border, output_size)
    if dims == 1:
        return parsed(MAX_UNPOOL2D)(input.unsqueeze(-1), indices.unsqueeze(-1), (*size, 1)).squeeze(-1)
    if dims == 2:
        return parsed(MAX_UNPOOL2D)(input, indices, size)
    return parsed(MAX_UNPOOL3D)(input, indices, size, step, border)


@python_function("nn")
def max_unpool1d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """Maxima put back where they came from, zeros elsewhere."""
    return _unpool(1, input, indices, kernel_size, stride, padding, output_size)


@python_function("nn")
def max_unpool2d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """Maxima put back where they came from, zeros elsewhere."""
    return _unpool(2, input, indices, kernel_size, stride, padding, output_size)


@python_function("nn")
def max_unpool3d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """Maxima put back where they came from, zeros elsewhere."""
    return _unpool(3, input, indices, kernel_size, stride, padding, output_size)
