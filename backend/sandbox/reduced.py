"""The reduced mode: a plain subprocess for each run, where the kernel offers no sandbox.

For one's own code only: a program can do all that the server's user can. Time and output are limited, the rest is
not. It is taken by an explicit flag alone, and then the server listens on the loopback interface alone.
"""

import asyncio
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from typing import Literal

from backend.sandbox import frames, launch, results
from backend.sandbox.errors import SandboxUnavailable
from backend.sandbox.finished import Finished
from backend.sandbox.meters import Meters
from backend.sandbox.places import Places
from backend.sandbox.progress import Progress
from backend.sandbox.runner import FRAME_OVERHEAD_BYTES, Ending, How
from backend.sandbox.verdict import Exit
from backend.settings import Settings

# An interpreter has to start and load the engine before the program's own time begins.
_START_SECONDS = 20.0
_READ_BYTES = 1 << 16


class ReducedPool:
    """The same face as `Pool`: `start`, `run`, `stop`."""

    mode: Literal["full", "reduced"] = "reduced"

    def __init__(self, settings: Settings) -> None:
        self._limits = settings.limits
        self._places = Places(settings.places, settings.queue_length)
        self._torch_version = ""
        self._draining = False
        self.meters = Meters(self._levels)

    @property
    def ready(self) -> bool:
        return bool(self._torch_version) and not self._draining

    @property
    def torch_version(self) -> str:
        return self._torch_version

    async def start(self) -> None:
        """See one run through. Raises SandboxUnavailable."""
        trace = (await self.run("", 0, counted=False)).trace
        if trace.outcome.status != "ok":
            raise SandboxUnavailable(f"An empty program ended as {trace.outcome.status}: {trace.outcome.message}")
        self._torch_version = trace.torch_version

    def drain(self) -> None:
        """Accept no more runs, and tell those that wait; those under way are left to finish."""
        self._places.close()
        self._draining = True

    def _levels(self) -> dict[str, float]:
        return {"running": self._places.running, "waiting": self._places.waiting, "spares": 0}

    async def stop(self) -> None:
        """Nothing outlives a run."""

    async def run(
        self,
        code: str,
        seed: int,
        options: Mapping[str, object] | None = None,
        progress: Progress | None = None,
        *,
        counted: bool = True,
    ) -> Finished:
        """The trace of a program. Cancelling kills the program. Of `progress` the phase alone is known. Raises Busy."""
        async with self._places.one(progress):
            started = time.perf_counter()
            process = await asyncio.create_subprocess_exec(
                *launch.command("backend.sandbox.reduced_child", self._limits.to_json()),
                env=launch.environment(), stdin=PIPE, stdout=PIPE, stderr=DEVNULL,
            )  # fmt: skip
            try:
                ending = await self._converse(process, frames.pack_request(code, seed, options or {}))
            finally:
                if process.returncode is None:
                    process.kill()
                await process.wait()
            finished = await results.finish(ending, seed, self._torch_version, "", self._limits, started)
        if counted:
            self.meters.finished(finished.status, time.perf_counter() - started, len(finished.body))
        return finished

    async def _converse(self, process: Process, request: bytes) -> Ending:
        assert process.stdin is not None
        assert process.stdout is not None
        ending = Ending(How.NEVER_STARTED)
        reader = frames.FrameReader(self._limits.reply_bytes + self._limits.console_bytes + FRAME_OVERHEAD_BYTES)
        process.stdin.write(request)
        process.stdin.close()
        try:
            async with asyncio.timeout(_START_SECONDS) as deadline:
                while ending.how is not How.REPLIED and (data := await process.stdout.read(_READ_BYTES)):
                    for kind, payload in reader.feed(data):
                        self._take(ending, kind, payload, deadline)
        except TimeoutError:
            ending.how = How.HARD_LIMIT
        except frames.BadFrame:
            ending.how = How.BAD_REPLY
        if ending.how is How.ENDED:
            ending.exit = Exit(await process.wait(), 0.0, 0)
        if ending.how is How.NEVER_STARTED:
            raise SandboxUnavailable("The interpreter for the program did not start.")
        return ending

    def _take(self, ending: Ending, kind: bytes, payload: bytes, deadline: asyncio.Timeout) -> None:
        if kind == frames.READY:
            ending.how = How.ENDED  # unless more follows
            deadline.reschedule(asyncio.get_running_loop().time() + self._limits.hard_seconds)
        elif kind == frames.OVER:
            deadline.reschedule(asyncio.get_running_loop().time() + self._limits.trace_seconds)
        elif kind == frames.TRACE:
            ending.how, ending.trace = How.REPLIED, payload
        else:
            ending.printed += payload
