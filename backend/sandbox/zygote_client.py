"""The API's end of a zygote: starts it, receives children from it, hears how they ended."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
from dataclasses import dataclass

from backend.sandbox import launch
from backend.sandbox.errors import SandboxUnavailable
from backend.sandbox.frames import WARM_UP
from backend.sandbox.verdict import Exit
from backend.sandbox.zygote_protocol import FORK, MESSAGE_BYTES, REAP, RETIRE
from backend.settings import Limits

_START_SECONDS = 60
# Where one run follows the other sooner than this, getting spares ready would cost the runs more than it saves.
_IDLE_SECONDS = 0.08


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
    is_warm: bool = False

    def warm_up(self) -> None:
        """Have it get ready for a quick run, once."""
        if not self.is_warm:
            self.is_warm = True
            with contextlib.suppress(OSError):  # it ended while it waited; who takes it will see
                os.write(self.program, WARM_UP)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; no matter when it has ended already."""
        if self.pidfd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, number)

    def kill(self) -> None:
        """End it and give its pipes back. May be called once."""
        self.signal(signal.SIGKILL)
        for descriptor in (self.program, self.output, self.reply):
            if descriptor >= 0:
                os.close(descriptor)

    def close_program(self) -> None:
        """Let it see the end of its input."""
        os.close(self.program)
        self.program = -1


class ZygoteClient:
    """One zygote process. `closed` is set when it is gone."""

    def __init__(self) -> None:
        self._spares: asyncio.Queue[Child | None] = asyncio.Queue()
        self.closed = asyncio.Event()
        self.about: dict = {}
        self._retired = False
        self._children: dict[int, Child] = {}
        self._ready = asyncio.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def start(self, limits: Limits) -> None:
        """Start the program and wait until it is loaded. Raises SandboxUnavailable."""
        self._loop = asyncio.get_running_loop()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setblocking(False)
        arguments = (limits.to_json(), str(theirs.fileno()))
        with theirs:
            self._process = subprocess.Popen(
                launch.command("backend.sandbox.zygote_start", *arguments),
                env=launch.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                cwd="/",
            )
        self._loop.add_reader(self._control, self._receive)
        await self._until_ready()

    @property
    def spares(self) -> int:
        """Children that wait for a program."""
        return self._spares.qsize()

    def request_child(self) -> None:
        """Ask for one more child; `next_child` will give it."""
        self._send(FORK)

    async def next_child(self) -> Child | None:
        """A child of its own for one run, once there is one; None when the zygote is gone."""
        child = await self._spares.get()
        if child is None:
            self._spares.put_nowait(None)  # whoever else waits is to hear it too
        self._warm_up_when_idle()
        return child

    def retire(self) -> None:
        """Kill the spares; the process ends once the runs under way have."""
        self._retired = True
        self._send(RETIRE)
        self._kill_spares()
        self._spares.put_nowait(None)

    async def stop(self) -> None:
        """End the process and, with it, every child of it. Harmless when it never started."""
        if self._process is None:
            return
        self._lost()
        self._kill_spares()
        self._process.kill()
        await asyncio.to_thread(self._process.wait)
        for child in self._children.values():
            self._let_go(child)

    async def _until_ready(self) -> None:
        waits = [asyncio.ensure_future(event.wait()) for event in (self._ready, self.closed)]
        try:
            await asyncio.wait(waits, timeout=_START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if not self._ready.is_set() or self.closed.is_set():
            await self.stop()
            raise SandboxUnavailable("The process that runs programs did not start; its error output says why.")

    def _send(self, message: bytes) -> None:
        try:
            self._control.send(message)
        except OSError:
            self._lost()

    def _receive(self) -> None:
        try:
            data, descriptors, _flags, _address = socket.recv_fds(
                self._control, MESSAGE_BYTES, 4, socket.MSG_CMSG_CLOEXEC
            )
        except BlockingIOError:
            return
        except OSError:
            data, descriptors = b"", []
        if data:
            self._understand(json.loads(data), descriptors)
        else:
            self._lost()

    def _understand(self, message: dict, descriptors: list[int]) -> None:
        if "child" in message:
            for descriptor in descriptors[:3]:
                os.set_blocking(descriptor, False)
            program, output, reply, pidfd = descriptors
            child = Child(message["child"], program, output, reply, pidfd, self._loop.create_future())
            self._children[child.pid] = child
            self._loop.add_reader(pidfd, self._reap, child)
            if self._retired:  # asked for before, arrived after
                child.kill()
            else:
                self._spares.put_nowait(child)
                self._warm_up_when_idle()
        elif "exit" in message:
            pid, *how = message["exit"]
            if pid in self._children:
                child = self._children.pop(pid)
                self._let_go(child)
                child.ended.set_result(Exit(*how))
            else:  # it failed before it could say that it was there
                self.request_child()
        else:
            self.about = message["ready"]
            self._ready.set()

    def _warm_up_when_idle(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = self._loop.call_later(_IDLE_SECONDS, self._warm_up_spares)

    def _warm_up_spares(self) -> None:
        waiting = [self._spares.get_nowait() for _ in range(self._spares.qsize())]
        for child in waiting:
            if child is not None:
                child.warm_up()
            self._spares.put_nowait(child)

    def _reap(self, child: Child) -> None:
        """It has ended: ask how."""
        self._let_go(child)
        self._send(REAP)

    def _let_go(self, child: Child) -> None:
        if child.pidfd >= 0:
            self._loop.remove_reader(child.pidfd)
            os.close(child.pidfd)
            child.pidfd = -1

    def _kill_spares(self) -> None:
        while not self._spares.empty():
            if (child := self._spares.get_nowait()) is not None:
                child.kill()

    def _lost(self) -> None:
        if self.closed.is_set():
            return
        self.closed.set()
        self._loop.remove_reader(self._control)
        self._control.close()
        for child in self._children.values():
            child.ended.set_result(None)
        self._kill_spares()
        self._spares.put_nowait(None)
