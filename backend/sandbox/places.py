"""How many runs go on at once, how many may wait for that, and whose turn is next."""

import asyncio
import contextlib
import math
import time
from collections import deque
from collections.abc import AsyncIterator
from contextvars import ContextVar

from backend.sandbox.errors import Busy, SandboxUnavailable
from backend.sandbox.progress import Progress

_WEIGHT_OF_NEWEST = 0.2

CLIENT: ContextVar[str] = ContextVar("client", default="")
"""Who asks for a run. Set for each request; clients take turns."""


class Places:
    """At most `count` runs at once, at most `queue` waiting for one of them.

    A free place goes to the clients in turn, and within a client to who came first. When the queue is full, a client
    that has fewer waiting than another takes the place of that one's newest: a flood from one client makes nobody
    else wait longer than a round of turns.
    """

    def __init__(self, count: int, queue: int) -> None:
        self._count = count
        self._queue = queue
        self._free = count
        self._turns: dict[str, deque[asyncio.Future[None]]] = {}
        self._typical_seconds = 0.0
        self._closed = False

    @property
    def running(self) -> int:
        return self._count - self._free

    @property
    def waiting(self) -> int:
        return sum(len(line) for line in self._turns.values())

    @contextlib.asynccontextmanager
    async def one(self, progress: Progress | None = None) -> AsyncIterator[None]:
        """Hold a place, after waiting for it. Raises Busy when the queue is full, SandboxUnavailable when closed."""
        if self._closed:
            raise _stopping()
        if self._free and not self._turns:
            self._free -= 1
        else:
            await self._wait(CLIENT.get(), progress)
        if progress is not None:
            progress.runs()
        started = time.monotonic()
        try:
            yield
        finally:
            self._typical_seconds += _WEIGHT_OF_NEWEST * (time.monotonic() - started - self._typical_seconds)
            self._pass_on()

    def close(self) -> None:
        """Tell those who wait, and whoever comes, that no place will be free. Runs under way go on."""
        self._closed = True
        for line in self._turns.values():
            for turn in line:
                if not turn.done():
                    turn.set_exception(_stopping())
        self._turns.clear()

    async def _wait(self, client: str, progress: Progress | None) -> None:
        if self.waiting >= self._queue:
            self._make_room_for(client)
        turn = asyncio.get_running_loop().create_future()
        self._turns.setdefault(client, deque()).append(turn)
        if progress is not None:
            progress.waits(lambda: self._ahead_of(client, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the place came in the same moment
                if turn.exception() is None:
                    self._pass_on()
            else:
                self._forget(client, turn)
            raise

    def _make_room_for(self, client: str) -> None:
        longest = max(self._turns, key=lambda name: len(self._turns[name]), default=client)
        if len(self._turns.get(longest, ())) <= len(self._turns.get(client, ())) + 1:
            raise self._busy()
        turn = self._turns[longest].pop()
        if not turn.done():
            turn.set_exception(self._busy())

    def _busy(self) -> Busy:
        return Busy(max(1, math.ceil((self.waiting + 1) / self._count * self._typical_seconds)))

    def _pass_on(self) -> None:
        """Give a place to the next client in turn, which then goes to the end of the round.

        A turn of somebody who has just left is done already, though not out of its line yet: it is passed over.
        """
        while self._turns:
            client = next(iter(self._turns))
            line = self._turns.pop(client)
            turn = line.popleft()
            if line:
                self._turns[client] = line
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _ahead_of(self, client: str, turn: asyncio.Future[None]) -> int:
        """How many are served before a turn, as things stand."""
        own = self._turns.get(client, deque())
        if turn not in own:
            return 0
        rounds, comes_first, ahead = own.index(turn), True, 0
        for name, line in self._turns.items():
            if name == client:
                comes_first = False
                ahead += rounds
            else:
                ahead += min(len(line), rounds + comes_first)
        return ahead

    def _forget(self, client: str, turn: asyncio.Future[None]) -> None:
        line = self._turns.get(client)
        if line is not None and turn in line:
            line.remove(turn)
            if not line:
                del self._turns[client]


def _stopping() -> SandboxUnavailable:
    return SandboxUnavailable("The service is stopping.")
