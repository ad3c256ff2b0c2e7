"""POST /api/v1/runs: a program in, its trace out, as JSON or in another form; or the elements of one tensor of it."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from backend.api import bodies, cache_status, events, negotiation
from backend.api.connected import nobody_listens, while_connected
from backend.api.dependencies import runs_of, settings_of
from backend.api.openapi_examples import REQUESTS, TENSOR_REQUESTS, body_of
from backend.api.problems import described
from backend.inspection import dot, mermaid, transcript
from backend.inspection.wire import TensorReply
from backend.requests import RunRequest, TensorRequest
from backend.sandbox.progress import Progress
from backend.sandbox.repeats import Repeats
from backend.schemas import Trace
from backend.settings import Settings

router = APIRouter(prefix="/api/v1", tags=["runs"])

JSON = "application/json"
RENDERERS: dict[str, Callable[[Trace], str]] = {
    "text/vnd.graphviz": dot.render,
    "text/vnd.mermaid": mermaid.render,
    "text/plain": transcript.render,
}
FORMS = (JSON, *RENDERERS, events.MEDIA_TYPE)
_SMALLEST_RUN = '{"code": "import torch", "seed": 0}'
_SMALLEST_TENSOR = '{"code": "import torch\\nx = torch.ones(2)", "tensor": "x"}'
_OTHER_FORMS = {form: {"schema": {"type": "string"}} for form in FORMS[1:]}


@router.post(
    "/runs",
    response_model=Trace,
    summary="Run a program and get its trace",
    description="Answers 200 for every program that was accepted, whatever it did: `outcome.status` says that. "
    "The `Accept` header chooses the form: JSON, a graph for Graphviz or Mermaid, a transcript to read, "
    "or, with `text/event-stream`, events: `progress` (a RunProgress) about every 300 ms, then `trace` (a Trace) or "
    "`problem` (a Problem). Closing the connection ends the run.",
    responses={
        200: {"content": _OTHER_FORMS, "headers": cache_status.DESCRIBED},
        **described(406, 408, 413, 415, 422, 429, 503),
    },
    openapi_extra={"requestBody": body_of(RunRequest, REQUESTS)},
)
async def create_run(
    request: Request,
    programs: Annotated[Repeats, Depends(runs_of)],
    settings: Annotated[Settings, Depends(settings_of)],
) -> Response:
    """Read the body with a cap, check it, run it for as long as the client listens."""
    form = negotiation.choose(request.headers.get("accept"), FORMS)
    try:
        asked = await bodies.read(request, RunRequest, settings, _SMALLEST_RUN)
        return await answer_run(request, programs, settings, form, (asked.code, asked.seed, asked.options.plain()))
    except ClientDisconnect:
        return nobody_listens()


async def answer_run(
    request: Request, programs: Repeats, settings: Settings, form: str, program: tuple[str, int, dict]
) -> Response:
    """Run a program, its seed and its options, for as long as the client listens, and answer in a form of `FORMS`."""
    if form == events.MEDIA_TYPE:
        progress = Progress()
        return await events.stream(request, programs.run(*program, progress), progress, settings.gzip_level)
    done = await while_connected(request, programs.run(*program))
    if done is None:
        return nobody_listens()
    body = done.body
    if form != JSON:
        body = (await run_in_threadpool(RENDERERS[form], done.trace)).encode("utf-8", "replace")
    return Response(body, media_type=form, headers={"Vary": "Accept", **cache_status.headers(done)})


@router.post(
    "/runs/tensor",
    response_model=TensorReply,
    summary="Run a program and get exact elements of one tensor",
    description="Of its value or its gradient, at the end, after a step, or at a version. 422 when the run has no "
    "such tensor, or not at that moment.",
    responses={200: {"headers": cache_status.DESCRIBED}, **described(406, 408, 413, 415, 422, 429, 503)},
    openapi_extra={"requestBody": body_of(TensorRequest, TENSOR_REQUESTS)},
)
async def create_tensor(
    request: Request,
    programs: Annotated[Repeats, Depends(runs_of)],
    settings: Annotated[Settings, Depends(settings_of)],
) -> Response:
    """A run of its own: of an earlier one of the program these elements are not kept."""
    negotiation.choose(request.headers.get("accept"), (JSON,))
    try:
        asked = await bodies.read(request, TensorRequest, settings, _SMALLEST_TENSOR)
        done = await while_connected(request, programs.run(asked.code, asked.seed, asked.plain()))
    except ClientDisconnect:
        done = None
    if done is None:
        return nobody_listens()
    trace = done.trace
    found = trace.slice
    if found is None or found.value is None:
        reason = found.problem if found is not None and found.problem else "The run ended before there was anything."
        ending = "" if trace.outcome.status == "ok" else f" The run ended with the status {trace.outcome.status}."
        raise HTTPException(422, f"{reason}{ending}")
    reply = TensorReply(slice=found, outcome=trace.outcome)
    return Response(reply.model_dump_json(), media_type=JSON, headers=cache_status.headers(done))
