"""The separate program that has everything loaded and forks the children.

It is started by exec, so it shares no address-space layout with the API, and it never sees a program: those go from
the API to a child directly. It speaks over one socket, as `zygote_protocol` says: asked for a child, it answers with
its process id and four descriptors (where to write the program, its raw output, its reply, a pidfd). On its own it
reports each child that ended, as the kernel tells it. When the socket closes it is gone.
"""

import contextlib
import faulthandler
import gc
import json
import os
import select
import signal
import socket

from backend.sandbox import child, preload
from backend.sandbox.lock import Lock, drop_privileges
from backend.sandbox.serve import PROGRAM_FILE
from backend.sandbox.zygote_protocol import FORK, MESSAGE_BYTES, RETIRE
from backend.settings import Limits

_KIBIBYTE = 1024


class Zygote:
    """The loop and what it knows: the socket, how to lock, which children live."""

    def __init__(self, control: socket.socket, lock: Lock) -> None:
        self._control = control
        self._lock = lock
        self._children: set[int] = set()
        self._retiring = False
        self._woken, self._wake = os.pipe()

    def serve(self) -> None:
        """Answer until the socket closes, or until retired and childless."""
        self._wake_on_child_exit()
        poller = select.poll()
        poller.register(self._control, select.POLLIN)
        poller.register(self._woken, select.POLLIN)
        while self._children or not self._retiring:
            for descriptor, _event in poller.poll():
                if descriptor == self._woken:
                    os.read(self._woken, 4096)
                    self._report_exits()
                elif not self._obey(self._next_message()):
                    return

    def _next_message(self) -> bytes:
        """Empty when the API is gone."""
        try:
            return self._control.recv(MESSAGE_BYTES)
        except ConnectionResetError:
            return b""

    def _obey(self, message: bytes) -> bool:
        if message == FORK:
            self._fork()
        elif message == RETIRE:
            self._retiring = True
        return bool(message)

    def _fork(self) -> None:
        program, to_program = os.pipe()
        from_output, output = os.pipe()
        from_reply, reply = os.pipe()
        pid = os.fork()
        if pid == 0:
            child.live_and_die(self._lock, (program, output, reply))
        self._children.add(pid)
        pidfd = os.pidfd_open(pid)
        message = json.dumps({"child": pid}).encode()
        with contextlib.suppress(BrokenPipeError):  # the API is gone; the next read says so
            socket.send_fds(self._control, [message], [to_program, from_output, from_reply, pidfd])
        for descriptor in (program, to_program, from_output, output, from_reply, reply, pidfd):
            os.close(descriptor)

    def _report_exits(self) -> None:
        while self._children:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
            if pid == 0:
                return
            self._children.discard(pid)
            code = os.waitstatus_to_exitcode(status)
            report = {"exit": [pid, code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _KIBIBYTE]}
            with contextlib.suppress(BrokenPipeError):
                self._control.send(json.dumps(report).encode())

    def _wake_on_child_exit(self) -> None:
        os.set_blocking(self._wake, False)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _signal, _frame: None)


def main(limits_json: str, control_descriptor: str) -> None:
    """Load, give up privileges, serve."""
    limits = Limits.from_json(limits_json)
    control = socket.socket(fileno=int(control_descriptor))
    control.setblocking(True)
    preload.load(limits)
    faulthandler.enable(file=1, all_threads=False)
    drop_privileges()
    lock = Lock.prepare(limits)
    preload.forget_where_modules_are()
    gc.collect()
    gc.freeze()
    about = {"user": os.geteuid(), "landlock": lock.ruleset is not None, "program_file": PROGRAM_FILE}
    control.send(json.dumps({"ready": about}).encode())
    Zygote(control, lock).serve()
