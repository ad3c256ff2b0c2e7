"""The API's end of a zygote: starts it, receives children from it, hears how they ended."""

import asyncio
import json
import os
import socket
import subprocess

from backend.sandbox import launch
from backend.sandbox.errors import SandboxUnavailable
from backend.sandbox.spares import Child, Readiness, Spares
from backend.sandbox.verdict import Exit
from backend.sandbox.zygote_protocol import FORK, MESSAGE_BYTES, REAP, RETIRE
from backend.settings import Limits

_START_SECONDS = 60
# While runs go on or follow each other sooner than this, getting spares ready would cost them more than it saves.
_IDLE_SECONDS = 0.025


class ZygoteClient:
    """One zygote process. `closed` is set when it is gone."""

    def __init__(self) -> None:
        self._spares = Spares()
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

    def spare_child(self) -> Child | None:
        """A child of its own for one run, if there is one."""
        return None if self._spares.empty() else self._taken(self._spares.get_nowait())

    async def next_child(self) -> Child | None:
        """A child of its own for one run, once there is one; None when the zygote is gone."""
        return self._taken(await self._spares.get())

    def _taken(self, child: Child | None) -> Child | None:
        if child is None:
            self._spares.put_nowait(None)  # whoever else waits is to hear it too
        else:
            self._loop.remove_reader(child.reply)
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
            child.kill()
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
        self._idle = self._loop.call_later(_IDLE_SECONDS, self._warm_up_one)

    def _warm_up_one(self) -> None:
        """One at a time, none while a program runs: whoever comes meanwhile is to find another spare, and a core."""
        waiting = self._spares.waiting()
        cold = [child for child in waiting if child.readiness is Readiness.COLD]
        if not cold or self.closed.is_set():
            return
        is_idle = len(self._children) <= len(waiting)  # fewer where one died while it waited
        if is_idle and all(child.readiness is not Readiness.WARMING_UP for child in waiting):
            self._loop.add_reader(cold[0].reply, self._is_warm, cold[0])
            cold[0].warm_up()
        self._warm_up_when_idle()

    def _is_warm(self, child: Child) -> None:
        """It said so, or it ended; what it said is left to who takes it."""
        self._loop.remove_reader(child.reply)
        child.readiness = Readiness.WARM

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
                self._loop.remove_reader(child.reply)
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
