"""A forked child's life: introduce itself, lock, serve one program, die."""

import faulthandler
import os
import signal
import socket
import time
import traceback

from backend.sandbox import preload, stops
from backend.sandbox.frames import FrameWriter
from backend.sandbox.lock import LAST_DESCRIPTOR, Lock
from backend.sandbox.serve import PROGRAM_FILE, RECORDER_FOLDER, serve
from backend.sandbox.verdict import LOCK_FAILED, NO_REPLY

_SOURCE, _OUTPUT = 0, 1
# To end takes a core for a while, which is better had when the answer has been sent: by then it has been killed.
_LINGERS_SECONDS = 1.0


class Life:
    """What every child does, prepared as far as it can be before the fork: what a child itself writes to is copied."""

    def __init__(self, lock: Lock, control: socket.socket) -> None:
        """In the zygote. `control`: where the API hears of a child."""
        self._lock = lock
        self._control = control
        self._reply = FrameWriter(LAST_DESCRIPTOR)
        _own_the_signals(self._reply)

    def live_and_die(self) -> None:
        """In the child. Never returns, whatever happens: the caller's loop is the parent's."""
        code = LOCK_FAILED
        try:
            self._lock.close(_announce(self._control))
            code = NO_REPLY
            serve(_SOURCE, self._reply, self._lock.limits, self._warm_up)
            code = 0
            time.sleep(_LINGERS_SECONDS)
        except BaseException:  # noqa: BLE001 - whatever it was, the process ends here
            os.write(_OUTPUT, traceback.format_exc().encode("utf-8", "replace"))
        finally:
            os._exit(code)

    def _warm_up(self) -> None:
        """Write to what a run writes to: memory shared with the zygote is copied then, rather now than in the run."""
        preload.run_typical(self._lock.limits)


def _announce(control: socket.socket) -> tuple[int, int, int]:
    """Give the API its ends of three pipes, and the pidfd. Returns the other ends, as `Lock.close` takes them."""
    program, to_program = os.pipe()
    from_output, output = os.pipe()
    from_reply, reply = os.pipe()
    pid = os.getpid()
    socket.send_fds(control, [b'{"child": %d}' % pid], [to_program, from_output, from_reply, os.pidfd_open(pid)])
    return program, output, reply


def _own_the_signals(reply: FrameWriter) -> None:
    """For the children, who inherit it. Nobody sends the zygote itself any of these."""
    stops.interrupt_on_signals(PROGRAM_FILE, RECORDER_FOLDER, reply)
    stops.tell_on_signal(reply)
    # Writes the stack to the raw output at once, so that a line is known when C code never comes back.
    faulthandler.register(signal.SIGUSR1, file=_OUTPUT, all_threads=False)
