"""Work for as long as its client listens."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request, Response
from starlette.types import Receive

Result = TypeVar("Result")
_CLIENT_CLOSED_REQUEST = 499


async def while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result | None:
    """The result; None, and the work cancelled, when the client goes away first."""
    running = asyncio.ensure_future(work)
    try:
        return await running if await settles(running, request.receive) else None
    finally:
        await give_up(running)


async def settles(running: asyncio.Future[Any], receive: Receive, seconds: float | None = None) -> bool | None:
    """True once it is done, False when the client went away first, None when neither happened within `seconds`."""
    leaving = asyncio.ensure_future(_client_left(receive))
    try:
        await asyncio.wait((running, leaving), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return True if running.done() else False if leaving.done() else None
    finally:
        leaving.cancel()


async def give_up(running: asyncio.Future[Any]) -> None:
    """Cancel what is not done, and see that it is over."""
    if not running.done():
        running.cancel()
        await asyncio.wait((running,))


def nobody_listens() -> Response:
    """What is answered, for the record, to a client that is gone."""
    return Response(status_code=_CLIENT_CLOSED_REQUEST)


async def _client_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
