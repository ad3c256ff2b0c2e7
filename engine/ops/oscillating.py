"""Bessel functions and Hermite polynomials, for which PyTorch defines no derivative."""

from typing import Any

import numpy as np

from engine.op import Op
from engine.ops.kinds import wide_only

_FAR = 500.0
"""From here on Bessel functions are computed by their expansion for large arguments."""


def _bessel(order: int, x: Any) -> Any:
    """J of order 0 or 1: the mean of cos(order * t - x sin t) over a period, which converges fast."""
    near = np.where(np.abs(x) < _FAR, x, 0).astype(np.float64)
    count = 48 + int(np.max(np.abs(near), initial=0))
    total = np.zeros_like(near)
    for t in np.arange(count) * (2 * np.pi / count):
        total += np.cos(order * t - near * np.sin(t))
    total = np.where(near == 0, float(count if not order else 0), total)  # exactly
    far = np.maximum(np.abs(x.astype(np.float64)), _FAR)
    phase, mu = far - (2 * order + 1) * np.pi / 4, 4 * order * order
    even, odd = 1 - (mu - 1) * (mu - 9) / (2 * (8 * far) ** 2), (mu - 1) / (8 * far)
    large = np.sqrt(2 / (np.pi * far)) * (even * np.cos(phase) - odd * np.sin(phase))
    large = np.where((x < 0) & bool(order), -large, large)
    return np.where(np.abs(x) < _FAR, total / count, np.where(np.isnan(x), x, large)).astype(x.dtype)


def _hermite(x: Any, n: Any) -> Any:
    """H_n(x) by H_k+1 = 2x H_k - 2k H_k-1; zero for a negative degree."""
    kind = np.result_type(x, n) if hasattr(x, "dtype") or hasattr(n, "dtype") else np.float64
    x, n = np.broadcast_arrays(np.asarray(x, kind), np.trunc(np.asarray(n, np.float64)))
    before, here = np.zeros_like(x), np.ones_like(x)
    out = np.where(n == 0, here, 0).astype(kind)
    for k in range(int(min(np.max(n, initial=0), 10_000))):
        before, here = here, 2 * x * here - 2 * k * before
        out = np.where(n == k + 1, here, out)
    return out


BESSEL_J0, BESSEL_J1 = (
    Op(
        f"special_bessel_j{order}(Tensor self) -> Tensor",
        wide_only(f"bessel_j{order}_cpu", lambda self, order=order: _bessel(order, self), "f"),
        latex=rf"J_{order}([[self]])",
        promote="float",
        where=("special",),
        example=f"torch.special.bessel_j{order}(torch.tensor([0.0, 1.0, 5.0]))",
    )
    for order in (0, 1)
)
HERMITE, HERMITE_OF_SCALAR, HERMITE_BY_SCALAR = (
    Op(
        f"special_hermite_polynomial_h{overload}({x} x, {n} n) -> Tensor",
        wide_only("hermite_polynomial_h_cpu", _hermite, "f"),
        latex=r"H_{[[n]]}([[x]])",
        promote="float",
        where=("special",),
        example="torch.special.hermite_polynomial_h(torch.tensor([0.5, 1.0]), 3)",
    )
    for overload, x, n in (
        ("", "Tensor", "Tensor"),
        (".x_scalar", "Scalar", "Tensor"),
        (".n_scalar", "Tensor", "Scalar"),
    )
)
