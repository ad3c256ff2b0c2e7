"""GET /api/v1/examples: the programs of the examples menu."""

from fastapi import APIRouter, Request, Response

from backend.api.conditional import NOT_MODIFIED, Document
from backend.schemas import ExampleList

router = APIRouter(prefix="/api/v1", tags=["examples"])


@router.get(
    "/examples",
    response_model=ExampleList,
    summary="The programs of the examples menu, by chapter",
    responses=NOT_MODIFIED,
)
async def list_examples(request: Request) -> Response:
    """All of them with their code: together they are small."""
    document: Document = request.app.state.examples
    return document.answer(request)
