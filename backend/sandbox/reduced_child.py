"""A run in a plain subprocess: the same reply as a locked child's, without the lock."""

import os
import signal

from backend.sandbox import stops
from backend.sandbox.frames import FrameWriter
from backend.sandbox.serve import PROGRAM_FILE, RECORDER_FOLDER, serve
from backend.settings import Limits

_SOURCE = 0


def main(limits_json: str) -> None:
    """Serve one program from standard input; frames go to what was standard output."""
    limits = Limits.from_json(limits_json)
    reply = FrameWriter(os.dup(1))
    os.dup2(2, 1)  # what a program writes to descriptor 1 itself must not mix with the frames
    if hasattr(signal, "setitimer"):
        stops.interrupt_on_signals(PROGRAM_FILE, RECORDER_FOLDER, reply)
        signal.setitimer(signal.ITIMER_REAL, limits.soft_seconds, 0.02)
    serve(_SOURCE, reply, limits, warm_up=lambda: None)
