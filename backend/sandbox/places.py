"""How many runs go on at once, and how many may wait for that."""

import asyncio
import math


class Busy(RuntimeError):
    """All places are taken and the queue is full. `retry_after`: whole seconds until a place is likely."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"All runners are busy, retry in {retry_after} s.")
        self.retry_after = retry_after


class Places:
    """At most `count` runs at once, at most `queue` waiting for one of them, first come first served."""

    def __init__(self, count: int, queue: int, seconds_per_run: float) -> None:
        self._count = count
        self._queue = queue
        self._seconds_per_run = seconds_per_run
        self._free = asyncio.Semaphore(count)
        self._waiting = 0

    async def __aenter__(self) -> None:
        """Raises Busy at once when the queue is full."""
        if self._free.locked() and self._waiting >= self._queue:
            raise Busy(max(1, math.ceil((self._waiting + 1) / self._count * self._seconds_per_run)))
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1

    async def __aexit__(self, *_error: object) -> None:
        self._free.release()
