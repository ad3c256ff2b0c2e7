"""torch.optim.swa_utils: averages of the parameters over training."""

import itertools
import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from engine.creation import tensor
from engine.modes import no_grad
from engine.nn.modules.batchnorm import _BatchNorm
from engine.nn.modules.module import Module
from engine.optim.lr_scheduler.scheduler import LRScheduler, per_group
from engine.tensor import Tensor

Average = Callable[[Any, Any, Any], Any]


def get_swa_avg_fn() -> Average:
    """The mean of all parameters so far."""

    @no_grad()
    def swa_update(averaged_param: Any, current_param: Any, num_averaged: Any) -> Any:
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """The exponential moving average. Raises ValueError unless decay is in [0, 1]."""
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param: Any, current_param: Any, num_averaged: Any) -> Any:
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_multi_avg_fn() -> Callable[..., None]:
    """The mean of all parameters so far, for lists of parameters, in place."""

    @no_grad()
    def swa_update(averaged_param_list: Any, current_param_list: Any, num_averaged: Any) -> None:
        share: Any = 1 / (num_averaged + 1)
        for averaged, current in zip(averaged_param_list, current_param_list, strict=True):
            if _interpolates(averaged_param_list[0]):
                averaged.lerp_(current, share.item() if isinstance(share, Tensor) else share)
            elif isinstance(num_averaged, Tensor):
                averaged.addcdiv_(current - averaged, num_averaged + 1)  # type: ignore[operator]
            else:
                averaged.add_(current - averaged, alpha=share)

    return swa_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[..., None]:
    """The exponential moving average for lists of parameters, in place."""
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param_list: Any, current_param_list: Any, _: Any) -> None:
        for averaged, current in zip(ema_param_list, current_param_list, strict=True):
            if _interpolates(ema_param_list[0]):
                averaged.lerp_(current, 1 - decay)
            else:
                averaged.copy_(averaged * decay + current * (1 - decay))

    return ema_update


def _interpolates(average: Any) -> bool:
    """Only floating and complex averages are interpolated; counters among the buffers are not."""
    return average.is_floating_point() or average.is_complex()


def _check_decay(decay: float) -> None:
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


class AveragedModel(Module):
    """A copy of a model that holds the average of its parameters."""

    def __init__(
        self, model: Any, device: Any = None, avg_fn: Average | None = None,
        multi_avg_fn: Callable[..., None] | None = None, use_buffers: bool = False,
    ):  # fmt: skip
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        self.register_buffer("n_averaged", tensor(0))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the averaged model computes."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Any) -> None:
        """Take the model's parameters into the average; the first time they are copied."""
        averaged = [t.detach() for t in _tensors(self.module, self.use_buffers)]
        current = [t.detach() for t in _tensors(model, self.use_buffers)]
        if self.n_averaged == 0:
            for a, c in zip(averaged, current, strict=False):
                a.copy_(c)
        elif self.multi_avg_fn is not None:
            for averages, now in _by_dtype(averaged, current):
                self.multi_avg_fn(averages, now, self.n_averaged)
        else:
            average_of = self.avg_fn or get_swa_avg_fn()
            for a, c in zip(averaged, current, strict=True):
                a.copy_(average_of(a, c, self.n_averaged))
        if not self.use_buffers:
            for kept, b in zip(self.module.buffers(), model.buffers(), strict=True):
                kept.detach().copy_(b.detach())
        self.n_averaged += 1


def _tensors(model: Any, with_buffers: bool) -> Iterable[Any]:
    return itertools.chain(model.parameters(), model.buffers()) if with_buffers else model.parameters()


def _by_dtype(averaged: list[Any], current: list[Any]) -> Iterable[tuple[list[Any], list[Any]]]:
    """The averages and what they average, in lists of one dtype each."""
    groups: dict[Any, tuple[list[Any], list[Any]]] = {}
    for a, c in zip(averaged, current, strict=False):
        averages, now = groups.setdefault(a.dtype, ([], []))
        averages.append(a)
        now.append(c)
    return groups.values()


@no_grad()
def update_bn(loader: Iterable[Any], model: Any, device: Any = None) -> None:
    """Measure the statistics of batch normalisation anew, over all of `loader`."""
    momenta = {}
    for module in model.modules():
        if isinstance(module, _BatchNorm):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None
    for batch in loader:
        model(batch[0] if isinstance(batch, list | tuple) else batch)
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """From the current rate to `swa_lr` in `anneal_epochs` epochs."""

    def __init__(
        self, optimizer: Any, swa_lr: Any, anneal_epochs: int = 10, anneal_strategy: str = "cos", last_epoch: int = -1
    ):
        for lr, group in zip(per_group("swa_lr", optimizer, swa_lr), optimizer.param_groups, strict=True):
            group["swa_lr"] = lr
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _annealed(self, step: int) -> float:
        """How far towards `swa_lr` a step is, 0 to 1."""
        t = max(0, min(1, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * t)) / 2 if self._anneal_strategy == "cos" else t

    def get_lr(self) -> list[Any]:
        """The rates of this epoch, per group."""
        self._warn_outside_step()
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._annealed(step - 1), self._annealed(step)
        rates = []
        for group in self.optimizer.param_groups:
            start = group["swa_lr"] if before == 1 else (group["lr"] - before * group["swa_lr"]) / (1 - before)
            rates.append(group["swa_lr"] * now + start * (1 - now))
        return rates
