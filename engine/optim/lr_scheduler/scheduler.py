"""The base of all schedules, and reading and writing what they change in the optimizer's groups."""

import functools
import weakref
from collections.abc import Callable
from typing import Any

from engine.optim.optimizer import Optimizer
from engine.tensor import TensorBase
from engine.warning import warn

EPOCH_DEPRECATED = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed "
    "form is used instead of the new chainable form, where available. Please open an issue if you are unable to "
    "replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose."
)
HOW_TO = "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
OVERRIDDEN = (
    "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make "
    f"sure to call `optimizer.step()` before `lr_scheduler.step()`. {HOW_TO}"
)
WRONG_ORDER = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call "
    "them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in "
    f"PyTorch skipping the first value of the learning rate schedule. {HOW_TO}"
)
GET_LR_OUTSIDE = "To get the last learning rate computed by the scheduler, please use `get_last_lr()`."
UNRESUMABLE = (
    "param 'initial_lr' is not specified in param_groups[{}] when resuming scheduler with last_epoch >= 0.\n"
    "This typically happens when:\n"
    "1. You're trying to resume training from a checkpoint but haven't properly loaded the optimizer state\n"
    "2. You're using last_epoch >= 0 for a fresh training run (not recommended)"
)


def copied(value: Any) -> Any:
    """A learning rate that will not change with the group's: tensors are cloned."""
    return value.clone() if isinstance(value, TensorBase) else value  # type: ignore[attr-defined]


def values_of(optimizer: Any, key: str) -> list[Any]:
    """One option of every group."""
    return [copied(group[key]) for group in optimizer.param_groups]


def set_value(group: dict[str, Any], key: str, value: Any) -> None:
    """Set an option of a group; a tensor there is filled, so that it stays the same tensor."""
    if isinstance(group[key], TensorBase):
        group[key].fill_(value._a.item() if isinstance(value, TensorBase) else value)
    else:
        group[key] = value


def per_group(name: str, optimizer: Any, value: Any) -> list[Any]:
    """A value for every group, from one value or as many as there are groups. Raises ValueError for another number."""
    n = len(optimizer.param_groups)
    if not isinstance(value, list | tuple):
        value = [value] * n
    elif len(value) != n:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, param_groups "
            f"has {n}."
        )
    return [copied(v) for v in value]


def check_optimizer(optimizer: Any) -> None:
    """Raise TypeError for anything but an optimizer."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def note_steps(optimizer: Any) -> None:
    """Let the optimizer remember in `_opt_called` that it has made a step."""
    step = optimizer.step
    if hasattr(step, "_wrapped_by_lr_sched"):
        return
    function: Callable[..., Any] = step.__func__
    known = weakref.ref(optimizer)

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Any:
        same = known()
        same._opt_called = True  # type: ignore[union-attr]
        return function(same, *args, **kwargs)

    noted._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    optimizer.step = noted


class LRScheduler:
    """Subclasses say in `get_lr` the learning rate of every group, given `last_epoch` and the groups as they are."""

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer: Any, last_epoch: int = -1):
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(UNRESUMABLE.format(i))
        self.base_lrs = values_of(optimizer, "initial_lr")
        self.last_epoch: Any = last_epoch
        note_steps(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        """Set the rates of the first epoch."""
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimizer."""
        return {k: v for k, v in self.__dict__.items() if k != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over the attributes that `state_dict` returned."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[Any]:
        """The rates that the last step set, per group."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """The rates of this epoch, per group."""
        raise NotImplementedError

    def step(self, epoch: Any = None) -> None:
        """Go on by one epoch and set the rates."""
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                warn(OVERRIDDEN)
            elif not getattr(self.optimizer, "_opt_called", False):
                warn(WRONG_ORDER)
        self._step_count += 1
        if epoch is not None:
            warn(EPOCH_DEPRECATED)
        self._update_lr(epoch)

    def _update_lr(self, epoch: Any = None) -> None:
        if epoch is None:
            self.last_epoch += 1
            rates = self._ask(self.get_lr)
        else:
            self.last_epoch = epoch
            rates = self._ask(getattr(self, "_get_closed_form_lr", self.get_lr))
        self._set(rates)

    def _ask(self, rule: Callable[[], list[Any]]) -> list[Any]:
        """The rates by a rule, which may be asked only from here without a warning."""
        self._get_lr_called_within_step = True
        try:
            return rule()
        finally:
            self._get_lr_called_within_step = False

    def _set(self, rates: list[Any]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            set_value(group, "lr", rate)
        self._last_lr = values_of(self.optimizer, "lr")

    def _warn_outside_step(self) -> None:
        """Tell programs that call `get_lr` themselves what they should call."""
        if not self._get_lr_called_within_step:
            warn(GET_LR_OUTSIDE)

    def _times(self, factor: Any) -> list[Any]:
        """The groups' rates times a factor."""
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def _unchanged(self) -> list[Any]:
        return values_of(self.optimizer, "lr")


class _LRScheduler(LRScheduler):
    """The base class under its former name."""
