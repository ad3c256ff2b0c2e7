"""Limits that stop a program at a line of its own: raised inside it, while its partial trace is kept.

They derive from BaseException, so that an `except Exception` of the program lets them through. A program can
still catch them; then the hard limits, which nothing in the child can touch, end it.
"""

import signal
import sys
import types
from collections.abc import Callable
from typing import Any

from backend.sandbox.frames import OVER, PLACE, FrameWriter, pack_place
from backend.sandbox.verdict import visible
from engine.trace import progress


class StopRun(BaseException):
    """A limit was reached; `outcome.error.type` of the trace is the name of the subclass."""


class TimeLimit(StopRun):
    """The soft time limit."""


class ProcessorLimit(StopRun):
    """The soft limit of processor time."""


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
        """The part of `text` that fits, control characters as escapes; it is sent on already.

        Raises OutputLimit when nothing fits any more.
        """
        if self.was_cut:
            raise OutputLimit("too much output")
        text = visible(text[: self._left + 1])
        data = text.encode("utf-8")
        if len(data) > self._left:
            self.was_cut = True
            data = data[: self._left]
            text = data.decode("utf-8", "ignore")
        self._left -= len(data)
        self._send(data)
        return text


def interrupt_on_signals(program_file: str, recorder_folder: str, reply: FrameWriter) -> None:
    """Let SIGALRM raise TimeLimit, and SIGXCPU ProcessorLimit, in the program, as long as it runs.

    Once it is over its trace is being written, and an interruption would lose it: then the signal is answered by
    asking for the time that takes. The signals come again and again, so one that comes while a frame of the reply is
    being written is let pass. One that comes while the recorder is at work, and would leave it with half a record,
    stops the program when that is done. `program_file`: the file name that the program's code objects carry.
    """
    asked = False

    def interrupt(number: int, frame: types.FrameType | None) -> None:
        nonlocal asked
        if reply.busy:
            return
        recording = False
        while frame is not None:
            if frame.f_code.co_filename == program_file:
                stop = (ProcessorLimit if number == signal.SIGXCPU else TimeLimit)("time limit")
                if not recording:
                    raise stop
                _raise_back_in(frame, stop)
                return
            recording = recording or frame.f_code.co_filename.startswith(recorder_folder)
            frame = frame.f_back
        if not asked:
            asked = True
            reply.write(OVER)

    signal.signal(signal.SIGALRM, interrupt)
    signal.signal(signal.SIGXCPU, interrupt)


def _raise_back_in(frame: types.FrameType, stop: StopRun) -> None:
    """Raise in a frame as soon as it goes on, by way of a trace function."""

    def tracer(_frame: types.FrameType, _event: str, _argument: Any) -> None:
        sys.settrace(None)
        raise stop

    frame.f_trace = tracer
    frame.f_trace_opcodes = True
    sys.settrace(lambda _frame, _event, _argument: None)


def tell_on_signal(reply: FrameWriter) -> None:
    """Let SIGUSR2 be answered with where the program is."""

    def tell(_number: int, _frame: types.FrameType | None) -> None:
        if not reply.busy:
            reply.write(PLACE, pack_place(*progress()))

    signal.signal(signal.SIGUSR2, tell)
