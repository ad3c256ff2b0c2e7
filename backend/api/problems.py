"""Every refused request is answered with a problem document (RFC 9457): what is wrong, and what to do."""

import http
from collections.abc import Mapping

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
_NOT_LOST = "Your program is not lost: it is still in the editor."


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """A problem document as a response."""
    content = Problem(title=http.HTTPStatus(status).phrase, status=status, detail=detail)
    return JSONResponse(content.model_dump(exclude_none=True), status, headers, MEDIA_TYPE)


def described(*statuses: int) -> dict[int | str, dict]:
    """What OpenAPI says of the refusals of an operation."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": http.HTTPStatus(status).phrase, "content": content} for status in statuses}


def install(app: FastAPI) -> None:
    """Turn the exceptions of the application into problem documents."""
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(RequestValidationError, _of_parameter)
    app.add_exception_handler(Busy, _of_busy)
    app.add_exception_handler(TooOften, _of_too_often)
    app.add_exception_handler(StoreUnavailable, _of_store)
    app.add_exception_handler(SandboxUnavailable, _of_unavailable)
    app.add_exception_handler(Exception, _of_fault)


async def _of_http(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    details = {404: "There is nothing at this address.", 405: "This address does not answer that method."}
    said = error.detail != http.HTTPStatus(error.status_code).phrase
    detail = error.detail if said else details.get(error.status_code, error.detail)
    return problem(error.status_code, detail, error.headers)


async def _of_parameter(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return problem(422, f"`{'.'.join(str(part) for part in first['loc'])}`: {first['msg']}.")


async def _of_busy(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Busy)
    return problem(429, str(error), {"Retry-After": str(error.retry_after)})


async def _of_too_often(_request: Request, error: Exception) -> Response:
    assert isinstance(error, TooOften)
    return problem(429, str(error), {"Retry-After": str(error.retry_after)})


async def _of_unavailable(_request: Request, error: Exception) -> Response:
    detail = f"Programs cannot be run just now. {error} Try again in a moment."
    return problem(503, detail, {"Retry-After": str(_UNAVAILABLE_RETRY_SECONDS)})


async def _of_store(_request: Request, error: Exception) -> Response:
    assert isinstance(error, StoreUnavailable)
    status = 507 if error.is_full else 503
    return problem(status, f"{error} {_NOT_LOST}", {"Retry-After": str(_UNAVAILABLE_RETRY_SECONDS)})


async def _of_fault(_request: Request, _error: Exception) -> Response:
    return problem(500, f"The service made a mistake. {_NOT_LOST}")
