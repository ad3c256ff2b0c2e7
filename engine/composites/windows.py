"""Windows of signal processing: cosine sums, a triangle, Kaiser's."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import dtypes
from engine.composite import Composite, composite
from engine.composites.factories import NO_OUT, finish
from engine.ops.kinds import check_dtype
from engine.tensor import Tensor

_HAMMING = (0.54, 0.46)
_KAISER_BETA = 12.0


def _cosines(n: np.ndarray, count: int, *factors: float) -> np.ndarray:
    """The sum of factors times cosines of 0, 1, … whole turns over `count` steps, signs alternating."""
    angle = n * n.dtype.type(2 * math.pi / count)
    out = n * 0
    for k in range(len(factors) - 1, 0, -1):  # from the fastest wave on, as PyTorch rounds it
        out = out + n.dtype.type(-factors[k] if k % 2 else factors[k]) * np.cos(angle * n.dtype.type(k))
    return out + n.dtype.type(factors[0])


def _triangle(n: np.ndarray, count: int) -> np.ndarray:
    rising = n * n.dtype.type(2 / count)
    return np.where(n <= count // 2, rising, 2 - rising)


def _kaiser(n: np.ndarray, count: int, beta: float) -> np.ndarray:
    ratio = (n - count / 2) / (count / 2)
    return (np.i0(beta * np.sqrt(np.maximum(1 - ratio * ratio, 0))) / np.i0(beta)).astype(n.dtype)


def _window(name: str, shape: Callable[..., np.ndarray], length: int, periodic: bool, options: Any) -> Tensor:
    """A window of `length` points; a periodic one is the start of one that is longer by a point.

    Raises RuntimeError for a negative length and a dtype that is not of floating point.
    """
    dtype, _, device, _, requires_grad = options
    dtype = dtype or dtypes.get_default_dtype()
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(
            f"{name} expects floating point dtypes, got: TensorOptions(dtype={dtype.cpp_name}, device=cpu, "
            "layout=Strided (default), requires_grad=false (default), pinned_memory=false, memory_format=(nullopt))"
        )
    if length < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={length}")
    if length <= 1:
        return finish(np.ones(length, dtype.numpy), name, device, requires_grad)
    check_dtype("arange_cpu", dtype.numpy, "fV")
    count = length + periodic - 1
    n = np.arange(length, dtype=dtype.numpy)
    return finish(shape(n, count).astype(dtype.numpy), name, device, requires_grad)


def _overloads(name: str, kind: Callable[..., np.ndarray], parameters: dict[str, float]) -> tuple[Composite, ...]:
    """The overloads of a window: its length alone, with `periodic`, and with its parameters one more at a time."""
    made = []
    given = ("int window_length", "bool periodic", *(f"float {p}" for p in parameters))
    for count in range(1, len(given) + 1):
        overload = "_".join(p.split()[1] for p in given[1:count])

        def function(*values: Any, count: int = count) -> Tensor:
            periodic = values[1] if count > 1 else True
            numbers = (*values[2:count], *tuple(parameters.values())[max(count - 2, 0) :])
            shape = lambda n, steps: kind(n, steps, *numbers)  # noqa: E731
            return _window(name, shape, values[0], periodic, values[count:])

        function.__doc__ = f"A {name.removesuffix('_window')} window."
        signature = f"{name}{'.' + overload if overload else ''}({', '.join(given[:count])}, {NO_OUT}) -> Tensor"
        made.append(composite(signature, where=("function",))(function))
    return tuple(made)


HANN = _overloads("hann_window", lambda n, count: _cosines(n, count, 0.5, 0.5), {})
HAMMING = _overloads(
    "hamming_window",
    lambda n, count, a, b: _cosines(n, count, a, b),
    dict(zip(("alpha", "beta"), _HAMMING, strict=True)),
)
BLACKMAN = _overloads("blackman_window", lambda n, count: _cosines(n, count, 0.42, 0.5, 0.08), {})
BARTLETT = _overloads("bartlett_window", _triangle, {})
KAISER = _overloads("kaiser_window", _kaiser, {"beta": _KAISER_BETA})
