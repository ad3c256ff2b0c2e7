"""Around every request: an id, who asks, one line in the log, one count."""

import ipaddress
import logging
import re
import time
import uuid

from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.logs import REQUEST_ID
from backend.sandbox.places import CLIENT

log = logging.getLogger("backend.request")

_HEADER = "X-Request-ID"
_FAIR_ID = re.compile(r"[\w.-]{1,64}")
_SERVER_ERROR, _CLIENT_LEFT = 500, 499
_QUIET = {"/healthz", "/readyz", "/metrics"}


class Observed:
    """Gives each request an id, from the client's `X-Request-ID` where that is a fair one, and counts the answer."""

    def __init__(self, app: ASGIApp, registry: CollectorRegistry) -> None:
        self._app = app
        self._answers = Counter(
            "playground_http_answers", "Answers, by route and status.", ["method", "route", "status"], registry=registry
        )
        self._seconds = Histogram("playground_http_seconds", "Time to the answer.", ["route"], registry=registry)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked = Headers(scope=scope).get(_HEADER, "")
        request_id = asked if _FAIR_ID.fullmatch(asked) else uuid.uuid4().hex
        REQUEST_ID.set(request_id)
        CLIENT.set(client_of(scope))
        started, status = time.perf_counter(), None

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[_HEADER] = request_id
            await send(message)

        left_out = _SERVER_ERROR
        try:
            await self._app(scope, receive, send_with_id)
            left_out = _CLIENT_LEFT  # only who has left is given no answer
        finally:
            self._note(scope, status or left_out, time.perf_counter() - started)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "page")  # the pattern, never what a client made up
        method = scope["method"] if scope["method"] in ("GET", "POST", "HEAD", "OPTIONS") else "other"
        self._answers.labels(method, route, status).inc()
        self._seconds.labels(route).observe(seconds)
        if scope["path"] not in _QUIET:
            extra = {"method": method, "route": route, "status": status, "ms": round(seconds * 1e3, 1)}
            log.log(logging.ERROR if status >= 500 else logging.INFO, "answered", extra=extra)


def client_of(scope: Scope) -> str:
    """Who asks: the address; of an IPv6 address the half that a provider gives to one customer."""
    host = (scope.get("client") or ("",))[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        return host if address.is_loopback else str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return host
