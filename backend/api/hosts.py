"""Refuses requests under a host name that is not this machine's own.

In the reduced mode a name of another site that resolves to this machine could otherwise run programs here.
"""

import re

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from backend.api.problems import problem

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_PORT = re.compile(r":\d*$")


class LoopbackOnly:
    """Answers 400 to any other host."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            host = _PORT.sub("", Headers(scope=scope).get("host", ""))
            if host.lower() not in LOOPBACK_HOSTS:
                refusal = problem(400, f"This service answers on this machine only, as {', '.join(LOOPBACK_HOSTS)}.")
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)
