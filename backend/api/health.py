"""Is the process alive, can it run programs, and under which rules."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException

from backend.api.dependencies import Sandbox, sandbox_of, settings_of
from backend.api.problems import described
from backend.schemas import LimitsInfo, ServiceInfo
from backend.settings import Settings

router = APIRouter(tags=["service"])


@router.get("/healthz", summary="The process is alive")
async def healthz() -> dict[str, str]:
    """Answers as long as the process does."""
    return {"status": "alive"}


@router.get("/readyz", summary="Programs can be run", responses=described(503))
async def readyz(sandbox: Annotated[Sandbox, Depends(sandbox_of)]) -> dict[str, str]:
    """Says in which mode; 503 while the sandbox is starting or being replaced."""
    if not sandbox.ready:
        raise HTTPException(503, "The sandbox is starting.", {"Retry-After": "1"})
    return {"status": "ready", "sandbox": sandbox.mode}


@router.get("/api/v1/service", summary="Mode, limits and versions")
async def service(
    sandbox: Annotated[Sandbox, Depends(sandbox_of)], settings: Annotated[Settings, Depends(settings_of)]
) -> ServiceInfo:
    """What a page shows of the service: above all, whether programs are really locked in."""
    limits = LimitsInfo(**{name: getattr(settings.limits, name) for name in LimitsInfo.model_fields})
    return ServiceInfo(torch_version=sandbox.torch_version, sandbox=sandbox.mode, limits=limits)
