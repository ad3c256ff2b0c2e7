"""POST /api/v1/graphs/diff: two programs in, the difference of their graphs and gradients out."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from backend.api import bodies, negotiation
from backend.api.connected import nobody_listens, while_connected
from backend.api.dependencies import runs_of, settings_of
from backend.api.openapi_examples import DIFF_REQUESTS, body_of
from backend.api.problems import described
from backend.inspection.diff import diff
from backend.inspection.wire import GraphDiff
from backend.requests import DiffRequest
from backend.sandbox.repeats import Repeats
from backend.schemas import Trace
from backend.settings import Settings

router = APIRouter(prefix="/api/v1", tags=["graphs"])

_SMALLEST = '{"before": {"code": "import torch"}, "after": {"code": "import torch"}}'
_RECORDED = {"steps": "final_graph", "saved": False, "value_elements": 10_000}


@router.post(
    "/graphs/diff",
    response_model=GraphDiff,
    summary="Run two programs and compare their graphs and gradients",
    description="Nodes are matched by what they were made of, by variable names, and by place; gradients by name.",
    responses=described(406, 408, 413, 415, 422, 429, 503),
    openapi_extra={"requestBody": body_of(DiffRequest, DIFF_REQUESTS)},
)
async def compare(
    request: Request,
    programs: Annotated[Repeats, Depends(runs_of)],
    settings: Annotated[Settings, Depends(settings_of)],
) -> Response:
    """Both run at the same time when there is room for it."""
    negotiation.choose(request.headers.get("accept"), ("application/json",))
    try:
        asked = await bodies.read(request, DiffRequest, settings, _SMALLEST)
        done = await while_connected(request, _both(programs, asked))
    except ClientDisconnect:
        done = None
    if done is None:
        return nobody_listens()
    found = await run_in_threadpool(diff, *done)
    return Response(found.model_dump_json(), media_type="application/json")


async def _both(programs: Repeats, asked: DiffRequest) -> tuple[Trace, Trace]:
    """Should one be refused, the other is cancelled."""
    both = (asked.before, asked.after)
    runs = [asyncio.ensure_future(programs.run(one.code, one.seed, _RECORDED)) for one in both]
    try:
        before, after = await asyncio.gather(*runs)
    finally:
        for run in runs:
            run.cancel()
        await asyncio.gather(*runs, return_exceptions=True)
    return before.trace, after.trace
