"""How many runs go on at once, and how many may wait for that."""

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncIterator

from backend.sandbox.errors import Busy

_WEIGHT_OF_NEWEST = 0.2


class Places:
    """At most `count` runs at once, at most `queue` waiting for one of them, first come first served."""

    def __init__(self, count: int, queue: int) -> None:
        self._count = count
        self._queue = queue
        self._free = asyncio.Semaphore(count)
        self._waiting = 0
        self._typical_seconds = 0.0

    @contextlib.asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Hold a place, after waiting for it. Raises Busy at once when the queue is full."""
        if self._free.locked() and self._waiting >= self._queue:
            raise Busy(max(1, math.ceil((self._waiting + 1) / self._count * self._typical_seconds)))
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        started = time.monotonic()
        try:
            yield
        finally:
            self._typical_seconds += _WEIGHT_OF_NEWEST * (time.monotonic() - started - self._typical_seconds)
            self._free.release()
