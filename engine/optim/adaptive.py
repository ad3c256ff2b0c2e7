"""Steps scaled by the squares of past gradients: Adagrad, Adadelta and RMSprop."""

from typing import Any

import numpy as np

from engine.optim.per_parameter import PerParameter, check_at_least_zero, scalar_state, zeros_like
from engine.tensor import Tensor


class Adagrad(PerParameter):
    """Divides by the sum of all squares: https://docs.pytorch.org/docs/stable/generated/torch.optim.Adagrad.html"""

    def __init__(
        self, params: Any, lr: Any = 1e-2, lr_decay: float = 0, weight_decay: float = 0,
        initial_accumulator_value: float = 0, eps: float = 1e-10, foreach: bool | None = None, *,
        maximize: bool = False, differentiable: bool = False, fused: bool | None = None,
    ):  # fmt: skip
        check_at_least_zero(
            learning_rate=lr, lr_decay_value=lr_decay, weight_decay_value=weight_decay,
            initial_accumulator_value_value=initial_accumulator_value, epsilon_value=eps,
        )  # fmt: skip
        defaults = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)
        for p in self.parameters():
            self._begin(p)

    def _begin(self, p: Any) -> dict[str, Any]:
        """The state before the first step, which this optimizer has from the start."""
        state = self.state[p]
        state["step"] = scalar_state(0.0)
        first = self.defaults["initial_accumulator_value"]
        state["sum"] = Tensor._wrap(np.full_like(p._array(), first + 1j * first if p._a.dtype.kind == "c" else first))
        return state

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        state = self.state[p] or self._begin(p)
        total, count = state["sum"]._array(), state["step"]._array()
        count += 1
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p._a
        lr = group["lr"] / (1 + (float(count) - 1) * group["lr_decay"])
        total += g * g
        self._write(p, -lr * g / (np.sqrt(total) + group["eps"]))


class Adadelta(PerParameter):
    """Compares past steps with past gradients: "
    "https://docs.pytorch.org/docs/stable/generated/torch.optim.Adadelta.html"""

    def __init__(
        self, params: Any, lr: Any = 1.0, rho: float = 0.9, eps: float = 1e-6, weight_decay: float = 0,
        foreach: bool | None = None, *, capturable: bool = False, maximize: bool = False, differentiable: bool = False,
    ):  # fmt: skip
        check_at_least_zero(learning_rate=lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_at_least_zero(epsilon_value=eps, weight_decay_value=weight_decay)
        defaults = {
            "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "capturable": capturable, "foreach": foreach, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        state = self.state[p]
        if not state:
            state["step"] = scalar_state(0.0)
            state["square_avg"] = zeros_like(p)
            state["acc_delta"] = zeros_like(p)
        squares, deltas, count = state["square_avg"]._array(), state["acc_delta"]._array(), state["step"]._array()
        count += 1
        rho, eps = group["rho"], group["eps"]
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p._a
        squares *= rho
        squares += (1 - rho) * (g * g)
        delta = np.sqrt(deltas + eps) / np.sqrt(squares + eps) * g
        deltas *= rho
        deltas += (1 - rho) * (delta * delta)
        self._write(p, -group["lr"] * delta)


class RMSprop(PerParameter):
    """Divides by the recent squares: https://docs.pytorch.org/docs/stable/generated/torch.optim.RMSprop.html"""

    def __init__(
        self, params: Any, lr: Any = 1e-2, alpha: float = 0.99, eps: float = 1e-8, weight_decay: float = 0,
        momentum: float = 0, centered: bool = False, capturable: bool = False, foreach: bool | None = None,
        maximize: bool = False, differentiable: bool = False,
    ):  # fmt: skip
        check_at_least_zero(
            learning_rate=lr,
            epsilon_value=eps,
            momentum_value=momentum,
            weight_decay_value=weight_decay,
            alpha_value=alpha,
        )
        defaults = {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        state, momentum = self.state[p], group["momentum"]
        if not state:
            state["step"] = scalar_state(0.0)
            state["square_avg"] = zeros_like(p)
            if momentum > 0:
                state["momentum_buffer"] = zeros_like(p)
            if group["centered"]:
                state["grad_avg"] = zeros_like(p)
        squares, count = state["square_avg"]._array(), state["step"]._array()
        count += 1
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p._a
        squares *= group["alpha"]
        work = np.multiply(g, 1 - group["alpha"], out=self._work(p))
        work *= g
        squares += work
        if group["centered"]:
            mean = state["grad_avg"]._array()
            np.subtract(g, mean, out=work)
            work *= 1 - group["alpha"]
            mean += work
            np.multiply(mean, mean, out=work)
            np.subtract(squares, work, out=work)
            np.sqrt(work, out=work)
        else:
            np.sqrt(squares, out=work)
        work += group["eps"]
        if momentum > 0:
            buffer = state["momentum_buffer"]._array()
            buffer *= momentum
            np.divide(g, work, out=work)
            buffer += work
            self._write(p, np.multiply(buffer, -group["lr"], out=work))
        else:
            change = np.multiply(g, -group["lr"], out=self._work(p, 1))
            change /= work
            self._write(p, change)
