"""Adafactor: Adam's second moment of a matrix, kept as one number per row and one per column."""

from typing import Any

import numpy as np

from engine.optim.per_parameter import PerParameter, check_at_least, scalar_state
from engine.tensor import Tensor, TensorBase


class Adafactor(PerParameter):
    """Sublinear memory (Shazeer and Stern, 2018): https://docs.pytorch.org/docs/stable/generated/torch.optim.Adafactor.html"""

    _takes_complex = False

    def __init__(
        self, params: Any, lr: Any = 1e-2, beta2_decay: float = -0.8, eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0, weight_decay: float = 0.0, *, foreach: bool | None = None, maximize: bool = False,
    ):  # fmt: skip
        if isinstance(lr, TensorBase) and lr._a.size != 1:
            raise ValueError("Tensor lr must be 1-element")
        check_at_least(0, "Learning rate", lr)
        if not beta2_decay <= 0:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None:
            check_at_least(0, "epsilon1", eps[0])
        check_at_least(0, "epsilon2", eps[1])
        check_at_least(1, "Clipping threshold d", d)
        check_at_least(0, "weight_decay", weight_decay)
        defaults = {
            "lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        state = self.state[p]
        if not state:
            state["step"] = scalar_state(0.0)
            if g.ndim > 1:
                state["row_var"] = _zeros(g, (*g.shape[:-1], 1))
                state["col_var"] = _zeros(g, (*g.shape[:-2], 1, g.shape[-1]))
            else:
                state["variance"] = _zeros(g, g.shape)
        count = state["step"]._array()
        count += 1
        n, d = float(count), group["d"]
        small, least_scale = group["eps"]
        small = np.finfo(g.dtype).eps if small is None else small
        forgotten = n ** group["beta2_decay"]
        size = max(least_scale, _root_mean_square(p._a)) * min(group["lr"], 1 / n**0.5)
        if group["weight_decay"]:
            self._write(p, 1 - group["lr"] * group["weight_decay"], np.multiply)
        if g.ndim > 1:
            rows, columns = state["row_var"]._array(), state["col_var"]._array()
            rows += forgotten * ((g * g).mean(-1, keepdims=True) - rows)
            columns += forgotten * ((g * g).mean(-2, keepdims=True) - columns)
            variance = rows @ columns / np.maximum(rows.mean(-2, keepdims=True), small)
        else:
            variance = state["variance"]._array()
            variance += forgotten * (g * g - variance)
        change = g / np.sqrt(np.maximum(variance, small * small))
        self._write(p, change * (-size / max(1.0, _root_mean_square(change) / d)))


def _zeros(g: np.ndarray, shape: tuple[int, ...]) -> Tensor:
    return Tensor._wrap(np.zeros(shape, g.dtype))


def _root_mean_square(a: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(a))))


__all__ = ["Adafactor"]
