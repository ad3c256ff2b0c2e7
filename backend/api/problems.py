"""Every refused request is answered with a problem document (RFC 9457): what is wrong, and what to do."""

import http

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from backend.api.rates import TooOften
from backend.sandbox.errors import Busy, SandboxUnavailable
from backend.schemas import Problem
from backend.store.errors import StoreUnavailable

MEDIA_TYPE = "application/problem+json"
_UNAVAILABLE_RETRY_SECONDS = 5
_REFUSALS = (Busy, TooOften, StoreUnavailable, SandboxUnavailable)
_NOT_LOST = "Your program is not lost: it is still in the editor."


def problem(status: int, detail: str, retry_after: int | None = None) -> Response:
    """A problem document as a response. `retry_after`: seconds after which to try again."""
    content = Problem(title=http.HTTPStatus(status).phrase, status=status, detail=detail, retry_after=retry_after)
    headers = None if retry_after is None else {"Retry-After": str(retry_after)}
    return JSONResponse(content.model_dump(exclude_none=True), status, headers, MEDIA_TYPE)


def described(*statuses: int) -> dict[int | str, dict]:
    """What OpenAPI says of the refusals of an operation."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": http.HTTPStatus(status).phrase, "content": content} for status in statuses}


def install(app: FastAPI) -> None:
    """Turn the exceptions of the application into problem documents."""
    for kind in (HTTPException, RequestValidationError, *_REFUSALS, Exception):
        app.add_exception_handler(kind, _handle)


async def _handle(_request: Request, error: Exception) -> Response:
    return of(error)


def of(error: Exception) -> Response:
    """What a client is told of an exception; of one that nobody expected, as little as possible."""
    match error:
        case HTTPException():
            return _of_http(error)
        case RequestValidationError():
            first = error.errors()[0]
            return problem(422, f"`{'.'.join(str(part) for part in first['loc'])}`: {first['msg']}.")
        case Busy() | TooOften():
            return problem(429, str(error), error.retry_after)
        case StoreUnavailable():
            return problem(507 if error.is_full else 503, f"{error} {_NOT_LOST}", _UNAVAILABLE_RETRY_SECONDS)
        case SandboxUnavailable():
            detail = f"Programs cannot be run just now. {error} Try again in a moment."
            return problem(503, detail, _UNAVAILABLE_RETRY_SECONDS)
    return problem(500, f"The service made a mistake. {_NOT_LOST}")


def _other_method(error: HTTPException) -> str:
    allowed = (error.headers or {}).get("Allow")
    return (
        f"This address answers {allowed}, not that method." if allowed else "This address does not answer that method."
    )


def _of_http(error: HTTPException) -> Response:
    details = {404: "There is nothing at this address.", 405: _other_method(error)}
    said = error.detail != http.HTTPStatus(error.status_code).phrase
    response = problem(error.status_code, error.detail if said else details.get(error.status_code, error.detail))
    response.headers.update(error.headers or {})
    return response
