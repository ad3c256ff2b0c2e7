"""Answers that were given before, for programs that would do the same again.

Kept in memory, by a hash of all that a run depends on: version of the engine, program, seed, options. Only what the
program itself brought to an end is kept, never what a limit, a crash or the service did to it.
"""

import asyncio
import hashlib
import json
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from backend.sandbox.finished import Finished, Source
from backend.sandbox.meters import Meters
from backend.sandbox.progress import Progress
from backend.sandbox.repeatable import is_repeatable, shows_an_address

_KEPT_STATUSES = ("ok", "error")
_ENTRY_BYTES = 500
"""About what an entry takes beside its trace."""
_LARGEST_SHARE = 8
"""No trace takes more than this part of the room."""


class Runner(Protocol):
    """What runs programs."""

    meters: Meters

    @property
    def torch_version(self) -> str: ...

    async def run(
        self, code: str, seed: int, options: Mapping[str, object] | None = None, progress: Progress | None = None
    ) -> Finished: ...


@dataclass(frozen=True)
class _Kept:
    body: bytes
    status: str
    since: float


class Repeats:
    """A sandbox that is asked for new answers alone. Of those it keeps, the longest unused goes first."""

    def __init__(self, sandbox: Runner, most_bytes: int) -> None:
        """`most_bytes`: room for all that is kept; 0 keeps nothing."""
        self._sandbox = sandbox
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[bytes, _Kept] = OrderedDict()
        self._under_way: dict[bytes, asyncio.Event] = {}

    async def run(
        self, code: str, seed: int, options: Mapping[str, object] | None = None, progress: Progress | None = None
    ) -> Finished:
        """The trace that is kept, else that of a run. The same asked for meanwhile waits, and runs if that was lost.

        Raises what a run does.
        """
        if not self._most_bytes:
            return await self._sandbox.run(code, seed, options, progress)
        if not is_repeatable(code):
            return self._noted("bypass", await self._sandbox.run(code, seed, options, progress))
        key = _key(self._sandbox.torch_version, code, seed, options or {})
        if (first := self._under_way.get(key)) is not None:
            await first.wait()
        if (found := self._found(key)) is not None:
            return self._noted("hit", found)
        done = self._under_way.setdefault(key, asyncio.Event())
        try:
            finished = await self._sandbox.run(code, seed, options, progress)
            is_kept = self._keep(key, finished)
        finally:
            done.set()
            if self._under_way.get(key) is done:
                del self._under_way[key]
        return self._noted("stored" if is_kept else "miss", finished)

    def _found(self, key: bytes) -> Finished | None:
        kept = self._kept.get(key)
        if kept is None:
            return None
        self._kept.move_to_end(key)
        return Finished(kept.body, kept.status, age=int(time.monotonic() - kept.since))

    def _keep(self, key: bytes, finished: Finished) -> bool:
        size = len(finished.body) + _ENTRY_BYTES
        if finished.status not in _KEPT_STATUSES or size * _LARGEST_SHARE > self._most_bytes:
            return False
        if shows_an_address(finished.body):
            return False
        if (before := self._kept.pop(key, None)) is not None:
            self._bytes -= len(before.body) + _ENTRY_BYTES
        self._kept[key] = _Kept(finished.body, finished.status, time.monotonic())
        self._bytes += size
        while self._bytes > self._most_bytes:
            _key, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest.body) + _ENTRY_BYTES
        return True

    def _noted(self, source: Source, finished: Finished) -> Finished:
        finished.source = source
        self._sandbox.meters.answers.labels(source).inc()
        self._sandbox.meters.kept_bytes.set(self._bytes)
        return finished


def _key(torch_version: str, code: str, seed: int, options: Mapping[str, object]) -> bytes:
    """A hash of what a run depends on."""
    asked = json.dumps([torch_version, code, seed, options], sort_keys=True)
    return hashlib.sha256(asked.encode("utf-8")).digest()
