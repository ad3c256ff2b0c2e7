"""The page's types are those of the schema."""

from scripts.make_wire_types import TARGET, type_of, wire_types


def test_generated_file_is_current() -> None:
    assert TARGET.read_text(encoding="utf-8") == wire_types()


def test_every_kind_of_field_has_its_type() -> None:
    pair = {"type": "array", "prefixItems": [{"type": "integer"}, {"$ref": "#/$defs/Value"}]}
    assert type_of({"anyOf": [pair, {"type": "null"}]}) == "[number, Value] | null"
    mixed = {"anyOf": [{"type": "string"}, {"type": "number"}]}
    assert type_of({"type": "array", "items": mixed}) == "Array<string | number>"
    languages = {"type": "object", "propertyNames": {"enum": ["en", "zh"]}, "additionalProperties": {"type": "string"}}
    assert type_of(languages) == 'Record<"en" | "zh", string>'
    assert type_of({"description": "anything"}) == "unknown"
