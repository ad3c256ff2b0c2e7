"""Warnings that point at the program's line, not into the engine."""

import sys
import warnings

GUARD = "guarded_call"
"""Name of the frame that stands between a function of torch's and its caller (engine/accidents.py)."""
_SEEN: set[str] = set()


def outside_engine() -> int:
    """How many frames up the first frame outside the engine is, for `stacklevel`."""
    frame = sys._getframe(1)
    level = 1
    while frame is not None and frame.f_globals.get("__name__", "").startswith("engine"):
        frame = frame.f_back
        level += 1
    return level - 1


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the program's line."""
    warnings.warn(message, category, stacklevel=outside_engine() + 1)


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line that called the function in question: one frame up, past the frame that guards it."""
    frame, level = sys._getframe(1), 2
    while frame is not None and frame.f_code.co_name != GUARD:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=3 if frame is None else level + 1)


def warn_inside(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the caller's own line, as PyTorch's Python code does where it does not look for the program's."""
    warnings.warn(message, category, stacklevel=2)


def warn_within(message: str, module: str, category: type[Warning] = UserWarning) -> None:
    """Warn from inside a module of PyTorch's, where PyTorch's own warning does not point at the program."""
    warnings.warn_explicit(message, category, module, 1)


def warn_once(message: str, category: type[Warning] = UserWarning, key: str = "") -> None:
    """Warn the first time only, as PyTorch's TORCH_WARN_ONCE does. Messages that share a `key` are one warning."""
    key = key or message
    if key not in _SEEN:
        _SEEN.add(key)
        warn(message, category)


def warn_once_within(message: str, module: str) -> None:
    """`warn_within`, the first time only."""
    if message not in _SEEN:
        _SEEN.add(message)
        warn_within(message, module)


def forget_warned() -> None:
    """Let `warn_once` warn again: each program starts afresh."""
    _SEEN.clear()
