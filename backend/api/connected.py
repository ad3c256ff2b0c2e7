"""Work for as long as its client listens."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request, Response

Result = TypeVar("Result")
_CLIENT_CLOSED_REQUEST = 499


async def while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result | None:
    """The result; None, and the work cancelled, when the client goes away first."""
    running = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_client_left(request))
    try:
        await asyncio.wait((running, leaving), return_when=asyncio.FIRST_COMPLETED)
        return await running if running.done() else None
    finally:
        leaving.cancel()
        if not running.done():
            running.cancel()
            await asyncio.wait((running,))


def nobody_listens() -> Response:
    """What is answered, for the record, to a client that is gone."""
    return Response(status_code=_CLIENT_CLOSED_REQUEST)


async def _client_left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
