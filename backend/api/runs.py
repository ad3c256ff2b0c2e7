"""POST /api/v1/runs: a program in, its trace out."""

import asyncio
from collections.abc import Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from pydantic import ValidationError
from starlette.requests import ClientDisconnect

from backend.api.dependencies import Sandbox, sandbox_of, settings_of
from backend.api.openapi_examples import REQUESTS
from backend.api.problems import described
from backend.requests import RunRequest
from backend.sandbox.verdict import size_in_words
from backend.schemas import Trace
from backend.settings import Settings

router = APIRouter(prefix="/api/v1", tags=["runs"])

Result = tuple[Trace, bytes]
_BODY_SECONDS = 10.0
_SMALLEST_REQUEST = '{"code": "import torch", "seed": 0}'
_CLIENT_CLOSED_REQUEST = 499
_JSON_BODY = {
    "required": True,
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/RunRequest"}, "examples": REQUESTS}},
}


@router.post(
    "/runs",
    response_model=Trace,
    summary="Run a program and get its trace",
    description="Answers 200 for every program that was accepted, whatever it did: `outcome.status` says that.",
    responses=described(408, 413, 415, 422, 429, 503),
    openapi_extra={"requestBody": _JSON_BODY},
)
async def create_run(
    request: Request,
    sandbox: Annotated[Sandbox, Depends(sandbox_of)],
    settings: Annotated[Settings, Depends(settings_of)],
) -> Response:
    """Read the body with a cap, check it, run it for as long as the client listens."""
    _require_json(request)
    try:
        asked = _parse(await _read_body(request, settings), settings)
        done = await _while_connected(request, sandbox.run(asked.code, asked.seed, asked.options.plain()))
    except ClientDisconnect:
        done = None
    if done is None:
        return Response(status_code=_CLIENT_CLOSED_REQUEST)
    return Response(done[1], media_type="application/json")


def _require_json(request: Request) -> None:
    """A page of another site can post plain text here without being asked, but not JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "Send the program as JSON, with the header `Content-Type: application/json`.")


async def _read_body(request: Request, settings: Settings) -> bytes:
    """The whole body, refused as soon as it is longer than any request can be."""
    too_long = HTTPException(413, _too_long(settings))
    if int(request.headers.get("content-length", 0)) > settings.body_bytes:
        raise too_long
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > settings.body_bytes:
                    raise too_long
    except TimeoutError:
        raise HTTPException(408, f"The request did not arrive within {_BODY_SECONDS:g} s.") from None
    return bytes(body)


def _parse(body: bytes, settings: Settings) -> RunRequest:
    try:
        asked = RunRequest.model_validate_json(body)
    except ValidationError as error:
        raise HTTPException(422, _explain(error)) from None
    if len(asked.code.encode("utf-8")) > settings.limits.code_bytes:
        raise HTTPException(413, _too_long(settings))
    return asked


def _explain(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    if first["type"] == "json_invalid":
        reason = first["msg"].removeprefix("Invalid JSON: ")
        return f"The body is not valid JSON ({reason}). Text must be UTF-8, without lone surrogates."
    field = ".".join(str(part) for part in first["loc"]) or "body"
    return f"`{field}`: {first['msg']}. Send an object such as {_SMALLEST_REQUEST}."


def _too_long(settings: Settings) -> str:
    return f"The program is longer than {size_in_words(settings.limits.code_bytes)}. Shorten it to run it."


async def _while_connected(request: Request, run: Coroutine[Any, Any, Result]) -> Result | None:
    """The result; None, and the run killed, when the client goes away first."""
    running = asyncio.ensure_future(run)
    leaving = asyncio.ensure_future(_client_left(request))
    try:
        await asyncio.wait((running, leaving), return_when=asyncio.FIRST_COMPLETED)
        return await running if running.done() else None
    finally:
        leaving.cancel()
        if not running.done():
            running.cancel()
            await asyncio.wait((running,))


async def _client_left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
