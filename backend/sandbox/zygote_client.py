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
from backend.sandbox.verdict import Exit
from backend.sandbox.zygote_protocol import FORK, MESSAGE_BYTES, RETIRE
from backend.settings import Limits

_START_SECONDS = 60


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

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; no matter when it has ended already."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, number)

    def kill(self) -> None:
        """End it and give its descriptors back. May be called once."""
        self.signal(signal.SIGKILL)
        for descriptor in (self.program, self.output, self.reply, self.pidfd):
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
        self._ends: dict[int, asyncio.Future[Exit | None]] = {}
        self._ready = asyncio.Event()
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self, limits: Limits) -> None:
        """Start the program and wait until it is loaded. Raises SandboxUnavailable."""
        self._loop = asyncio.get_running_loop()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setblocking(False)
        arguments = (limits.to_json(), str(theirs.fileno()))
        with theirs:
            self._process = subprocess.Popen(
                launch.command("backend.sandbox.zygote", *arguments),
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
            end = self._ends[message["child"]] = self._loop.create_future()
            program, output, reply, pidfd = descriptors
            child = Child(message["child"], program, output, reply, pidfd, end)
            if self._retired:  # asked for before, arrived after
                child.kill()
            else:
                self._spares.put_nowait(child)
        elif "exit" in message:
            pid, *how = message["exit"]
            self._ends.pop(pid).set_result(Exit(*how))
        else:
            self.about = message["ready"]
            self._ready.set()

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
        for end in self._ends.values():
            if not end.done():
                end.set_result(None)
        self._ends.clear()
        self._kill_spares()
        self._spares.put_nowait(None)
