"""Momentum that a schedule moves along with the rate: of SGD and RMSprop, or the first beta of Adam."""

from typing import Any

from engine.optim.lr_scheduler.scheduler import per_group

UNSUPPORTED = "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"


def uses_betas(optimizer: Any) -> bool:
    """Whether momentum is the first beta. Raises ValueError for an optimizer without momentum."""
    if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
        raise ValueError(UNSUPPORTED)
    return "betas" in optimizer.defaults


def set_momentum(group: dict[str, Any], momentum: Any, as_beta: bool) -> None:
    """Set a group's momentum."""
    if as_beta:
        group["betas"] = (momentum, *group["betas"][1:])
    else:
        group["momentum"] = momentum


def momentum_bounds(optimizer: Any, low: Any, high: Any) -> tuple[list[Any], list[Any]]:
    """The least and the greatest momentum of every group."""
    return per_group("base_momentum", optimizer, low), per_group("max_momentum", optimizer, high)


def begin_at_most(optimizer: Any, lows: list[Any], highs: list[Any], as_beta: bool) -> None:
    """Write the bounds into the groups and start from the greatest momentum."""
    for low, high, group in zip(lows, highs, optimizer.param_groups, strict=True):
        set_momentum(group, high, as_beta)
        group["max_momentum"] = high
        group["base_momentum"] = low
