"""`torch.nn.init`: first values of parameters, drawn from the CPU generator as PyTorch draws them."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import random
from engine.modes import no_grad
from engine.ops.kinds import check_kind
from engine.tensor import TensorBase
from engine.warning import warn, warn_caller

_EMPTY = "Initializing zero-element tensors is a no-op"


_GAIN_OF_ONE = (
    "linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid",
)  # fmt: skip


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """The recommended gain for a nonlinearity. Raises ValueError for an unknown one."""
    if nonlinearity in _GAIN_OF_ONE:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        if param is None:
            slope = 0.01
        elif isinstance(param, int | float) and not isinstance(param, bool):
            slope = param
        else:
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Any:
    """Uniform numbers in [a, b)."""
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    """Normal numbers."""
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(
    tensor: Any, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Any:
    """Normal numbers confined to [a, b]: what falls outside is drawn again."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect."
        )
    check_kind("normal_kernel_cpu", tensor._a, "fVcu")

    def confined(shape: tuple[int, ...]) -> np.ndarray:
        return _confined(shape, tensor._a.dtype, mean, std, a, b, generator)

    return _write(tensor, random.drawn_as_it_lies(tensor._a, confined))


def _confined(
    shape: tuple[int, ...], kind: np.dtype, mean: float, std: float, a: float, b: float, generator: Any
) -> np.ndarray:
    def below(x: float) -> float:
        return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0

    if below((b - mean) / std) - below((a - mean) / std) > 0.3:
        values = random.normal(generator, shape, kind, mean, std)
        low, high = kind.type(a), kind.type(b)
        while np.any(outside := (values < low) | (values > high)):
            values = np.where(outside, random.normal(generator, shape, kind, mean, std), values)
        return values
    # Few would fall inside: uniform candidates are accepted with the density's height over its peak.
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    values, pending = np.zeros(shape, kind), np.ones(shape, bool)
    while np.any(pending):
        candidates = random.uniform(generator, shape, kind, a, b)
        values = np.where(pending, candidates, values)
        heights = kind.type(-0.5) * ((candidates - kind.type(mean)) / kind.type(std)) ** 2 - kind.type(peak)
        pending &= np.log(random.uniform(generator, shape, kind)) > heights
    return values


def constant_(tensor: Any, val: float) -> Any:
    """One value everywhere."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Any) -> Any:
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Any) -> Any:
    """Zeros."""
    with no_grad():
        return tensor.zero_()


def _write(tensor: Any, values: np.ndarray) -> Any:
    with no_grad():
        return tensor.copy_(TensorBase._wrap(values.astype(tensor._a.dtype, copy=False)))


def eye_(tensor: Any) -> Any:
    """The identity matrix. Raises ValueError unless the tensor has 2 dimensions."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return _write(tensor, np.eye(*tensor.shape))


def dirac_(tensor: Any, groups: int = 1) -> Any:
    """Kernels of a convolution that passes its channels through."""
    dimensions = tensor.ndimension()
    if dimensions not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    sizes = tensor.shape
    if sizes[0] % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    per_group = sizes[0] // groups
    values = np.zeros(sizes)
    centre = tuple(n // 2 for n in sizes[2:])
    for g in range(groups):
        for d in range(min(per_group, sizes[1])):
            values[(g * per_group + d, d, *centre)] = 1
    return _write(tensor, values)


def _calculate_fan_in_and_fan_out(tensor: Any) -> tuple[int, int]:
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def _calculate_correct_fan(tensor: Any, mode: str) -> int:
    mode = mode.lower()
    modes = ["fan_in", "fan_out"]
    if mode not in modes:
        raise ValueError(f"Mode {mode} not supported, please use one of {modes}")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def xavier_uniform_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Glorot's uniform values."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Glorot's normal values."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def kaiming_uniform_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Any:
    """He's uniform values."""
    if 0 in tensor.shape:
        warn_caller(_EMPTY)
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    bound = math.sqrt(3.0) * (calculate_gain(nonlinearity, a) / math.sqrt(fan))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Any:
    """He's normal values."""
    if 0 in tensor.shape:
        warn_caller(_EMPTY)
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    return normal_(tensor, 0.0, calculate_gain(nonlinearity, a) / math.sqrt(fan), generator)


def orthogonal_(tensor: Any, gain: float = 1, generator: Any = None) -> Any:
    """A (semi-)orthogonal matrix. Raises ValueError for fewer than 2 dimensions."""
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows, cols = tensor.size(0), tensor.numel() // tensor.size(0)
    flat = tensor.new_empty((rows, cols)).normal_(0, 1, generator=generator)._a
    q, r = np.linalg.qr(flat.T if rows < cols else flat)
    q = q * np.sign(np.diag(r))
    _write(tensor, (q.T if rows < cols else q).reshape(tensor.shape))
    with no_grad():
        return tensor.mul_(gain)


def sparse_(tensor: Any, sparsity: float, std: float = 0.01, generator: Any = None) -> Any:
    """Normal numbers of which a fraction of each column is zero. Raises ValueError unless 2-dimensional."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, cols = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        a = tensor._array()
        for c in range(cols):
            a[random.randperm(None, rows)[:zeros], c] = 0
    return tensor


def _old(new: Callable[..., Any]) -> Callable[..., Any]:
    name = new.__name__[:-1]

    def call(*args: Any, **kwargs: Any) -> Any:
        warn(f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.", FutureWarning)
        return new(*args, **kwargs)

    call.__name__ = name
    call.__doc__ = f"The old name of `{name}_`."
    return call


uniform, normal, constant, eye, dirac = map(_old, (uniform_, normal_, constant_, eye_, dirac_))
xavier_uniform, xavier_normal = _old(xavier_uniform_), _old(xavier_normal_)
kaiming_uniform, kaiming_normal, orthogonal = _old(kaiming_uniform_), _old(kaiming_normal_), _old(orthogonal_)
sparse = _old(sparse_)

__all__ = [
    "_calculate_correct_fan", "_calculate_fan_in_and_fan_out", "calculate_gain", "constant", "constant_", "dirac",
    "dirac_", "eye", "eye_", "kaiming_normal", "kaiming_normal_", "kaiming_uniform", "kaiming_uniform_", "normal",
    "normal_", "ones_", "orthogonal", "orthogonal_", "sparse", "sparse_", "trunc_normal_", "uniform", "uniform_",
    "xavier_normal", "xavier_normal_", "xavier_uniform", "xavier_uniform_", "zeros_",
]  # fmt: skip
