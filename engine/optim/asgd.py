"""Averaged stochastic gradient descent: https://docs.pytorch.org/docs/stable/generated/torch.optim.ASGD.html"""

from typing import Any

import numpy as np

from engine.optim.per_parameter import PerParameter, check_at_least_zero, scalar_state, zeros_like


class ASGD(PerParameter):
    """Plain steps, with the average of the parameters kept in the state."""

    def __init__(
        self, params: Any, lr: Any = 1e-2, lambd: float = 1e-4, alpha: float = 0.75, t0: float = 1e6,
        weight_decay: float = 0, foreach: bool | None = None, maximize: bool = False, differentiable: bool = False,
        capturable: bool = False,
    ):  # fmt: skip
        check_at_least_zero(learning_rate=lr, weight_decay_value=weight_decay)
        defaults = {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        state = self.state[p]
        if not state:
            state["step"] = scalar_state(0.0)
            state["eta"] = scalar_state(group["lr"])
            state["mu"] = scalar_state(1.0)
            state["ax"] = zeros_like(p)
        count, average = state["step"]._array(), state["ax"]._array()
        count += 1
        n, lr, lambd = float(count), group["lr"], group["lambd"]
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p._a
        eta, mu = float(state["eta"]._a), float(state["mu"]._a)
        self._write(p, 1 - lambd * eta, np.multiply)
        self._write(p, -eta * g)
        if mu != 1:
            average += (p._a - average) * mu
        else:
            average[...] = p._a
        state["eta"]._array()[...] = lr / (1 + lambd * lr * n) ** group["alpha"]
        state["mu"]._array()[...] = 1 / max(1, n - group["t0"])
