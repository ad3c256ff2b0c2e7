"""Adam and AdamW: https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html"""

from typing import Any

import numpy as np

from engine.optim.per_parameter import PerParameter, check_at_least_zero, check_betas, scalar_state, zeros_like
from engine.tensor import TensorBase


class Adam(PerParameter):
    """Steps by moving averages of the gradient and its square."""

    def __init__(
        self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, amsgrad: bool = False, *, foreach: bool | None = None, maximize: bool = False,
        capturable: bool = False, differentiable: bool = False, fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ):  # fmt: skip
        check_at_least_zero(learning_rate=lr, epsilon_value=eps)
        check_betas(betas)
        check_at_least_zero(weight_decay_value=weight_decay)
        if not any(all(isinstance(b, kind) for b in betas) for kind in (float, TensorBase)):
            raise ValueError("betas must be either both floats or both Tensors")
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
            "maximize": maximize, "foreach": foreach, "capturable": capturable, "differentiable": differentiable,
            "fused": fused, "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        state = self.state[p]
        if not state:
            state["step"] = scalar_state(0.0)
            state["exp_avg"] = zeros_like(p)
            state["exp_avg_sq"] = zeros_like(p)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = zeros_like(p)
        first, second, count = state["exp_avg"]._array(), state["exp_avg_sq"]._array(), state["step"]._array()
        count += 1
        n = float(count)
        lr, (beta1, beta2) = group["lr"], group["betas"]
        if group["weight_decay"]:
            if group["decoupled_weight_decay"]:
                self._write(p, 1 - lr * group["weight_decay"], np.multiply)
            else:
                g = g + group["weight_decay"] * p._a
        work = np.subtract(g, first, out=self._work(p))
        work *= 1 - beta1
        first += work
        second *= beta2
        np.multiply(g, 1 - beta2, out=work)
        work *= g
        second += work
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]._array()
            np.maximum(largest, second, out=largest)
            second = largest
        np.sqrt(second, out=work)
        work /= (1 - beta2**n) ** 0.5
        work += group["eps"]
        change = np.multiply(first, -lr / (1 - beta1**n), out=self._work(p, 1))
        change /= work
        self._write(p, change)


class AdamW(Adam):
    """Adam with weight decay apart from the gradient."""

    def __init__(
        self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 1e-2, amsgrad: bool = False, *, maximize: bool = False, foreach: bool | None = None,
        capturable: bool = False, differentiable: bool = False, fused: bool | None = None,
    ):  # fmt: skip
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
            differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )  # fmt: skip
