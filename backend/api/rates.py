"""How often one client may ask. Counted in this process, in memory."""

import ipaddress
import math
import time
from collections.abc import Awaitable, Callable

from fastapi import Request
from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from backend.sandbox.places import CLIENT
from backend.settings import SettingsError


class TooOften(RuntimeError):
    """A client asked more often than it may. `retry_after`: whole seconds until it may again."""

    def __init__(self, what: str, rate: RateLimitItem, retry_after: int) -> None:
        period = rate.GRANULARITY.name if rate.multiples == 1 else f"{rate.multiples} {rate.GRANULARITY.name}s"
        super().__init__(f"More than {rate.amount:,} {what} in one {period} are too many. Retry in {retry_after} s.")
        self.retry_after = retry_after


class Rates:
    """The rates of one service, a name each."""

    def __init__(self, **rates: str) -> None:
        """`rates`: such as runs="600/minute"; empty for no bound. Raises SettingsError."""
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._rates = {name: _parsed(name, text) for name, text in rates.items() if text}

    async def count(self, name: str, client: str) -> None:
        """Count one request, unless it comes from this machine. Raises TooOften."""
        rate = None if _is_here(client) else self._rates.get(name)
        if rate is not None and not await self._limiter.hit(rate, name, client):
            stats = await self._limiter.get_window_stats(rate, name, client)
            raise TooOften(name, rate, max(1, math.ceil(stats.reset_time - time.time())))


def counted(name: str) -> Callable[[Request], Awaitable[None]]:
    """A dependency that counts the request among those of a name."""

    async def count(request: Request) -> None:
        await request.app.state.rates.count(name, CLIENT.get())

    return count


def _is_here(client: str) -> bool:
    try:
        return ipaddress.ip_address(client).is_loopback
    except ValueError:
        return False


def _parsed(name: str, text: str) -> RateLimitItem:
    try:
        return parse(text)
    except ValueError:
        raise SettingsError(f"The rate of {name} is {text!r}: write such as 600/minute.") from None
