"""The table of clauses: its examples are specs, in both spellings the same ones, and it makes a JSON Schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamespec.source import Source
from gamespec.syntax.read import read
from gamespec.syntax.schema import TABLE, Row, json_schema
from gamespec.syntax.tree import Tree


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.word)
def test_examples_are_twins(row: Row) -> None:
    name = {"text": "", "yaml": ""} if row.word == "game" else {"text": "game g\n", "yaml": "game: g\n"}
    text = read(Source("g", name["text"] + row.text))
    yaml = read(Source("g", name["yaml"] + row.yaml + "\n", "yaml"))
    assert text == yaml
    assert getattr(text, row.field) != getattr(Tree(name=text.name), row.field) or row.word == "game"


def test_every_field_of_the_tree_has_a_row() -> None:
    fields = {row.field for row in TABLE}
    assert fields == set(Tree.__struct_fields__) - {"span", "about"}


def test_json_schema_accepts_the_specs() -> None:
    """Checks the schema's own shape, and that it knows every key that specs use."""
    import yaml

    schema = json_schema()
    assert json.loads(json.dumps(schema)) == schema
    for path in Path(__file__).parents[2].glob("specs/*.yaml"):
        spec = yaml.safe_load(path.read_text(encoding="utf-8"))
        for key, value in spec.items():
            assert fits(value, schema["properties"][key]), (path.name, key)
    assert not fits({"take": {"chose": "x"}}, schema["properties"]["move"])


TYPES = {
    "string": str,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
    "object": dict,
    "array": list,
}


def fits(value: object, schema: dict[str, object]) -> bool:
    """Whether a value fits the part of JSON Schema that is used here."""
    if "anyOf" in schema:
        options = schema["anyOf"]
        assert isinstance(options, list)
        return any(fits(value, option) for option in options)
    if "enum" in schema:
        return value in schema["enum"]  # type: ignore[operator]
    types = schema["type"]
    if not any(isinstance(value, TYPES[name]) for name in (types if isinstance(types, list) else [types])):
        return False
    if isinstance(value, dict) and schema["type"] == "object":
        known, other = schema.get("properties", {}), schema.get("additionalProperties", True)
        required = schema.get("required", [])
        assert isinstance(known, dict)
        assert isinstance(required, list)
        for key, item in value.items():
            part = known.get(key, other)
            if part is False or (isinstance(part, dict) and not fits(item, part)):
                return False
        return all(key in value for key in required)
    if isinstance(value, list) and "items" in schema:
        items = schema["items"]
        assert isinstance(items, dict)
        return all(fits(item, items) for item in value)
    return True
