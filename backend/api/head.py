"""HEAD is answered wherever GET is (RFC 9110, section 9.3.2): by what GET would say, without its body."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    """The routes know GET alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_without_body(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        asked = {**scope, "method": "GET"}
        try:
            await self._app(asked, receive, send_without_body)
        finally:
            scope["route"] = asked.get("route")
