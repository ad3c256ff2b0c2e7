"""Adam's relatives: Adamax, NAdam and RAdam."""

from typing import Any

import numpy as np

from engine.optim.per_parameter import PerParameter, check_at_least_zero, check_betas, scalar_state, zeros_like


class Adamax(PerParameter):
    """Adam with the infinity norm: https://docs.pytorch.org/docs/stable/generated/torch.optim.Adamax.html"""

    def __init__(
        self, params: Any, lr: Any = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, foreach: bool | None = None, *, maximize: bool = False, differentiable: bool = False,
        capturable: bool = False,
    ):  # fmt: skip
        check_at_least_zero(learning_rate=lr, epsilon_value=eps)
        check_betas(betas)
        check_at_least_zero(weight_decay_value=weight_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        state = self.state[p]
        if not state:
            state["step"] = scalar_state(0.0)
            state["exp_avg"] = zeros_like(p)
            state["exp_inf"] = zeros_like(p)
        first, norm, count = state["exp_avg"]._array(), state["exp_inf"]._array(), state["step"]._array()
        count += 1
        beta1, beta2 = group["betas"]
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p._a
        first += (1 - beta1) * (g - first)
        norm *= beta2
        np.maximum(norm, np.abs(g) + group["eps"], out=norm)
        self._write(p, (-group["lr"] / (1 - beta1 ** float(count))) * first / norm)


class NAdam(PerParameter):
    """Adam with Nesterov momentum: https://docs.pytorch.org/docs/stable/generated/torch.optim.NAdam.html"""

    def __init__(
        self, params: Any, lr: Any = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, momentum_decay: float = 4e-3, decoupled_weight_decay: bool = False, *,
        foreach: bool | None = None, maximize: bool = False, capturable: bool = False, differentiable: bool = False,
    ):  # fmt: skip
        check_at_least_zero(learning_rate=lr, epsilon_value=eps)
        check_betas(betas)
        check_at_least_zero(weight_decay_value=weight_decay, momentum_decay_value=momentum_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay, "maximize": maximize, "foreach": foreach,
            "capturable": capturable, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        state = self.state[p]
        if not state:
            state["step"] = scalar_state(0.0)
            state["mu_product"] = scalar_state(1.0)
            state["exp_avg"] = zeros_like(p)
            state["exp_avg_sq"] = zeros_like(p)
        first, second = state["exp_avg"]._array(), state["exp_avg_sq"]._array()
        count, product = state["step"]._array(), state["mu_product"]._array()
        count += 1
        n, lr, (beta1, beta2) = float(count), group["lr"], group["betas"]
        if group["weight_decay"]:
            if group["decoupled_weight_decay"]:
                self._write(p, 1 - lr * group["weight_decay"], np.multiply)
            else:
                g = g + group["weight_decay"] * p._a
        mu, mu_next = (beta1 * (1.0 - 0.5 * 0.96 ** (t * group["momentum_decay"])) for t in (n, n + 1))
        product *= mu
        first += (1 - beta1) * (g - first)
        second *= beta2
        second += (1 - beta2) * (g * g)
        denominator = np.sqrt(second / (1 - beta2**n)) + group["eps"]
        so_far = float(product)
        self._write(p, (-lr * (1.0 - mu) / (1.0 - so_far)) * g / denominator)
        self._write(p, (-lr * mu_next / (1.0 - so_far * mu_next)) * first / denominator)


class RAdam(PerParameter):
    """Adam that waits for its variance: https://docs.pytorch.org/docs/stable/generated/torch.optim.RAdam.html"""

    def __init__(
        self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, decoupled_weight_decay: bool = False, *, foreach: bool | None = None,
        maximize: bool = False, capturable: bool = False, differentiable: bool = False,
    ):  # fmt: skip
        check_at_least_zero(learning_rate=lr, epsilon_value=eps)
        check_betas(betas)
        check_at_least_zero(weight_decay_value=weight_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "foreach": foreach, "capturable": capturable, "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        state = self.state[p]
        if not state:
            state["step"] = scalar_state(0.0)
            state["exp_avg"] = zeros_like(p)
            state["exp_avg_sq"] = zeros_like(p)
        first, second, count = state["exp_avg"]._array(), state["exp_avg_sq"]._array(), state["step"]._array()
        count += 1
        n, lr, (beta1, beta2) = float(count), group["lr"], group["betas"]
        if group["weight_decay"]:
            if group["decoupled_weight_decay"]:
                self._write(p, 1 - lr * group["weight_decay"], np.multiply)
            else:
                g = g + group["weight_decay"] * p._a
        first += (1 - beta1) * (g - first)
        second *= beta2
        second += (1 - beta2) * (g * g)
        step = first / (1 - beta1**n) * lr
        correction = 1 - beta2**n
        longest = 2 / (1 - beta2) - 1  # the length of the average after many steps, and now
        length = longest - 2 * n * beta2**n / correction
        if length > 5.0:
            rectified = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
            step = step * (correction**0.5 / (np.sqrt(second) + group["eps"])) * rectified**0.5
        self._write(p, -step)
