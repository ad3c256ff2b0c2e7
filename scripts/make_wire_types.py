"""Write frontend/src/wire.d.ts from the pydantic schema, so that the page's types are never written by hand.

`python scripts/make_wire_types.py` writes the file; with `--check` it only says whether the file is current.
"""

import argparse
import sys
from pathlib import Path

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from backend import requests, run_events, schemas
from backend.inspection import wire

TARGET = Path(__file__).resolve().parent.parent / "frontend" / "src" / "wire.d.ts"
ROOTS: tuple[type[BaseModel], ...] = (
    requests.RunRequest,
    run_events.RunProgress,
    schemas.Trace,
    schemas.ExampleList,
    schemas.Problem,
    wire.GraphDiff,
)
HEADER = "// Generated from backend/schemas.py by scripts/make_wire_types.py. Edit the schema, not this file.\n"
SCALARS = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def type_of(schema: dict) -> str:
    """The TypeScript type of one JSON Schema; `unknown` where the schema allows anything."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if "const" in schema:
        return literal(schema["const"])
    if "enum" in schema:
        return " | ".join(literal(item) for item in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(item) for item in schema["anyOf"]))
    kind = schema.get("type")
    if kind == "array":
        return array_type(schema)
    if kind == "object":
        return object_type(schema)
    return SCALARS.get(kind, "unknown") if isinstance(kind, str) else "unknown"


def literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def array_type(schema: dict) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(type_of(item) for item in schema['prefixItems'])}]"
    return f"Array<{type_of(schema.get('items', {}))}>"


def object_type(schema: dict) -> str:
    values = schema.get("additionalProperties")
    if not isinstance(values, dict):
        return "Record<string, unknown>"
    names = schema.get("propertyNames", {}).get("enum")
    if names:
        return f"Record<{' | '.join(literal(name) for name in names)}, {type_of(values)}>"
    return f"Record<string, {type_of(values)}>"


def comment(text: str | None, indent: str) -> str:
    if not text:
        return ""
    return f"{indent}/** {' '.join(text.split()).replace('*/', '* /')} */\n"


def interface(name: str, schema: dict) -> str:
    """One exported interface. A field with a default may be absent on the wire: the server may leave defaults out."""
    lines = [comment(schema.get("description"), ""), f"export interface {name} {{\n"]
    for field, body in schema.get("properties", {}).items():
        optional = "" if field in schema.get("required", []) else "?"
        lines.append(comment(body.get("description"), "  "))
        lines.append(f"  {field}{optional}: {type_of(body)};\n")
    return "".join([*lines, "}\n"])


def wire_types() -> str:
    """The whole text of wire.d.ts."""
    _, document = models_json_schema([(root, "validation") for root in ROOTS], ref_template="#/$defs/{model}")
    return HEADER + "".join("\n" + interface(name, body) for name, body in sorted(document["$defs"].items()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when the file is not current")
    current = TARGET.read_text(encoding="utf-8") if TARGET.exists() else ""
    if parser.parse_args().check:
        if current != wire_types():
            print("frontend/src/wire.d.ts is out of date: run python scripts/make_wire_types.py", file=sys.stderr)
            return 1
        return 0
    TARGET.write_text(wire_types(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
