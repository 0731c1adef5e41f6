"""Templates of messages: whoever makes one gives all the words that it has holes for."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator

import msgspec
import pytest

from gamespec.answers.table import ANSWERS
from gamespec.diagnostics import Kind
from tests.tool import ROOT

MODULES = sorted(path.relative_to(ROOT).with_suffix("") for path in (ROOT / "gamespec").rglob("*.py"))
LITERAL = {*ANSWERS, "a", "b"}  # braces that a message shows


def holes(kind: Kind) -> set[str]:
    templates = [text for text in msgspec.structs.astuple(kind) if isinstance(text, str)]
    return {hole for text in templates for hole in re.findall(r"\{(\w+)(?:\|[^{}]*)?\}", text)} - LITERAL


def made(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Calls `NAME.at(…)` whose words are all written out."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="at")):
                if all(word.arg is not None for word in node.keywords):
                    yield name, node


@pytest.mark.parametrize("room", sorted({path.parts[1] for path in MODULES if len(path.parts) > 2}))
def test_no_hole_stays(room: str) -> None:
    for path in MODULES:
        if path.parts[1] != room or path.name == "__main__":
            continue
        text = (ROOT / path).with_suffix(".py").read_text()
        if ".at(" not in text:
            continue
        module = importlib.import_module(".".join(path.parts).removesuffix(".__init__"))
        for name, call in made(ast.parse(text)):
            kind = getattr(module, name, None)
            if isinstance(kind, Kind):
                missing = holes(kind) - {word.arg for word in call.keywords if word.arg is not None}
                assert not missing, f"{path}:{call.lineno}: {name} needs {', '.join(sorted(missing))}"
