"""Limits that stop a program at a line of its own: raised inside it, while its partial trace is kept.

They derive from BaseException, so that an `except Exception` of the program lets them through. A program can
still catch them; then the hard limits, which nothing in the child can touch, end it.
"""

import signal
import types
from collections.abc import Callable


class StopRun(BaseException):
    """A limit was reached; `outcome.error.type` of the trace is the name of the subclass."""


class TimeLimit(StopRun):
    """The soft time limit."""


class OutputLimit(StopRun):
    """More was printed than a run may print."""


class Console:
    """Counts what the program prints, sends it on early, and stops the program past the limit.

    The text that reaches the limit is cut there; the next text raises OutputLimit.
    """

    def __init__(self, limit_bytes: int, send: Callable[[bytes], None]) -> None:
        self._left = limit_bytes
        self._send = send
        self.was_cut = False

    def write(self, text: str) -> str:
        """The part of `text` that fits, sent on already. Raises OutputLimit when nothing fits any more."""
        if self.was_cut:
            raise OutputLimit("too much output")
        data = text.encode("utf-8", "replace")
        if len(data) > self._left:
            self.was_cut = True
            data = data[: self._left]
            text = data.decode("utf-8", "ignore")
        self._left -= len(data)
        self._send(data)
        return text


def interrupt_on_signals(program_file: str) -> None:
    """Let SIGALRM and SIGXCPU raise TimeLimit in the program, and do nothing once it is over.

    Its trace is then being written, and an interruption would lose it. `program_file`: the file name its code
    objects carry.
    """

    def interrupt(_signal: int, frame: types.FrameType | None) -> None:
        while frame is not None:
            if frame.f_code.co_filename == program_file:
                raise TimeLimit("time limit")
            frame = frame.f_back

    signal.signal(signal.SIGALRM, interrupt)
    signal.signal(signal.SIGXCPU, interrupt)
