"""A forked child's life: lock, serve one program, die."""

import faulthandler
import os
import signal

from backend.sandbox import stops
from backend.sandbox.lock import LAST_DESCRIPTOR, Lock
from backend.sandbox.serve import serve
from engine.trace import PROGRAM_FILE

_LOCK_FAILED = 70
_NO_REPLY = 71
_SOURCE, _OUTPUT, _REPLY = 0, 1, LAST_DESCRIPTOR


def live_and_die(lock: Lock, descriptors: tuple[int, int, int]) -> None:
    """Everything a forked child does. Never returns, whatever happens: the caller's loop is the parent's."""
    code = _LOCK_FAILED
    try:
        _own_the_signals()
        lock.close(descriptors)
        code = _NO_REPLY
        serve(_SOURCE, _REPLY, lock.limits)
        code = 0
    finally:
        os._exit(code)


def _own_the_signals() -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    stops.interrupt_on_signals(PROGRAM_FILE)
    # Also writes the stack to the raw output at once, so that a line is known when C code never comes back.
    faulthandler.register(signal.SIGALRM, file=_OUTPUT, all_threads=False, chain=True)
