"""What a handler takes from the application: its sandbox and its settings.

Coroutines, though they wait for nothing: FastAPI sends any other dependency through a thread, which costs more than a
small program takes to run.
"""

from collections.abc import Mapping
from typing import Literal, Protocol

from fastapi import Request

from backend.sandbox.finished import Finished
from backend.sandbox.meters import Meters
from backend.sandbox.progress import Progress
from backend.sandbox.repeats import Repeats
from backend.settings import Settings


class Sandbox(Protocol):
    """What runs programs: `backend.sandbox.pool.Pool`, or its reduced form."""

    mode: Literal["full", "reduced"]
    meters: Meters

    @property
    def ready(self) -> bool: ...

    @property
    def torch_version(self) -> str: ...

    async def start(self) -> None: ...

    async def run(
        self,
        code: str,
        seed: int,
        options: Mapping[str, object] | None = None,
        progress: Progress | None = None,
        *,
        counted: bool = True,
    ) -> Finished: ...

    def drain(self) -> None: ...

    async def stop(self) -> None: ...


async def sandbox_of(request: Request) -> Sandbox:
    """The sandbox of this application."""
    return request.app.state.sandbox


async def runs_of(request: Request) -> Repeats:
    """Where the handlers have programs run: the sandbox, behind what it answered before."""
    return request.app.state.runs


async def settings_of(request: Request) -> Settings:
    """The settings of this application."""
    return request.app.state.settings
