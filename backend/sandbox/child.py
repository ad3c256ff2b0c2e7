"""A forked child's life: get ready, lock, serve one program, die."""

import faulthandler
import os
import select
import signal
import traceback

from backend.sandbox import preload, stops
from backend.sandbox.frames import FrameWriter
from backend.sandbox.lock import LAST_DESCRIPTOR, Lock
from backend.sandbox.serve import PROGRAM_FILE, RECORDER_FOLDER, serve
from backend.sandbox.verdict import LOCK_FAILED, NO_REPLY

_SOURCE, _OUTPUT = 0, 1
# Who is taken sooner than this is one of many that come and go, and comfort would cost more than it saves.
_HURRY_MS = 80


def live_and_die(lock: Lock, descriptors: tuple[int, int, int]) -> None:
    """Everything a forked child does. Never returns, whatever happens: the caller's loop is the parent's."""
    code = LOCK_FAILED
    reply = FrameWriter(LAST_DESCRIPTOR)
    try:
        _own_the_signals(reply)
        if not _comes_within(_HURRY_MS, descriptors[0]):
            # Memory shared with the zygote is copied, page by page, when first written to: now, rather than in the run.
            preload.run_typical(lock.limits)
        lock.close(descriptors)
        code = NO_REPLY
        serve(_SOURCE, reply, lock.limits)
        code = 0
    except BaseException:  # noqa: BLE001 - whatever it was, the process ends here
        os.write(_OUTPUT, traceback.format_exc().encode("utf-8", "replace"))
    finally:
        os._exit(code)


def _comes_within(milliseconds: int, source: int) -> bool:
    """Whether a program comes shortly: then what makes a spare quick would only make it late."""
    poller = select.poll()
    poller.register(source, select.POLLIN)
    return bool(poller.poll(milliseconds))


def _own_the_signals(reply: FrameWriter) -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    stops.interrupt_on_signals(PROGRAM_FILE, RECORDER_FOLDER, reply)
    stops.tell_on_signal(reply)
    # Writes the stack to the raw output at once, so that a line is known when C code never comes back.
    faulthandler.register(signal.SIGUSR1, file=_OUTPUT, all_threads=False)
