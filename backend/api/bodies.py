"""Reads what a client sent: JSON only, bounded in size and time, checked against its model."""

import asyncio
from typing import TypeVar

from fastapi import HTTPException, Request
from pydantic import ValidationError

from backend.requests import DiffRequest, Program
from backend.sandbox.verdict import size_in_words
from backend.settings import Settings

_BODY_SECONDS = 10.0
Asked = TypeVar("Asked", bound=Program | DiffRequest)


async def read(request: Request, model: type[Asked], settings: Settings, smallest: str) -> Asked:
    """The body as its model, programs of a fair length. `smallest`: a request that would do, for the explanation.

    Raises HTTPException 408, 413, 415, 422, and ClientDisconnect.
    """
    _require_json(request)
    programs = 2 if issubclass(model, DiffRequest) else 1
    body = await _read_body(request, programs * settings.body_bytes, settings)
    try:
        asked = model.model_validate_json(body)
    except ValidationError as error:
        raise HTTPException(422, _explain(error, smallest)) from None
    for program in (asked.before, asked.after) if isinstance(asked, DiffRequest) else (asked,):
        if len(program.code.encode("utf-8")) > settings.limits.code_bytes:
            raise HTTPException(413, _too_long(settings))
    return asked


def _require_json(request: Request) -> None:
    """A page of another site can post plain text here without being asked, but not JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "Send the program as JSON, with the header `Content-Type: application/json`.")


async def _read_body(request: Request, most_bytes: int, settings: Settings) -> bytes:
    """The whole body, refused as soon as it is longer than any request can be."""
    too_long = HTTPException(413, _too_long(settings))
    if int(request.headers.get("content-length", 0)) > most_bytes:
        raise too_long
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > most_bytes:
                    raise too_long
    except TimeoutError:
        raise HTTPException(408, f"The request did not arrive within {_BODY_SECONDS:g} s.") from None
    return bytes(body)


def _explain(error: ValidationError, smallest: str) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    if first["type"] == "json_invalid":
        reason = first["msg"].removeprefix("Invalid JSON: ")
        return f"The body is not valid JSON ({reason}). Text must be UTF-8, without lone surrogates."
    field = ".".join(str(part) for part in first["loc"]) or "body"
    return f"`{field}`: {first['msg']}. Send an object such as {smallest}."


def _too_long(settings: Settings) -> str:
    return f"The program is longer than {size_in_words(settings.limits.code_bytes)}. Shorten it to run it."
