"""Anomaly detection: each node remembers the traceback of the forward call that made it."""

import sys
import traceback
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.modes import STATE, _DecoratorContextManager
from engine.warning import warn_within


def remember_traceback(node: Any) -> None:
    """Keep the program's stack with the node, and which node's gradient was being worked out."""
    extras = node.more()
    stack = traceback.StackSummary.extract(_program_frames(sys._getframe(1)))
    stack.reverse()
    extras.traceback = "".join(stack.format())
    extras.induced_by = STATE.node


def _program_frames(frame: Any) -> Iterator[tuple[Any, int]]:
    """The program's frames with their lines, innermost first: without the engine's, and without those that run it."""
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith("engine.trace"):
            return
        if not module.startswith("engine."):
            yield frame, frame.f_lineno
        frame = frame.f_back


def check_nan(node: Any, out: list[Any]) -> None:
    """In anomaly mode: raise RuntimeError when a node returned nan."""
    for i, g in enumerate(out):
        a = getattr(g, "_a", g)
        if a is not None and np.isnan(a).any():
            warn_traceback(node)
            raise RuntimeError(f"Function '{node.name()}' returned nan values in its {i}th output.")


def warn_traceback(node: Any) -> None:
    """In anomaly mode: warn with the traceback of the forward call that made the node.

    Where a backward pass made it, another warning tells of the node whose gradient that was, and so on.
    """
    warning = "Error detected in {}. Traceback of forward call that caused the error:\n{}"
    induced = node
    while induced is not None:
        extras = induced.extras
        if extras is None or extras.traceback is None:
            text = (
                f"Error detected in {induced.name()}. No forward pass information available. Enable detect anomaly "
                "during forward pass for more information."
            )
        else:
            text = warning.format(induced.name(), extras.traceback.rstrip())
        warn_within(text, "torch/autograd/graph.py")
        induced = extras and extras.induced_by
        warning = (
            "\n\nPrevious calculation was induced by {}. Traceback of forward call that induced the previous "
            "calculation:\n{}"
        )


class detect_anomaly(_DecoratorContextManager):
    """Remember forward tracebacks and check gradients for nan: torch.autograd.detect_anomaly."""

    __module__ = "torch.autograd.anomaly_mode"
    name = "detect_anomaly"

    def __init__(self, check_nan: bool = True):
        self.prev = (STATE.anomaly, STATE.check_nan)
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self.prev = (STATE.anomaly, STATE.check_nan)
        STATE.anomaly, STATE.check_nan = True, self.check_nan

    def __exit__(self, *args: object) -> None:
        STATE.anomaly, STATE.check_nan = self.prev

    def clone(self) -> "detect_anomaly":
        return type(self)(self.check_nan)


class set_detect_anomaly(_DecoratorContextManager):
    """Switch anomaly detection on or off, at once; as a context manager the former setting returns on leaving."""

    __module__ = "torch.autograd.anomaly_mode"
    name = "set_detect_anomaly"

    def __init__(self, mode: bool, check_nan: bool = True):
        self.prev = (STATE.anomaly, STATE.check_nan)
        self.mode = (mode, check_nan)
        STATE.anomaly, STATE.check_nan = mode, check_nan

    def __enter__(self) -> None:
        return None

    def __exit__(self, *args: object) -> None:
        STATE.anomaly, STATE.check_nan = self.prev

    def clone(self) -> "set_detect_anomaly":
        return type(self)(*self.mode)


def is_anomaly_enabled() -> bool:
    """Whether anomaly detection is on."""
    return STATE.anomaly


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly detection checks for nan."""
    return STATE.check_nan
