"""One rise and a long fall: https://arxiv.org/abs/1708.07120"""

import math
from typing import Any

from engine.optim.lr_scheduler.momentum import begin_at_most, momentum_bounds, set_momentum, uses_betas
from engine.optim.lr_scheduler.scheduler import LRScheduler, check_optimizer, per_group


def _phase(end: float, lr: tuple[str, str], momentum: tuple[str, str]) -> dict[str, Any]:
    """From one of the group's values to another, until step `end`."""
    return {
        "end_step": end, "start_lr": lr[0], "end_lr": lr[1], "start_momentum": momentum[0], "end_momentum": momentum[1],
    }  # fmt: skip


class OneCycleLR(LRScheduler):
    """Up to `max_lr`, then down to far below the start; momentum goes the other way."""

    def __init__(
        self, optimizer: Any, max_lr: Any, total_steps: int | None = None, epochs: int | None = None,
        steps_per_epoch: int | None = None, pct_start: float = 0.3, anneal_strategy: str = "cos",
        cycle_momentum: bool = True, base_momentum: Any = 0.85, max_momentum: Any = 0.95, div_factor: float = 25.0,
        final_div_factor: float = 1e4, three_phase: bool = False, last_epoch: int = -1,
    ):  # fmt: skip
        check_optimizer(optimizer)
        self.optimizer = optimizer
        self.total_steps = _total(total_steps, epochs, steps_per_epoch)
        rise_end, last = float(pct_start * self.total_steps) - 1, self.total_steps - 1
        up, down = ("max_momentum", "base_momentum"), ("base_momentum", "max_momentum")
        self._schedule_phases = [_phase(rise_end, ("initial_lr", "max_lr"), up)]
        if three_phase:
            fall_end = float(2 * pct_start * self.total_steps) - 2
            self._schedule_phases.append(_phase(fall_end, ("max_lr", "initial_lr"), down))
            self._schedule_phases.append(_phase(last, ("initial_lr", "min_lr"), ("max_momentum", "max_momentum")))
        else:
            self._schedule_phases.append(_phase(last, ("max_lr", "min_lr"), down))
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_func_type = anneal_strategy
        highest = per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for lr, group in zip(highest, optimizer.param_groups, strict=True):
                group["initial_lr"] = lr / div_factor
                group["max_lr"] = lr
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = uses_betas(optimizer)
            lows, highs = momentum_bounds(optimizer, base_momentum, max_momentum)
            if last_epoch == -1:
                begin_at_most(optimizer, lows, highs, self.use_beta1)
        super().__init__(optimizer, last_epoch)

    def _between(self, start: Any, end: Any, part: float) -> Any:
        if self._anneal_func_type == "cos":
            return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)
        return (end - start) * part + start

    def get_lr(self) -> list[Any]:
        """The rates of this step, per group; sets the momentum too. Raises ValueError after the last step."""
        self._warn_outside_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        start, phase = 0.0, self._schedule_phases[0]
        for following in self._schedule_phases[1:]:
            if step <= phase["end_step"]:
                break
            start, phase = phase["end_step"], following
        part = (step - start) / (phase["end_step"] - start)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._between(group[phase["start_lr"]], group[phase["end_lr"]], part))
            if self.cycle_momentum:
                momentum = self._between(group[phase["start_momentum"]], group[phase["end_momentum"]], part)
                set_momentum(group, momentum, self.use_beta1)
        return rates


def _total(total_steps: Any, epochs: Any, steps_per_epoch: Any) -> int:
    """The number of steps, from itself or from epochs. Raises ValueError when it is not given or not positive."""
    if total_steps is not None:
        _check_positive("total_steps", total_steps)
        return total_steps
    if epochs is None or steps_per_epoch is None:
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    _check_positive("epochs", epochs)
    _check_positive("steps_per_epoch", steps_per_epoch)
    return epochs * steps_per_epoch


def _check_positive(name: str, value: Any) -> None:
    if value <= 0 or not isinstance(value, int):
        raise ValueError(f"Expected positive integer {name}, but got {value}")
