"""Keeps locked children waiting, gives one to each run, bounds how many run and how many wait."""

import asyncio
import logging
import time
from collections.abc import Mapping
from typing import Literal

from backend.sandbox import frames, results
from backend.sandbox.errors import Busy, SandboxUnavailable
from backend.sandbox.finished import Finished
from backend.sandbox.meters import Meters
from backend.sandbox.places import Places
from backend.sandbox.progress import Progress
from backend.sandbox.runner import AFTERWARDS_SECONDS, Conversation, Ending, How
from backend.sandbox.spares import Child
from backend.sandbox.zygote_client import ZygoteClient
from backend.settings import Settings

log = logging.getLogger(__name__)

# A zygote that died needs a while to load anew on a busy machine; until then runs wait rather than fail.
_CHILD_WAIT_SECONDS = 30.0
_REPLACEMENT_POLL_SECONDS = 0.05
_RESTART_PAUSES = (0.0, 0.2, 1.0, 5.0)
_ATTEMPTS = 3


class Pool:
    """The sandbox as the API sees it: `start`, `run`, `stop`."""

    mode: Literal["full", "reduced"] = "full"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._limits = settings.limits
        self._places = Places(settings.places, settings.queue_length)
        self._zygote = ZygoteClient()
        self._served = 0
        self._keeper: asyncio.Task[None] | None = None
        self._replacement: asyncio.Task[None] | None = None
        self._torch_version = ""
        self._draining = False
        self.meters = Meters(self._levels)

    @property
    def _program_file(self) -> str:
        return self._zygote.about["program_file"]

    @property
    def ready(self) -> bool:
        return bool(self._torch_version) and not self._draining and not self._zygote.closed.is_set()

    @property
    def about(self) -> dict:
        """What the zygote said of itself: its user id, whether Landlock is there."""
        return self._zygote.about

    @property
    def torch_version(self) -> str:
        return self._torch_version

    async def start(self) -> None:
        """Start the zygote and see one run through. Raises SandboxUnavailable."""
        self._zygote = await self._new_zygote("start")
        trace = (await self.run("", 0, counted=False)).trace
        if trace.outcome.status != "ok":
            raise SandboxUnavailable(f"An empty program ended as {trace.outcome.status}: {trace.outcome.message}")
        self._torch_version = trace.torch_version
        self._keeper = asyncio.create_task(self._keep_alive())

    def drain(self) -> None:
        """Accept no more runs, and tell those that wait; those under way are left to finish."""
        self._places.close()
        self._draining = True

    def _levels(self) -> dict[str, float]:
        return {
            "running": self._places.running,
            "waiting": self._places.waiting,
            "spares": self._zygote.spares,
        }

    async def stop(self) -> None:
        """End every process of the pool."""
        for task in (self._keeper, self._replacement):
            if task is not None:
                task.cancel()
        await self._zygote.stop()

    async def run(
        self,
        code: str,
        seed: int,
        options: Mapping[str, object] | None = None,
        progress: Progress | None = None,
        *,
        counted: bool = True,
    ) -> Finished:
        """The trace of a program. Cancelling kills the program.

        `options`: what `engine.trace.Options` holds, as JSON data. `progress`: kept current until the trace is there.
        `counted`: whether it is somebody's, rather than one of the service itself.

        Raises Busy when too many wait, SandboxUnavailable when no child can be had.
        """
        try:
            async with self._places.one(progress):
                started = time.perf_counter()
                ending = await self._ending(frames.pack_request(code, seed, options or {}), progress)
                if progress is not None:
                    progress.writes()
                finished = await results.finish(
                    ending, seed, self._torch_version, self._program_file, self._limits, started
                )
        except Busy:
            self.meters.refused.inc()
            raise
        if counted:
            self.meters.finished(finished.status, time.perf_counter() - started, len(finished.body))
        return finished

    async def _ending(self, request: bytes, progress: Progress | None) -> Ending:
        """What a child gave back; when it was lost to something other than the program, what another did."""
        for _attempt in range(_ATTEMPTS):
            zygote, child = await self._take_child()
            try:
                ending = await Conversation(child, self._limits, progress).hold(request)
            finally:
                if zygote is self._zygote:  # a new one came with all the children it needs
                    asyncio.get_running_loop().call_later(AFTERWARDS_SECONDS, zygote.request_child)
            if ending.how is How.NEVER_STARTED:
                log.error("a child ended before it was locked: %s", ending.raw.decode("utf-8", "replace"))
            elif ending.how is not How.LOST:
                return ending
            self.meters.repeated.inc()
        raise SandboxUnavailable("No locked process could be started.")

    async def _take_child(self) -> tuple[ZygoteClient, Child]:
        zygote = self._zygote
        if (child := zygote.spare_child()) is None:
            zygote, child = await self._wait_for_child()
        self._served += 1
        if self._served >= self._settings.recycle_after and self._replacement is None:
            self._replacement = asyncio.create_task(self._recycle())
        return zygote, child

    async def _wait_for_child(self) -> tuple[ZygoteClient, Child]:
        try:
            async with asyncio.timeout(_CHILD_WAIT_SECONDS):
                while (child := await (zygote := self._zygote).next_child()) is None:
                    await asyncio.sleep(_REPLACEMENT_POLL_SECONDS)
        except TimeoutError:
            raise SandboxUnavailable("No process to run the program became free.") from None
        return zygote, child

    async def _new_zygote(self, reason: str) -> ZygoteClient:
        zygote = ZygoteClient()
        self.meters.zygotes.labels(reason).inc()
        await zygote.start(self._limits)
        for _ in range(self._settings.places + self._settings.spares):
            zygote.request_child()
        return zygote

    async def _recycle(self) -> None:
        """Put a fresh zygote in the old one's place; the old one ends after its last run."""
        try:
            old, self._zygote = self._zygote, await self._new_zygote("recycle")
            old.retire()
            self._served = 0
        except SandboxUnavailable as error:
            log.warning("the old zygote stays in service: %s", error)
            self._served = 0
        finally:
            self._replacement = None

    async def _keep_alive(self) -> None:
        """Replace a zygote that died."""
        while True:
            zygote = self._zygote
            await zygote.closed.wait()
            if zygote is self._zygote:
                log.warning("the zygote ended and is started again")
                await self._restart()

    async def _restart(self) -> None:
        failures = 0
        while True:
            await asyncio.sleep(_RESTART_PAUSES[min(failures, len(_RESTART_PAUSES) - 1)])
            try:
                self._zygote = await self._new_zygote("crash")
                return
            except SandboxUnavailable as error:
                failures += 1
                log.error("the zygote could not be started: %s", error)
