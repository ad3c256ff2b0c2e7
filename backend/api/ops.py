"""GET /api/v1/ops: the operators that programs can use, with their derivatives."""

from functools import cache
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Request, Response

from backend import op_catalogue
from backend.api.conditional import NOT_MODIFIED, Document
from backend.api.problems import described
from backend.inspection.wire import OpCatalogue, OpOverloads

router = APIRouter(prefix="/api/v1/ops", tags=["ops"])


@cache
def _all() -> Document:
    return Document(op_catalogue.catalogue().model_dump_json().encode())


@router.get("", response_model=OpCatalogue, summary="Every operator", responses=NOT_MODIFIED)
async def list_ops(request: Request) -> Response:
    """Together: a client may keep them, and ask by ETag whether they are current."""
    return _all().answer(request)


@router.get(
    "/{name}",
    response_model=OpOverloads,
    summary="The operators of one name",
    responses=NOT_MODIFIED | described(404),
)
async def get_op(
    request: Request, name: Annotated[str, Path(description="`mul`, or one overload: `mul.Tensor`.", examples=["mul"])]
) -> Response:
    """404 names the nearest that there is."""
    found = op_catalogue.overloads(name)
    if found is None:
        near = op_catalogue.nearest(name)
        hint = f" The nearest is `{near}`." if near else ""
        raise HTTPException(404, f"There is no operator of that name.{hint}")
    return Document(found.model_dump_json().encode()).answer(request)
