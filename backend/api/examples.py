"""GET /api/v1/examples: the programs of the examples menu."""

from fastapi import APIRouter, Request

from backend.schemas import ExampleList

router = APIRouter(prefix="/api/v1", tags=["examples"])


@router.get("/examples", summary="The programs of the examples menu, by chapter")
async def list_examples(request: Request) -> ExampleList:
    """All of them with their code: together they are small."""
    return request.app.state.examples
