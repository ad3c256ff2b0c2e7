"""Stochastic gradient descent: https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html"""

from typing import Any

import numpy as np

from engine.optim.per_parameter import PerParameter, check_not_negative
from engine.tensor import Tensor


class SGD(PerParameter):
    """Steps against the gradient, with momentum when asked."""

    def __init__(
        self, params: Any, lr: Any = 1e-3, momentum: float = 0, dampening: float = 0, weight_decay: float = 0,
        nesterov: bool = False, *, maximize: bool = False, foreach: bool | None = None, differentiable: bool = False,
        fused: bool | None = None,
    ):  # fmt: skip
        check_not_negative(learning_rate=lr, momentum_value=momentum, weight_decay_value=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov,
            "maximize": maximize, "foreach": foreach, "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p._a
        momentum = group["momentum"]
        if momentum:
            state = self.state[p]
            kept = state.get("momentum_buffer")
            if kept is None:
                state["momentum_buffer"] = Tensor._wrap(np.array(g))
                buffer = g
            else:
                buffer = kept._array()
                buffer *= momentum
                buffer += (1 - group["dampening"]) * g if group["dampening"] else g
            g = g + momentum * buffer if group["nesterov"] else buffer
        self._write(p, np.multiply(g, -group["lr"], out=self._work(p)))
