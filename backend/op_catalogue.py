"""The operators of the engine as the API lists them, from the engine's own records."""

import difflib
from collections import defaultdict
from functools import cache

from backend.inspection.wire import CatalogueOp, CatalogueParameter, OpCatalogue, OpOverloads
from engine.catalogue import Row, rows


@cache
def catalogue() -> OpCatalogue:
    """Every operator, in alphabetical order."""
    return OpCatalogue(ops=[_entry(row) for row in rows()])


@cache
def _by_base() -> dict[str, list[CatalogueOp]]:
    found: dict[str, list[CatalogueOp]] = defaultdict(list)
    for op in catalogue().ops:
        found[op.name].append(op)
        if op.overload != op.name:
            found[op.overload].append(op)
    return dict(found)


def overloads(name: str) -> OpOverloads | None:
    """The operators of a name: `mul`, or one of them by `mul.Tensor`. None when there is none."""
    found = _by_base().get(name)
    return None if found is None else OpOverloads(name=name, overloads=found)


def nearest(name: str) -> str | None:
    """The name that is most like one that is not there."""
    return next(iter(difflib.get_close_matches(name[:100], _by_base(), 1)), None)


def _entry(row: Row) -> CatalogueOp:
    parameters = [
        CatalogueParameter(
            name=p.name, type=p.type, optional=p.optional, keyword_only=p.keyword_only,
            default=None if p.required else repr(p.default),
        )
        for p in row.parameters
    ]  # fmt: skip
    return CatalogueOp(
        name=row.base, overload=row.name, parameters=parameters, outputs=row.outputs, grad_fn=row.grad_fn or None,
        is_view=row.is_view, has_inplace=row.has_inplace, found_at=list(row.found_at), forward=row.forward,
        backward=row.backward, signature=row.signature, saved=list(row.saved), made_of_others=row.made_of_others,
        says=row.says, example=row.example,
    )  # fmt: skip
