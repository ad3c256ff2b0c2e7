"""How far a run has come, for who asks while it goes on."""

from engine.modes import STATE
from engine.trace.lines import current_line
from engine.trace.recorder import Recorder


def progress() -> tuple[int | None, int]:
    """The line that runs now, None before and after the program, and how many steps are recorded so far."""
    recorders = [observer for observer in STATE.observers if isinstance(observer, Recorder)]
    return current_line(), sum(len(recorder.steps) for recorder in recorders)
