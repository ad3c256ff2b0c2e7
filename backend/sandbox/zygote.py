"""The separate program that has everything loaded and forks the children.

It is started by exec, so it shares no address-space layout with the API, and it never sees a program: those go from
the API to a child directly. It speaks over one socket, as `zygote_protocol` says, and does next to nothing itself: what
it writes to after a fork is copied, and breaks up a huge page that made the next fork cheap. So a child makes its own
pipes, and how one ended is told when somebody asks. When the socket closes the zygote is gone.
"""

import contextlib
import faulthandler
import gc
import json
import os
import socket

from backend.sandbox import heap, kernel, preload
from backend.sandbox.child import Life
from backend.sandbox.lock import Lock, drop_privileges
from backend.sandbox.serve import PROGRAM_FILE
from backend.sandbox.zygote_protocol import FORK, RETIRE
from backend.settings import Limits

_KIBIBYTE = 1024


class Zygote:
    """The loop and what it knows: the socket, what a child does, how many of them live."""

    def __init__(self, control: socket.socket, life: Life) -> None:
        self._control = control
        self._life = life
        self._children = 0
        self._retiring = False

    def serve(self) -> None:
        """Answer until the socket closes, or until retired and childless."""
        control = self._control.fileno()
        while self._children or not self._retiring:
            try:
                message = os.read(control, 1)
            except ConnectionResetError:
                return
            if not message:  # the API is gone
                return
            self._report_exits()
            if message == FORK:
                self._fork()
            elif message == RETIRE:
                self._retiring = True

    def _fork(self) -> None:
        if kernel.fork() == 0:
            self._life.live_and_die()
        self._children += 1

    def _report_exits(self) -> None:
        while self._children:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
            if pid == 0:
                return
            self._children -= 1
            code = os.waitstatus_to_exitcode(status)
            cpu_seconds = usage.ru_utime + usage.ru_stime
            report = b'{"exit": [%d, %d, %.6f, %d]}' % (pid, code, cpu_seconds, usage.ru_maxrss * _KIBIBYTE)
            with contextlib.suppress(BrokenPipeError):  # the API is gone; the next read says so
                self._control.send(report)


def load(limits_json: str) -> None:
    """Load what programs need."""
    preload.load(Limits.from_json(limits_json))


def main(limits_json: str, control_descriptor: str) -> None:
    """Give up privileges, serve. To be called when all is loaded."""
    limits = Limits.from_json(limits_json)
    control = socket.socket(fileno=int(control_descriptor))
    control.setblocking(True)
    faulthandler.enable(file=1, all_threads=False)
    drop_privileges()
    lock = Lock.prepare(limits)
    life = Life(lock, control)
    preload.forget_where_modules_are()
    gc.collect()
    gc.freeze()
    heap.use_huge_pages()
    about = {"user": os.geteuid(), "landlock": lock.ruleset is not None, "program_file": PROGRAM_FILE}
    control.send(json.dumps({"ready": about}).encode())
    Zygote(control, life).serve()
