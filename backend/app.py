"""The application: settings in, an ASGI application out."""

import contextlib
from collections.abc import AsyncIterator
from functools import partial

from fastapi import Depends, FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware

from backend import example_store
from backend.api import examples, graphs, health, metrics, openapi, ops, problems, runs, snippets
from backend.api.conditional import Document
from backend.api.dependencies import Sandbox
from backend.api.head import HeadAsGet
from backend.api.headers import SecurityHeaders
from backend.api.hosts import LoopbackOnly
from backend.api.observed import Observed
from backend.api.openapi_examples import REQUESTS
from backend.api.page import Page
from backend.api.rates import Rates, counted
from backend.sandbox import selftest
from backend.sandbox.choice import new_sandbox
from backend.sandbox.errors import SandboxError
from backend.sandbox.repeats import Repeats
from backend.schemas import SCHEMA_VERSION
from backend.settings import Settings
from backend.store.snippets import SnippetStore

_GZIP_FROM_BYTES = 1024
_DESCRIPTION = "Runs a PyTorch program and answers with its trace: the graph, the gradients, every step of both."


def create_app(settings: Settings | None = None) -> FastAPI:
    """The whole service. Raises SettingsError, ExamplesError, NoSandboxHere."""
    settings = settings or Settings.from_environment()
    sandbox = new_sandbox(settings)
    app = FastAPI(
        title="Autograd Playground",
        version=SCHEMA_VERSION,
        description=_DESCRIPTION,
        openapi_url=None,  # a route of our own answers with an ETag
        docs_url=None,  # these pages load scripts from elsewhere
        redoc_url=None,
        lifespan=_lifespan,
    )
    app.state.settings, app.state.sandbox = settings, sandbox
    app.state.runs = Repeats(sandbox, settings.cache_bytes)
    app.state.refusal = None  # why the service did not start
    app.state.rates = Rates(runs=settings.run_rate, snippets=settings.snippet_rate)
    app.state.snippets = SnippetStore(settings)
    app.state.examples = Document(example_store.load().model_dump_json().encode())
    problems.install(app)
    for module in (runs, graphs):
        app.include_router(module.router, dependencies=[Depends(counted("runs"))])
    for module in (snippets, ops, examples, openapi, health, metrics):
        app.include_router(module.router)
    app.router.default = Page(settings.frontend_dir)  # not a mount, which would hide a 405 of the API
    app.openapi = lambda: openapi.document(app)
    _add_middleware(app, settings)
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Start the sandbox and see that it holds; a service that leaks does not start."""
    sandbox: Sandbox = app.state.sandbox
    try:
        await sandbox.start()
        run_own = partial(sandbox.run, counted=False)
        if sandbox.mode == "full":
            await selftest.require_tight(run_own)
        app.state.example_reply = await run_own(**REQUESTS["square"]["value"])
        yield
    except SandboxError as error:
        app.state.refusal = error
        raise
    finally:
        await sandbox.stop()
        app.state.snippets.close()


def _add_middleware(app: FastAPI, settings: Settings) -> None:
    """The last one added is the outermost."""
    if settings.gzip_level:
        app.add_middleware(GZipMiddleware, minimum_size=_GZIP_FROM_BYTES, compresslevel=settings.gzip_level)
    if settings.reduced_sandbox:  # or a name of another site that resolves to this machine could run programs
        app.add_middleware(LoopbackOnly)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=[origin.strip() for origin in settings.cors_origins.split(",")],
            allow_methods=["GET", "POST"],
            allow_headers=["Content-Type", "Accept", "If-None-Match"],
            expose_headers=["Age", "Cache-Status", "ETag", "Location", "Retry-After", "X-Request-ID"],
        )
    app.add_middleware(SecurityHeaders, frame_ancestors=settings.frame_ancestors)
    app.add_middleware(HeadAsGet)
    app.add_middleware(Observed, registry=app.state.sandbox.meters.registry)
