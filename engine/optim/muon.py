"""Muon: momentum whose matrix is made orthogonal before it is applied."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dtypes import bfloat16
from engine.optim.per_parameter import PerParameter, check_at_least, zeros_like


class Muon(PerParameter):
    """For weight matrices (Jordan, 2024): https://docs.pytorch.org/docs/stable/generated/torch.optim.Muon.html"""

    _takes_complex = False

    def __init__(
        self, params: Any, lr: float = 1e-3, weight_decay: float = 0.1, momentum: float = 0.95, nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.775, 2.0315), eps: float = 1e-7, ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ):  # fmt: skip
        for name, value in (("Learning rate", lr), ("momentum", momentum), ("weight decay", weight_decay)):
            check_at_least(0, name, value)
        if adjust_lr_fn not in SCALES:
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        defaults = {
            "lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov,
            "ns_coefficients": ns_coefficients, "eps": eps, "ns_steps": ns_steps, "adjust_lr_fn": adjust_lr_fn,
        }  # fmt: skip
        super().__init__(params, defaults)
        for p in self.parameters():
            if p._a.ndim != 2:
                raise ValueError(f"Muon only supports 2D parameters whereas we found a parameter with size: {p.size()}")

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        state = self.state[p]
        if not state:
            state["momentum_buffer"] = zeros_like(p)
        average, kept = state["momentum_buffer"]._array(), group["momentum"]
        average += (1 - kept) * (g - average)
        direction = g + kept * (average - g) if group["nesterov"] else average
        direction = orthogonal(direction, group["ns_coefficients"], group["ns_steps"], group["eps"])
        self._write(p, 1 - group["lr"] * group["weight_decay"], np.multiply)
        self._write(p, -group["lr"] * SCALES[group["adjust_lr_fn"]](*p._a.shape) * direction.astype(p._a.dtype))


def _original(rows: int, columns: int) -> float:
    return math.sqrt(max(1, rows / columns))


SCALES: dict[str | None, Callable[[int, int], float]] = {
    None: _original,
    "original": _original,
    "match_rms_adamw": lambda rows, columns: 0.2 * math.sqrt(max(rows, columns)),
}
"""By what a step of a matrix of some shape is multiplied."""


def orthogonal(matrix: np.ndarray, coefficients: tuple[float, float, float], steps: int, eps: float) -> np.ndarray:
    """A matrix with its singular values brought near one, by steps of a polynomial, in bfloat16.

    Raises ValueError for too many steps or another number of coefficients.
    """
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    x = _rounded(matrix.T if matrix.shape[0] > matrix.shape[1] else matrix)
    x = _rounded(x / np.maximum(_rounded(np.linalg.norm(x)), _rounded(np.float32(eps))))
    for _ in range(steps):
        square = _rounded(x @ x.T)
        x = _rounded(a * x + _rounded(b * square + c * (square @ square)) @ x)
    return x.T if matrix.shape[0] > matrix.shape[1] else x


def _rounded(x: Any) -> np.ndarray:
    """Numbers as bfloat16 holds them, in float32."""
    return np.asarray(x, np.float32).astype(bfloat16.numpy).astype(np.float32)


__all__ = ["Muon"]
