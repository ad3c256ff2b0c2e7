"""The operators of the engine as the API lists them, from the engine's own records."""

import difflib
from collections import defaultdict
from functools import cache

from backend.inspection.wire import CatalogueOp, CatalogueParameter, OpCatalogue, OpOverloads
from engine.op import Op
from engine.records import ops_by_name
from engine.trace.rules import rule_document

_HOMES = {
    "function": "torch",
    "method": "torch.Tensor",
    "nn": "torch.nn.functional",
    "linalg": "torch.linalg",
    "special": "torch.special",
    "fft": "torch.fft",
}


@cache
def catalogue() -> OpCatalogue:
    """Every operator, in alphabetical order."""
    return OpCatalogue(ops=[_entry(op) for _name, op in sorted(ops_by_name().items())])


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


def _entry(op: Op) -> CatalogueOp:
    rule = rule_document(op)
    parameters = [
        CatalogueParameter(
            name=p.name, type=p.type, optional=p.optional, keyword_only=p.keyword_only,
            default=None if p.required else repr(p.default),
        )
        for p in op.signature.params
    ]  # fmt: skip
    return CatalogueOp(
        name=op.signature.base, overload=op.name, parameters=parameters, outputs=op.signature.returns,
        grad_fn=op.grad_fn, is_view=op.view, has_inplace=op.inplace,
        found_at=[f"{_HOMES[home]}.{op.signature.base}" for home in op.where if home in _HOMES],
        forward=rule["forward"], backward=rule["backward"],
    )  # fmt: skip
