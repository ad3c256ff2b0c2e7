"""GET /metrics: counts for Prometheus."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from backend.api.dependencies import Sandbox, sandbox_of, settings_of
from backend.api.problems import described
from backend.settings import Settings

router = APIRouter(tags=["service"])


@router.get(
    "/metrics",
    response_class=Response,
    summary="Counts for Prometheus",
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **described(404)},
)
async def metrics(
    sandbox: Annotated[Sandbox, Depends(sandbox_of)], settings: Annotated[Settings, Depends(settings_of)]
) -> Response:
    """Numbers only; 404 where the settings turn it off."""
    if not settings.metrics:
        raise HTTPException(404)
    return Response(generate_latest(sandbox.meters.registry), media_type=CONTENT_TYPE_LATEST)
