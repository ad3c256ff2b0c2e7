"""GET /api/v1/openapi.json: the description of the API, with a reply that this very service gave."""

import json

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from backend.api import events
from backend.api.conditional import Document
from backend.api.runs import RENDERERS
from backend.requests import DiffRequest, RunRequest, TensorRequest
from backend.run_events import RunProgress
from backend.schemas import Problem

PATH = "/api/v1/openapi.json"
_REFERENCE = "#/components/schemas/{model}"
# Read by hand, with a cap on their size, so FastAPI does not see them in signatures.
_READ_BY_HAND = (Problem, RunProgress, RunRequest, TensorRequest, DiffRequest)

router = APIRouter()


@router.get(PATH, include_in_schema=False)
async def openapi(request: Request) -> Response:
    """Made when first asked for."""
    state = request.app.state
    if getattr(state, "openapi", None) is None:
        state.openapi = Document(json.dumps(document(request.app), ensure_ascii=False).encode())
    return state.openapi.answer(request)


def document(app: FastAPI) -> dict:
    """FastAPI's document and the models that it does not see."""
    found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    schemas = found["components"]["schemas"]
    _map, seen_by_hand = models_json_schema([(m, "validation") for m in _READ_BY_HAND], ref_template=_REFERENCE)
    for name, schema in seen_by_hand["$defs"].items():
        schemas.setdefault(name, schema)
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for path in found["paths"].values():
        for operation in path.values():  # names of operators are checked by the handler, and are 404
            operation["responses"].pop("422" if "requestBody" not in operation else "", None)
    reply = found["paths"]["/api/v1/runs"]["post"]["responses"]["200"]["content"]
    if (example := getattr(app.state, "example_reply", None)) is not None:
        reply["application/json"]["example"] = json.loads(example.body)
        for form, render in RENDERERS.items():
            reply[form]["example"] = render(example.trace)
        reply[events.MEDIA_TYPE]["example"] = events.event("trace", example.body).decode()
    return found
