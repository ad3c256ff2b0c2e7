"""/api/v1/snippets: a program under a short link. What is kept is the program; its trace is made anew."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from backend.api import bodies, cache_status, events, negotiation
from backend.api.connected import nobody_listens, while_connected
from backend.api.dependencies import runs_of, settings_of
from backend.api.openapi_examples import REQUESTS, body_of
from backend.api.problems import described
from backend.api.rates import counted
from backend.api.runs import JSON, answer_run
from backend.inspection import dot, mermaid
from backend.requests import Program
from backend.sandbox.repeats import Repeats
from backend.schemas import Trace, Wire
from backend.settings import Settings
from backend.store.snippets import Snippet, SnippetStore

_HERE = "/api/v1/snippets"
router = APIRouter(prefix=_HERE, tags=["snippets"])

_SMALLEST = '{"code": "import torch", "seed": 0}'
_DRAWINGS = {"dot": ("text/vnd.graphviz", dot.render), "mmd": ("text/vnd.mermaid", mermaid.render)}
_DRAWN = {form: {"schema": {"type": "string"}} for form, _render in _DRAWINGS.values()}
_EVENTS = {events.MEDIA_TYPE: {"schema": {"type": "string"}}}
_CACHE_SECONDS = 3600
_RUN_COUNTED = [Depends(counted("runs"))]


class SnippetReply(Wire):
    """A stored program."""

    id: str
    url: str = Field(description='Its address here; with "/trace", ".dot" or ".mmd" behind it, its trace or graph.')
    code: str
    seed: int
    created_at: datetime
    expires_at: datetime | None


async def store_of(request: Request) -> SnippetStore:
    """The snippets of this application."""
    return request.app.state.snippets


Store = Annotated[SnippetStore, Depends(store_of)]


async def found(snippet_id: str, store: Store) -> Snippet:
    """The snippet that a path names; 404 without one."""
    snippet = await run_in_threadpool(store.get, snippet_id)
    if snippet is None:
        raise HTTPException(404, "There is no such snippet, or its time is over.")
    return snippet


Found = Annotated[Snippet, Depends(found)]


@router.post(
    "",
    response_model=SnippetReply,
    status_code=201,
    summary="Store a program",
    description="The id follows from program and seed: storing the same again gives the same id, with 200.",
    responses={200: {"model": SnippetReply, "description": "It was stored before."}}
    | described(408, 413, 415, 422, 429, 503, 507),
    openapi_extra={"requestBody": body_of(Program, {"square": REQUESTS["square"]})},
    dependencies=[Depends(counted("snippets"))],
)
async def create_snippet(
    request: Request, store: Store, settings: Annotated[Settings, Depends(settings_of)]
) -> Response:
    """It is not run."""
    try:
        asked = await bodies.read(request, Program, settings, _SMALLEST)
    except ClientDisconnect:
        return nobody_listens()
    snippet, is_new = await run_in_threadpool(store.put, asked.code, asked.seed)
    reply = _reply(snippet)
    return Response(
        reply.model_dump_json(), 201 if is_new else 200, {"Location": reply.url}, media_type="application/json"
    )


@router.get(
    "/{snippet_id}.{drawing}",
    response_class=Response,
    summary="The graph of a stored program, for Graphviz (.dot) or Mermaid (.mmd)",
    responses={200: {"content": _DRAWN, "headers": cache_status.DESCRIBED}} | described(404, 429, 503),
    dependencies=_RUN_COUNTED,
)
async def draw_snippet(
    request: Request, drawing: str, snippet: Found, programs: Annotated[Repeats, Depends(runs_of)]
) -> Response:
    """It is run for this."""
    if drawing not in _DRAWINGS:
        raise HTTPException(404, "A snippet's graph is there as .dot and as .mmd.")
    form, render = _DRAWINGS[drawing]
    done = await while_connected(request, programs.run(snippet.code, snippet.seed))
    if done is None:
        return nobody_listens()
    drawn = (await run_in_threadpool(render, done.trace)).encode("utf-8", "replace")
    return Response(drawn, media_type=form, headers=cache_status.headers(done))


@router.get(
    "/{snippet_id}/trace",
    response_model=Trace,
    summary="Run a stored program and get its trace",
    description="As `POST /api/v1/runs` answers for it, as JSON or as events.",
    responses={200: {"content": _EVENTS, "headers": cache_status.DESCRIBED}} | described(404, 406, 429, 503),
    dependencies=_RUN_COUNTED,
)
async def trace_snippet(
    request: Request,
    snippet: Found,
    programs: Annotated[Repeats, Depends(runs_of)],
    settings: Annotated[Settings, Depends(settings_of)],
) -> Response:
    """A browser's EventSource can only GET."""
    form = negotiation.choose(request.headers.get("accept"), (JSON, events.MEDIA_TYPE))
    return await answer_run(request, programs, settings, form, (snippet.code, snippet.seed, {}))


@router.get("/{snippet_id}", response_model=SnippetReply, summary="A stored program", responses=described(404, 503))
async def get_snippet(request: Request, snippet: Found) -> Response:
    """What an id stands for never changes; how long it is kept may."""
    headers = {"ETag": f'"{snippet.id}"', "Cache-Control": f"public, max-age={_CACHE_SECONDS}"}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(_reply(snippet).model_dump_json(), headers=headers, media_type="application/json")


def _reply(snippet: Snippet) -> SnippetReply:
    return SnippetReply(url=f"{_HERE}/{snippet.id}", **vars(snippet))
