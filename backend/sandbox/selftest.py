"""What a program tries in a locked child, and must be refused. `python -m backend.sandbox.selftest` prints it.

The service runs this when it starts and refuses to start if anything gets through.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from backend.sandbox.errors import SandboxLeaks, SandboxUnavailable
from backend.sandbox.finished import Finished
from backend.sandbox.pool import Pool
from backend.schemas import Outcome
from backend.settings import Settings

Run = Callable[[str, int], Awaitable[Finished]]


ATTEMPTS = {
    "open a file": "open('/etc/hostname')",
    "write a file": "open('/tmp/selftest', 'w')",
    "list a directory": "import os\nos.listdir('/')",
    "ask whether a file exists": "import os\nos.stat('/')",
    "open a TCP socket": "import socket\nsocket.socket()",
    "open a UNIX socket": "import socket\nsocket.socketpair()",
    "fork": "import os\nos.fork()",
    "start a program": "import os\nos.execv('/bin/sh', ['sh'])",
    "start a thread": "import threading\nthreading.Thread(target=print).start()",
    "signal another process": "import os\nos.kill(1, 0)",
    "raise its limits": "import resource\nresource.prlimit(0, resource.RLIMIT_CPU, (1, 1))",
    "move its timer": "import signal\nsignal.setitimer(signal.ITIMER_REAL, 9)",
    "make memory executable": "import mmap\nmmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)",
    "open an anonymous file": "import os\nos.memfd_create('x')",
    "trace a process": "import ctypes\nctypes.CDLL(None).ptrace(0, 0, 0, 0)",
    "change its user": "import os\nos.setuid(0)",
}
REFUSALS = ("PermissionError", "OSError", "BlockingIOError", "itimer_error")


@dataclass(frozen=True)
class Result:
    """One attempt and what became of it."""

    attempt: str
    refused: bool
    answer: str


async def attempt_all(run: Run) -> list[Result]:
    """Try everything, each in a child of its own; first of all that an honest program does run."""
    trace = (await run("print('hello')", 0)).trace
    honest = trace.outcome.status == "ok" and "".join(entry.text for entry in trace.console) == "hello\n"
    results = [Result("run an honest program", honest, "it printed" if honest else _answer(trace.outcome))]
    for name, program in ATTEMPTS.items():
        trace = (await run(program, 0)).trace
        results.append(Result(name, _is_refusal(trace.outcome), _answer(trace.outcome)))
    return results


async def require_tight(run: Run) -> None:
    """Raises SandboxLeaks, naming what got through."""
    leaks = [result for result in await attempt_all(run) if not result.refused]
    if leaks:
        raise SandboxLeaks(
            "The sandbox leaks, so the service does not start: "
            + "; ".join(f"{leak.attempt}: {leak.answer}" for leak in leaks)
        )


def _is_refusal(outcome: Outcome) -> bool:
    if outcome.status == "crash":  # killed for trying
        return True
    error = outcome.error
    no_thread = error is not None and error.type == "RuntimeError" and "start new thread" in error.message
    return outcome.status == "error" and error is not None and (error.type in REFUSALS or no_thread)


def _answer(outcome: Outcome) -> str:
    if outcome.error is not None:
        return f"{outcome.error.type}: {outcome.error.message}"
    return f"{outcome.status}: {outcome.message}" if outcome.message else outcome.status


async def _report() -> int:
    pool = Pool(Settings.from_environment())
    try:
        await pool.start()
        results = await attempt_all(pool.run)
    except SandboxUnavailable as error:
        print(f"selftest: {error}", file=sys.stderr)
        return 1
    finally:
        await pool.stop()
    print(f"user {pool.about['user']}, Landlock {'on' if pool.about['landlock'] else 'absent'}, seccomp on")
    for result in results[1:]:
        print(f"{'refused' if result.refused else 'SUCCEEDED':9}  {result.attempt:26}  {result.answer}")
    print(f"{'ok' if results[0].refused else 'FAILED':9}  {results[0].attempt:26}  {results[0].answer}")
    return 0 if all(result.refused for result in results) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(_report()))
