"""A server as it is started, in a process of its own."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import httpx

from tests.backend.processes import Process, descendants
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 300.0
"""How long what must come to pass may take on a machine with much else to do."""
PATIENT = {f"AUTOGRAD_{name}_SECONDS": "60" for name in ("SOFT", "HARD", "CPU_SOFT", "CPU_HARD")}
"""Settings for programs that are to end by themselves, or by what a test does to them."""
_HELD_BYTES = 192 << 20
HOLDS_ON = f"held = b'x' * {_HELD_BYTES}\nwhile True: pass"
"""A program that never ends and is known by its size."""


def start(*arguments: str, stderr: int | IO[str] = subprocess.PIPE, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "backend", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        stderr=stderr,
        text=True,
    )


@contextmanager
def serving(*arguments: str, **environment: str) -> Iterator[tuple[httpx.Client, int]]:
    """A client of a server that is ready, and the server's process id."""
    port = free_port()
    with tempfile.TemporaryFile("w+") as said:  # a pipe that nobody reads would fill up and hold the server
        process = start("--port", str(port), *arguments, stderr=said, **environment)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_SECONDS) as client:
                eventually(lambda: process.poll() is not None or answers(client))
                said.seek(0)
                assert process.poll() is None, said.read()
                yield client, process.pid
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)


def answers(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


def eventually(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it never came to pass"
        time.sleep(0.02)


def holders(pid: int) -> set[Process]:
    """The children below a server that run `HOLDS_ON`."""
    return {child for child in descendants(pid) if child.resident_bytes >= _HELD_BYTES}
