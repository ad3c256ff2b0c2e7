"""Schedules whose factor a function of the program computes."""

from collections.abc import Callable
from types import FunctionType
from typing import Any

from engine.optim.lr_scheduler.scheduler import LRScheduler

Factor = Callable[[int], float]


class _ByFunctions(LRScheduler):
    """One function of the epoch for every group. Only callable objects, not plain functions, are kept in the state."""

    def __init__(self, optimizer: Any, lr_lambda: Factor | list[Factor], last_epoch: int = -1):
        self.optimizer = optimizer
        n = len(optimizer.param_groups)
        if not isinstance(lr_lambda, list | tuple):
            self.lr_lambdas = [lr_lambda] * n
        elif len(lr_lambda) != n:
            raise ValueError(f"Expected {n} lr_lambdas, but got {len(lr_lambda)}")
        else:
            self.lr_lambdas = list(lr_lambda)
        self._check_functions()
        super().__init__(optimizer, last_epoch)

    def _check_functions(self) -> None:
        pass

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimizer, with None for plain functions."""
        state = {k: v for k, v in self.__dict__.items() if k not in ("optimizer", "lr_lambdas")}
        kept = [None if isinstance(f, FunctionType) else f.__dict__.copy() for f in self.lr_lambdas]
        return {**state, "lr_lambdas": kept}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over the attributes that `state_dict` returned; the functions stay."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "lr_lambdas"})
        for function, kept in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=False):
            if kept is not None:
                function.__dict__.update(kept)


class LambdaLR(_ByFunctions):
    """The initial rate times a function of the epoch."""

    def get_lr(self) -> list[Any]:
        """The rates of this epoch, per group."""
        self._warn_outside_step()
        return [base * f(self.last_epoch) for f, base in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(_ByFunctions):
    """The last rate times a function of the epoch."""

    def _check_functions(self) -> None:
        for f in self.lr_lambdas:
            if not callable(f):
                raise TypeError(f"lr_lambda should be a function, but got {type(f).__name__}")

    def get_lr(self) -> list[Any]:
        """The rates of this epoch, per group."""
        self._warn_outside_step()
        if self._is_initial:
            return self._unchanged()
        groups = self.optimizer.param_groups
        return [group["lr"] * f(self.last_epoch) for f, group in zip(self.lr_lambdas, groups, strict=True)]
