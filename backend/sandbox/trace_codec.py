"""Traces at speed: the schema of `backend.schemas` as msgspec structs, derived from it once, field by field.

Validating a reply and writing it anew is most of what a run costs the service. The structs are as strict as the
models: unknown fields are refused, nothing is converted, every bound holds. A bound that has no counterpart here
stops the derivation, so none is lost in silence.
"""

import types
import typing
from collections.abc import Callable, Sequence
from typing import Annotated, Any, cast

import msgspec
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from backend.sandbox import parts
from backend.schemas import Trace

# What pydantic calls a bound, and what msgspec calls it.
_BOUNDS = {"MaxLen": "max_length", "MinLen": "min_length", "Ge": "ge", "Le": "le"}


class BadTrace(ValueError):
    """Bytes that are not a trace."""


class Decoded:
    """A trace as its parts are read: `head` has the attributes of `schemas.Trace` but for the long tables, whose rows
    are validated and written anew part by part."""

    def __init__(self, head: bytes) -> None:
        """Raises BadTrace, as `add` does."""
        self.head: Any = _decoded(_HEAD_DECODER, head)
        self.steps = 0
        self._rows: dict[str, list[bytes]] = {table: [] for table in parts.TABLES}

    def add(self, table: str, rows: bytes) -> None:
        """Take the rows of one part."""
        decoded = _decoded(_TABLE_DECODERS[table], rows)
        if decoded:
            self._rows[table].append(encode(decoded)[1:-1])
        if table == "steps":
            self.steps += len(decoded)

    def encode(self) -> bytes:
        """The whole trace as JSON."""
        pieces = [encode(self.head)[:-1]]
        for table, rows in self._rows.items():
            pieces += [b',"', table.encode("ascii"), b'":[', b",".join(rows), b"]"]
        pieces.append(b"}")
        return b"".join(pieces)


def convert(data: dict) -> Any:
    """A trace of plain data of our own making."""
    return msgspec.convert(data, _TRACE, strict=True)


def console_text(**fields: object) -> Any:
    """One entry of a trace's console."""
    return _made[_model_of(Trace, "console")](**fields)


def encode(trace: Any) -> bytes:
    """The trace as JSON. Raises BadTrace where a value of it cannot be written."""
    try:
        return _ENCODER.encode(trace)
    except (msgspec.MsgspecError, RecursionError, OverflowError) as error:
        raise BadTrace(str(error)) from None


_made: dict[type[BaseModel], Any] = {}


def struct_of(model: type[BaseModel]) -> Any:
    """The struct of a model."""
    if model not in _made:
        _made[model] = _struct(model.__name__, model)
    return _made[model]


def _struct(struct: str, model: type[BaseModel], without: Sequence[str] = ()) -> Any:
    fields = [_field(name, field) for name, field in model.model_fields.items() if name not in without]
    return msgspec.defstruct(struct, fields, forbid_unknown_fields=True, kw_only=True)


def _field(name: str, field: FieldInfo) -> tuple:
    kind = _bounded(_type_of(field.annotation), field.metadata)
    if field.is_required():
        return name, kind
    if field.default_factory is not None:
        return name, kind, msgspec.field(default_factory=cast("Callable[[], Any]", field.default_factory))
    return name, kind, field.default


def _type_of(annotation: Any) -> Any:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return struct_of(annotation)
    if annotation is object:
        return Any
    if origin is Annotated:
        return _bounded(_type_of(arguments[0]), [m for field in arguments[1:] for m in field.metadata])
    if origin in (typing.Union, types.UnionType):
        return typing.Union[tuple(_type_of(argument) for argument in arguments)]  # noqa: UP007 - made while running
    if origin in (list, dict, tuple):
        return types.GenericAlias(origin, tuple(_type_of(argument) for argument in arguments))
    return annotation


def _bounded(kind: Any, bounds: list) -> Any:
    if not bounds:
        return kind
    return Annotated[kind, msgspec.Meta(**dict(_bound(bound) for bound in bounds))]


def _bound(bound: object) -> tuple[str, Any]:
    name = _BOUNDS.get(type(bound).__name__)
    if name is None:
        raise TypeError(f"no counterpart for the bound {bound!r}")
    return name, getattr(bound, name)


def _model_of(model: type[BaseModel], name: str) -> type[BaseModel]:
    return typing.get_args(model.model_fields[name].annotation)[0]


def _decoded(decoder: Any, data: bytes) -> Any:
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError) as error:
        raise BadTrace(str(error)) from None


_TRACE = struct_of(Trace)
_HEAD_DECODER = msgspec.json.Decoder(_struct("Head", Trace, parts.TABLES))
_TABLE_DECODERS = {
    table: msgspec.json.Decoder(_type_of(Trace.model_fields[table].annotation)) for table in parts.TABLES
}
_ENCODER = msgspec.json.Encoder()
