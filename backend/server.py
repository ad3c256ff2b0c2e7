"""The process that listens: told to stop, it finishes what is under way and tells the rest."""

import asyncio
import logging
import socket
import types

import uvicorn
from fastapi import FastAPI

from backend.settings import Settings


class Server(uvicorn.Server):
    """Uvicorn, which on SIGTERM and SIGINT accepts no more and waits for its answers.

    Those that wait for a place would wait in vain: they are answered 503 at once. Runs under way get
    `shutdown_seconds`; the limits of a run are below that.
    """

    def __init__(self, app: FastAPI, settings: Settings) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                access_log=False,
                server_header=False,
                log_config=None,
                forwarded_allow_ips=settings.trusted_proxies,
                timeout_graceful_shutdown=settings.shutdown_seconds,
            )
        )
        self._app = app
        self._loop: asyncio.AbstractEventLoop | None = None
        # A service that refuses to start says why in one sentence, which a traceback would bury.
        logging.getLogger("uvicorn.error").addFilter(lambda _record: app.state.refusal is None)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: types.FrameType | None) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._app.state.sandbox.drain)
        super().handle_exit(sig, frame)
