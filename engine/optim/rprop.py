"""Resilient backpropagation: https://docs.pytorch.org/docs/stable/generated/torch.optim.Rprop.html"""

from typing import Any

import numpy as np

from engine.optim.per_parameter import PerParameter, check_at_least_zero, scalar_state, zeros_like
from engine.tensor import Tensor


class Rprop(PerParameter):
    """Steps by the sign of the gradient alone; each element's step grows while its sign stays."""

    def __init__(
        self, params: Any, lr: Any = 1e-2, etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50), *, capturable: bool = False, foreach: bool | None = None,
        maximize: bool = False, differentiable: bool = False,
    ):  # fmt: skip
        check_at_least_zero(learning_rate=lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        state = self.state[p]
        if not state:
            state["step"] = scalar_state(0.0)
            state["prev"] = zeros_like(p)
            state["step_size"] = Tensor._wrap(np.full_like(g, group["lr"]))
        before, size, count = state["prev"]._array(), state["step_size"]._array(), state["step"]._array()
        count += 1
        slower, faster = group["etas"]
        agreement = g * before
        size *= np.where(agreement > 0, faster, np.where(agreement < 0, slower, 1)).astype(size.dtype)
        np.clip(size, *group["step_sizes"], out=size)
        g = np.where(agreement < 0, 0, g)  # having overshot, an element waits for one step
        self._write(p, -np.sign(g) * size)
        before[...] = g
