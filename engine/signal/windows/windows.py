"""`torch.signal.windows`: windows that are symmetric, or with `sym=False` the start of one longer by a point.

Reference: https://docs.pytorch.org/docs/stable/signal.html
"""

import math
from collections.abc import Iterable
from typing import Any

from engine.composites.factories import LINSPACE, arange, empty, ones
from engine.composites.parsed import parsed
from engine.creation import tensor
from engine.dtypes import dtype as Dtype
from engine.dtypes import float32, float64, get_default_dtype
from engine.layout import STRIDED
from engine.tensor import Tensor

_linspace, _empty, _ones, _arange = parsed(*LINSPACE), parsed(empty), parsed(ones), parsed(arange)
_NUTTALL = (0.3635819, 0.4891775, 0.1365995, 0.0106411)


class _Options:
    """What every window takes, checked: ValueError for a negative length, another layout, another dtype."""

    def __init__(self, name: str, M: int, dtype: Dtype | None, layout: Any, device: Any, requires_grad: bool):
        dtype = get_default_dtype() if dtype is None else dtype
        if M < 0:
            raise ValueError(f"{name} requires non-negative window length, got M={M}")
        if layout is not STRIDED:
            raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
        if dtype not in (float32, float64):
            raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
        self.length = M
        self.given: dict[str, Any] = {
            "dtype": dtype,
            "layout": layout,
            "device": device,
            "requires_grad": requires_grad,
        }

    def points(self, start: Any, end: Any) -> Any:
        """As many points as the window has."""
        return _linspace(start, end, self.length, **self.given)

    def short(self, most: int = 1) -> Any:
        """The window of no points or of one, None for a longer one."""
        if self.length > most:
            return None
        return _empty((0,), **self.given) if self.length == 0 else _ones((1,), **self.given)


def _span(M: int, sym: bool) -> int:
    """Steps between the first point and the last of the whole wave."""
    return M if not sym and M > 1 else M - 1


def exponential(
    M: int, *, center: float | None = None, tau: float = 1.0, sym: bool = True, dtype: Any = None,
    layout: Any = STRIDED, device: Any = None, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """exp(-|n - center| / tau). Raises ValueError for tau <= 0 and for a center of a symmetric window."""
    options = _Options("exponential", M, dtype, layout, device, requires_grad)
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    if M == 0:
        return options.short(0)
    if center is None:
        center = _span(M, sym) / 2.0
    scale = 1 / tau
    return (-options.points(-center * scale, (-center + (M - 1)) * scale).abs()).exp()


def cosine(
    M: int, *, sym: bool = True, dtype: Any = None, layout: Any = STRIDED, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """sin(pi (n + 0.5) / M)."""
    options = _Options("cosine", M, dtype, layout, device, requires_grad)
    if M == 0:
        return options.short(0)
    scale = math.pi / (_span(M, sym) + 1)
    return options.points(0.5 * scale, (0.5 + (M - 1)) * scale).sin()


def gaussian(
    M: int, *, std: float = 1.0, sym: bool = True, dtype: Any = None, layout: Any = STRIDED, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """exp(-(n / std)^2 / 2), n counted from the middle. Raises ValueError for std <= 0."""
    options = _Options("gaussian", M, dtype, layout, device, requires_grad)
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    if M == 0:
        return options.short(0)
    start, scale = -_span(M, sym) / 2.0, 1 / (std * math.sqrt(2))
    return (-(options.points(start * scale, (start + (M - 1)) * scale) ** 2)).exp()


def kaiser(
    M: int, *, beta: float = 12.0, sym: bool = True, dtype: Any = None, layout: Any = STRIDED, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """I0(sqrt(beta^2 - k^2)) / I0(beta), k from -beta to beta. Raises ValueError for beta < 0."""
    options = _Options("kaiser", M, dtype, layout, device, requires_grad)
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    if M <= 1:
        return options.short()
    edge: Any = tensor(beta, dtype=options.given["dtype"])
    step = 2.0 * edge / (M if not sym else M - 1)
    k = options.points(-edge, edge.minimum(-edge + (M - 1) * step))
    return (edge * edge - k.pow(2)).sqrt().i0() / edge.i0()


def general_cosine(
    M: int, *, a: Iterable[float], sym: bool = True, dtype: Any = None, layout: Any = STRIDED, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """The sum of (-1)^i a[i] cos(2 pi i n / (M - 1)). Raises TypeError or ValueError without coefficients."""
    options = _Options("general_cosine", M, dtype, layout, device, requires_grad)
    if M <= 1:
        return options.short()
    if not isinstance(a, Iterable):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    k = options.points(0, (M - 1) * (2 * math.pi / (M if not sym else M - 1)))
    own = {"dtype": options.given["dtype"], "requires_grad": requires_grad}
    weights = tensor([(-1) ** i * w for i, w in enumerate(a)], **own)
    turns = _arange(weights.shape[0], **own)
    return (weights.unsqueeze(-1) * (turns.unsqueeze(-1) * k).cos()).sum(0)


def general_hamming(
    M: int, *, alpha: float = 0.54, sym: bool = True, dtype: Any = None, layout: Any = STRIDED, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """alpha - (1 - alpha) cos(2 pi n / (M - 1))."""
    return general_cosine(
        M, a=[alpha, 1.0 - alpha], sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad
    )


def hamming(
    M: int, *, sym: bool = True, dtype: Any = None, layout: Any = STRIDED, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """0.54 - 0.46 cos(2 pi n / (M - 1))."""
    return general_hamming(M, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


def hann(
    M: int, *, sym: bool = True, dtype: Any = None, layout: Any = STRIDED, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """0.5 - 0.5 cos(2 pi n / (M - 1))."""
    return general_hamming(
        M, alpha=0.5, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad
    )


def blackman(
    M: int, *, sym: bool = True, dtype: Any = None, layout: Any = STRIDED, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Blackman's window of three cosines."""
    options = _Options("blackman", M, dtype, layout, device, requires_grad)
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, **options.given)


def nuttall(
    M: int, *, sym: bool = True, dtype: Any = None, layout: Any = STRIDED, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Nuttall's window of four cosines."""
    return general_cosine(
        M, a=list(_NUTTALL), sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad
    )


def bartlett(
    M: int, *, sym: bool = True, dtype: Any = None, layout: Any = STRIDED, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """A triangle: 1 - |2 n / (M - 1) - 1|."""
    options = _Options("bartlett", M, dtype, layout, device, requires_grad)
    if M <= 1:
        return options.short()
    step = 2 / (M if not sym else M - 1)
    return 1 - options.points(-1, -1 + (M - 1) * step).abs()


__all__ = [
    "bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming",
    "hann", "kaiser", "nuttall",
]  # fmt: skip
