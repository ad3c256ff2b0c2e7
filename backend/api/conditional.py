"""Documents that do not change while the service runs: sent once, confirmed thereafter (RFC 9110, section 13)."""

import hashlib

from fastapi import Request, Response

_CHECK_EACH_TIME = "no-cache"  # keep it, ask whether it is still current


class Document:
    """A body and its ETag. The tag is weak, since the body may be sent compressed or not."""

    def __init__(self, body: bytes, media_type: str = "application/json") -> None:
        self._body, self._media_type = body, media_type
        self._headers = {"ETag": f'W/"{hashlib.sha256(body).hexdigest()[:32]}"', "Cache-Control": _CHECK_EACH_TIME}

    def answer(self, request: Request) -> Response:
        """200 with the body, or 304 to a client that says it has it."""
        wanted = {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}
        if self._headers["ETag"].removeprefix("W/") in wanted or "*" in wanted:
            return Response(status_code=304, headers=self._headers)
        return Response(self._body, media_type=self._media_type, headers=self._headers)


NOT_MODIFIED: dict[int | str, dict] = {304: {"description": "What the client has, by its `If-None-Match`, is current."}}
