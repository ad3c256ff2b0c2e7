"""The children that wait for a program, and which of them is next."""

import asyncio
import contextlib
import os
import signal
from dataclasses import dataclass
from enum import IntEnum

from backend.sandbox.frames import WARM_UP
from backend.sandbox.verdict import Exit


class Readiness(IntEnum):
    """The least is taken first."""

    WARM = 0
    """What a run is likely to write to is its own already."""
    COLD = 1
    WARMING_UP = 2
    """It hears of no program before it is done."""


@dataclass(eq=False)
class Child:
    """A locked child that waits for its program, as descriptors of this process."""

    pid: int
    program: int
    output: int
    reply: int
    pidfd: int
    ended: "asyncio.Future[Exit | None]"
    """None when the zygote went before it could tell."""
    readiness: Readiness = Readiness.COLD

    def warm_up(self) -> None:
        """Have it get ready for a quick run; it says when it is. May be called once."""
        self.readiness = Readiness.WARMING_UP
        with contextlib.suppress(OSError):  # it ended while it waited; who takes it will see
            os.write(self.program, WARM_UP)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; no matter when it has ended already."""
        if self.pidfd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, number)

    def kill(self) -> None:
        """End it and give its pipes back. Harmless when that was done."""
        self.signal(signal.SIGKILL)
        for descriptor in (self.program, self.output, self.reply):
            if descriptor >= 0:
                os.close(descriptor)
        self.program = self.output = self.reply = -1

    def close_program(self) -> None:
        """Let it see the end of its input."""
        os.close(self.program)
        self.program = -1


class Spares(asyncio.Queue["Child | None"]):
    """Gives the readiest, of several the one that waits longest. None, put when there will be no more, comes last."""

    _queue: list[Child | None]

    def waiting(self) -> list[Child]:
        """Those that are there."""
        return [child for child in self._queue if child is not None]

    def _init(self, maxsize: int) -> None:
        del maxsize
        self._queue = []

    def _get(self) -> Child | None:
        next_one = min(self._queue, key=lambda child: len(Readiness) if child is None else child.readiness)
        self._queue.remove(next_one)
        return next_one
