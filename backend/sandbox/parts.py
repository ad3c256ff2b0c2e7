"""A trace in parts, so that whoever reads it has to hold up others for no longer than one part takes.

A line each: first the trace without its long tables, as JSON, then rows of a table: its name, a space, a JSON list.
JSON has no line break inside.
"""

import json
import re
from collections.abc import Iterator

import msgspec

TABLES = ("tensors", "ops", "nodes", "steps", "backwards", "scopes", "memory", "series")
PART_BYTES = 32 * 1024
"""A part ends with the row that makes it longer than this."""
ROW_BYTES = 512 * 1024
"""No row is longer."""
_MOST_PART_BYTES = PART_BYTES + ROW_BYTES + 64
_HEAD_BYTES = 2 * 1024 * 1024  # printed text, an error's, a slice of one tensor
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class BadParts(ValueError):
    """Bytes that are no parts of a trace."""


class RowTooLong(ValueError):
    """A row does not fit; `size` is its length."""

    def __init__(self, size: int) -> None:
        super().__init__(f"a row of {size} bytes")
        self.size = size


def pack(trace: dict) -> bytes:
    """The parts of a trace. Raises RowTooLong."""
    lines = [to_json({name: value for name, value in trace.items() if name not in TABLES})]
    for table in TABLES:
        rows: list[bytes] = []
        size = 0
        for row in trace[table]:
            data = to_json(row)
            if len(data) > ROW_BYTES:
                raise RowTooLong(len(data))
            rows.append(data)
            size += len(data) + 1
            if size > PART_BYTES:
                lines.append(_part(table, rows))
                rows, size = [], 0
        if rows:
            lines.append(_part(table, rows))
    return b"\n".join(lines)


def unpack(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The parts, (table, rows as JSON); the first has no name and is all the rest. Raises BadParts."""
    lines = data.split(b"\n")
    if len(lines) > 2 * len(TABLES) + len(data) // (PART_BYTES // 2) or len(lines[0]) > _HEAD_BYTES:
        raise BadParts("more parts than there is reason for")
    yield "", lines[0]
    for line in lines[1:]:
        name, _, rows = line.partition(b" ")
        table = name.decode("ascii", "replace")
        if table not in TABLES or len(line) > _MOST_PART_BYTES:
            raise BadParts("not a part of a table")
        yield table, rows


def to_json(data: object) -> bytes:
    """As JSON; a lone surrogate, which JSON cannot hold, as the escape that can be seen."""
    try:
        return _ENCODER.encode(data)
    except UnicodeEncodeError:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return _LONE_SURROGATE.sub(lambda match: f"\\\\u{ord(match[0]):04x}", text).encode("utf-8")


def _part(table: str, rows: list[bytes]) -> bytes:
    return table.encode("ascii") + b" [" + b",".join(rows) + b"]"


def _plain(value: object) -> object:
    """A text of a class of the program's own, which may have named a module or an optimizer, as the text it holds."""
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(f"a trace holds a {type(value).__name__}")


_ENCODER = msgspec.json.Encoder(enc_hook=_plain)
