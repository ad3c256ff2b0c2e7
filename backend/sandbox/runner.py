"""The API's side of one run on one child: deliver the program, read with caps, interrupt, kill."""

import asyncio
import os
import signal
from dataclasses import dataclass, field
from enum import Enum, auto

from backend.sandbox import frames
from backend.sandbox.progress import Progress
from backend.sandbox.spares import Child
from backend.sandbox.verdict import Exit
from backend.settings import Limits

_READ_BYTES = 1 << 18
_ALARM_EVERY_SECONDS = 0.02
_TELL_WHERE_EVERY = 8
_ASK_EVERY_SECONDS = 0.1
FRAME_OVERHEAD_BYTES = 1 << 20
AFTERWARDS_SECONDS = 0.003
"""The end of a child and the making of the next take a core each for a while: rather when the answer has been sent."""


class How(Enum):
    """Why reading a child's reply ended."""

    REPLIED = auto()
    ENDED = auto()
    HARD_LIMIT = auto()
    OUTPUT_LIMIT = auto()
    BAD_REPLY = auto()
    NEVER_STARTED = auto()
    LOST = auto()
    """The zygote went, and took the child along."""


@dataclass
class Ending:
    """What one child gave back."""

    how: How
    trace: bytes = b""
    printed: bytes = b""
    """What the program printed, sent early; of use where no trace came."""
    raw: bytes = b""
    """What was written to the descriptors 1 and 2 past Python's `print`."""
    exit: Exit | None = None
    """For ENDED: how, as the kernel told."""


@dataclass(eq=False)
class Conversation:
    """One run. Use `hold`; a cancelled one leaves no process and no descriptor."""

    child: Child
    limits: Limits
    progress: Progress | None = None
    """Kept current, where somebody watches."""
    _ready: bool = False
    _is_over: bool = False
    _interruptions: int = 0
    _printed: bytearray = field(default_factory=bytearray)
    _raw: bytearray = field(default_factory=bytearray)
    _trace: bytes = b""

    async def hold(self, request: bytes) -> Ending:
        """Deliver the request, wait for the reply or for the end of the child's time, kill the child.

        One that has replied is killed a moment later.
        """
        self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[How] = self._loop.create_future()
        self._pending = memoryview(request)
        has_replied = False
        try:
            self._write_request()  # first of all: the child begins while this side gets ready to listen
            how = await self._reply()
            has_replied = how is How.REPLIED
        finally:
            self._forget_descriptors()
            if has_replied:
                self._loop.call_later(AFTERWARDS_SECONDS, self.child.kill)
            else:
                self.child.kill()
        exit_ = self.child.ended.result() if how is How.ENDED else None
        return Ending(how, self._trace, bytes(self._printed), bytes(self._raw), exit_)

    async def _reply(self) -> How:
        """Read until something ends it."""
        self._frames = frames.FrameReader(self.limits.reply_bytes + self.limits.console_bytes + FRAME_OVERHEAD_BYTES)
        self._loop.add_reader(self.child.reply, self._read_reply)
        self._loop.add_reader(self.child.output, self._read_output)
        self._deadline = self._loop.call_later(self.limits.hard_seconds, self._finish, How.HARD_LIMIT)
        self._alarm = self._loop.call_later(self.limits.soft_seconds, self._interrupt)
        self._question = self._loop.call_later(_ASK_EVERY_SECONDS, self._ask) if self.progress else None
        try:
            how = await self._over
            self._drain_output()
            return how
        finally:
            for timer in (self._deadline, self._alarm, self._question):
                if timer is not None:
                    timer.cancel()

    def _finish(self, how: How) -> None:
        if not self._over.done():
            self._over.set_result(how)

    def _interrupt(self) -> None:
        """Ask the program to stop, again and again: it may swallow one interruption, or be in C code for long.

        Now and then it is first to tell where it is. That takes a signal of its own: the handler of one
        that does both would pass it on by a system call that the lock refuses.
        """
        if self._is_over:
            return
        if self._interruptions % _TELL_WHERE_EVERY == _TELL_WHERE_EVERY - 1:
            self.child.signal(signal.SIGUSR1)
        self._interruptions += 1
        self.child.signal(signal.SIGALRM)
        self._alarm = self._loop.call_later(_ALARM_EVERY_SECONDS, self._interrupt)

    def _ask(self) -> None:
        """Have the program tell where it is; not before it can hear, as the signal would end it."""
        if self._ready:
            self.child.signal(signal.SIGUSR2)
        self._question = self._loop.call_later(_ASK_EVERY_SECONDS, self._ask)

    def _write_request(self) -> None:
        try:
            self._pending = self._pending[os.write(self.child.program, self._pending) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # it died while it waited; reading its reply will tell
            self._pending = memoryview(b"")
        if self._pending:
            self._loop.add_writer(self.child.program, self._write_request)
        else:
            self._loop.remove_writer(self.child.program)
            self.child.close_program()

    def _read_reply(self) -> None:
        data = _read(self.child.reply)
        if data is None:
            return
        if not data:
            # Closed, which a program can do and go on: it is over when the kernel says so, or when its time is.
            self._loop.remove_reader(self.child.reply)
            self.child.ended.add_done_callback(lambda _end: self._finish(self._without_trace()))
            return
        try:
            for kind, payload in self._frames.feed(data):
                if self._over.done():  # the first trace counts
                    break
                self._take(kind, payload)
        except frames.BadFrame:
            self._finish(How.BAD_REPLY)

    def _give_time_for_the_trace(self) -> None:
        """Once: a program that pretends to be over gains no more than that."""
        if not self._is_over:
            self._is_over = True
            until = max(self._deadline.when(), self._loop.time() + self.limits.trace_seconds)
            self._deadline.cancel()
            self._deadline = self._loop.call_at(until, self._finish, How.HARD_LIMIT)

    def _without_trace(self) -> How:
        if self.child.ended.result() is None:
            return How.LOST
        return How.ENDED if self._ready else How.NEVER_STARTED

    def _take(self, kind: bytes, payload: bytes) -> None:
        if kind == frames.READY:
            self._ready = True
        elif kind == frames.PLACE:
            place = frames.read_place(payload)
            if self.progress is not None:
                self.progress.is_at(*place)
        elif kind == frames.OVER:
            self._give_time_for_the_trace()
        elif kind == frames.TRACE:
            self._trace = payload
            self._finish(How.REPLIED)
        elif kind == frames.CONSOLE:
            self._printed += payload
            if len(self._printed) > self.limits.console_bytes:
                self._finish(How.OUTPUT_LIMIT)

    def _read_output(self) -> None:
        data = _read(self.child.output)
        if data is None:
            return
        if not data:
            self._loop.remove_reader(self.child.output)
            return
        self._raw += data
        if len(self._raw) > self.limits.console_bytes:
            self._finish(How.OUTPUT_LIMIT)

    def _drain_output(self) -> None:
        while len(self._raw) <= self.limits.console_bytes and (data := _read(self.child.output)):
            self._raw += data

    def _forget_descriptors(self) -> None:
        self._loop.remove_reader(self.child.reply)
        self._loop.remove_reader(self.child.output)
        if self.child.program >= 0:
            self._loop.remove_writer(self.child.program)


def _read(descriptor: int) -> bytes | None:
    """Bytes that are there; empty at the end; None when there are none now."""
    try:
        return os.read(descriptor, _READ_BYTES)
    except BlockingIOError:
        return None
