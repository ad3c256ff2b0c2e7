"""A run as server-sent events: now and then where it stands, at last its trace or why there is none.

A run that is over within the first interval is one event, and one that is refused by then is an ordinary problem
document: only who has to wait is told anything while waiting. Format: HTML standard, section 9.2.
"""

import asyncio
import http
import logging
import time
import zlib
from collections.abc import Callable, Coroutine

from fastapi import Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from backend.api import cache_status, problems
from backend.api.connected import give_up, nobody_listens, settles
from backend.run_events import RunProgress
from backend.sandbox.finished import Finished
from backend.sandbox.progress import Progress

log = logging.getLogger(__name__)

MEDIA_TYPE = "text/event-stream"
_EVERY_SECONDS = 0.3
_GZIP_WINDOW = 31
_LARGE_BYTES = 128 * 1024
_HEADERS = {"Cache-Control": "no-store", "Vary": "Accept", "X-Accel-Buffering": "no"}


async def stream(
    request: Request, work: Coroutine[None, None, Finished], progress: Progress, gzip_level: int
) -> Response:
    """The answer to who asked for events. Raises what `work` raises within the first interval."""
    started = time.perf_counter()
    running = asyncio.ensure_future(work)
    response = None
    try:
        settled = await settles(running, request.receive, _EVERY_SECONDS)
        if settled is False:
            return nobody_listens()
        if settled:
            await running
        known = cache_status.headers(running.result()) if settled else {}
        packs = gzip_level and "gzip" in request.headers.get("accept-encoding", "")
        response = EventStream(running, progress, started, gzip_level if packs else 0)
        response.headers.update(known)
        return response
    finally:
        if response is None:
            await give_up(running)


class EventStream(Response):
    """Sends events until the run is over, or its client is gone, which ends the run."""

    media_type = MEDIA_TYPE

    def __init__(self, running: asyncio.Future[Finished], progress: Progress, started: float, gzip_level: int) -> None:
        """`started`: when the run did, by `time.perf_counter`. `gzip_level`: 0 for none."""
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._running, self._progress, self._started = running, progress, started
        self._pack = _packer(gzip_level) if gzip_level else _plain
        if gzip_level:  # here, as a compressor around it would hold events back
            self.headers.update({"Content-Encoding": "gzip", "Vary": "Accept, Accept-Encoding"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def tell(event: bytes, *, last: bool = False) -> None:
            large = len(event) > _LARGE_BYTES
            body = await run_in_threadpool(self._pack, event, last) if large else self._pack(event, last)
            await send({"type": "http.response.body", "body": body, "more_body": not last})

        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            while not self._running.done():
                await tell(self._where())
                if await settles(self._running, receive, _EVERY_SECONDS) is False:
                    return
            await tell(await self._ending(), last=True)
        finally:
            await give_up(self._running)

    def _where(self) -> bytes:
        now, elapsed = self._progress, (time.perf_counter() - self._started) * 1e3
        place = RunProgress(
            elapsed_ms=round(elapsed, 1), phase=now.phase, position=now.position, line=now.line, steps=now.steps
        )
        return event("progress", place.model_dump_json().encode())

    async def _ending(self) -> bytes:
        try:
            return event("trace", (await self._running).body)
        except Exception as error:
            response = problems.of(error)
            if response.status_code == http.HTTPStatus.INTERNAL_SERVER_ERROR:
                log.exception("a run failed while its events were sent")
            return event("problem", bytes(response.body))


def event(name: str, data: bytes) -> bytes:
    """One event. `data`: JSON on one line."""
    return b"event: %b\ndata: %b\n\n" % (name.encode("ascii"), data)


def _plain(data: bytes, _last: bool) -> bytes:
    return data


def _packer(level: int) -> Callable[[bytes, bool], bytes]:
    """Compresses a stream so that each piece can be read as soon as it is there."""
    packer = zlib.compressobj(level, wbits=_GZIP_WINDOW)

    def pack(data: bytes, last: bool) -> bytes:
        return packer.compress(data) + packer.flush(zlib.Z_FINISH if last else zlib.Z_SYNC_FLUSH)

    return pack
