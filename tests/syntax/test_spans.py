"""Every node knows its place: the text inside its span reads as the node again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from gamespec.diagnostics import SpecError
from gamespec.source import MappedSpan, Source, Span
from gamespec.syntax.parser import Parser
from gamespec.syntax.read import read
from gamespec.syntax.relocate import relocated
from gamespec.syntax.tree import Expr, Field, Let, Move, Node, Param, Text

HERE = Path(__file__).parent
SOURCES = [
    Source(path.name, path.read_text(encoding="utf-8"), "yaml" if path.suffix == ".yaml" else "text")
    for path in [*HERE.glob("twins/*"), *HERE.parents[1].glob("specs/*")]
]


def nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
        for field in value.__struct_fields__:
            yield from nodes(getattr(value, field))
    elif isinstance(value, tuple):
        for item in value:
            yield from nodes(item)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.path)
def test_expressions_stand_where_their_spans_say(source: Source) -> None:
    tree = read(source)
    seen = 0
    for node in nodes(tree):
        assert 0 <= node.span.start <= node.span.end <= len(source.text)
        if isinstance(node, Expr):
            text = source.slice(node.span)
            if "choose" not in text:  # the `and` of two `when` with a `choose` between them
                assert Parser(text).parse("expr") == node
            seen += 1
        elif isinstance(node, (Param, Let, Move, Field)):
            assert source.slice(node.name_span) == node.name
    assert seen > 3


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.path)
def test_characters_of_texts_stand_where_their_spans_say(source: Source) -> None:
    for node in nodes(read(source)):
        if isinstance(node, Text) and not (isinstance(node.span, MappedSpan) and not node.span.jumps):
            for index, char in enumerate(node.value):
                place = node.span.part(index, index + 1)
                if char.isalnum():
                    assert source.slice(place) == char, (node.value, index)


def place_in_yaml(text: str) -> tuple[int, int]:
    with pytest.raises(SpecError) as caught:
        read(Source("g", text, "yaml"))
    span = caught.value.diagnostics[0].span
    assert span is not None
    return Source("g", text).line_column(span.start)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("game: g\nlet:\n  a: n + ^\n", (3, 10)),
        ("game: g\nlet:\n  a: 'n + ^'\n", (3, 11)),
        ('game: g\nlet:\n  a: "n + ^"\n', (3, 11)),
        ("game: g\nlet:\n  a: |\n    n +\n    ^\n", (5, 5)),
        ("game: g\nlet:\n  a: >-\n    n +\n\n    ^\n", (6, 5)),
        ("game: g\nlet:\n  a: n +\n    ^\n", (4, 5)),
        ("game: g\nlet:\n  a: {1, n ^ 2}\n", (3, 12)),
        ("game: g\nlet: {a: n + ^}\n", (2, 14)),
        ("game: g\nlet:\n  é: 1\n", (3, 3)),
        ("# 𝔘é\ngame: g\nlet:\n  a: n + ^\n", (4, 10)),
        ("game: g\r\nlet:\r\n  a: n + ^\r\n", (3, 10)),
        ('game: g\nlet:\n  a: "n +\\t^"\n', (3, 6)),
    ],
)
def test_places_in_yaml(text: str, place: tuple[int, int]) -> None:
    """Exact in every style; a scalar with escapes is marked as a whole."""
    assert place_in_yaml(text) == place


@pytest.mark.parametrize("spelling", ["text", "yaml"])
def test_places_in_texts_with_escapes(spelling: str) -> None:
    text = (
        'game g output line "a\\n\\tb\\x41{n}"'
        if spelling == "text"
        else 'game: g\noutput:\n  line: "a\\n\\tb\\x41{n}"\n'
    )
    source = Source("g", text, spelling)
    output = read(source).output
    assert output is not None
    value = output.parts[0].text
    assert value is not None
    assert value.value == "a\n\tbA{n}"
    assert source.slice(value.span.part(3, 4)) == "b"
    assert source.slice(value.span.part(5, 8)) == "{n}"


def test_places_in_blocks() -> None:
    source = Source("g", "game: g\nrules: |\n    one\n      two {x}\n\n    three\n", "yaml")
    rules = read(source).rules
    assert rules is not None
    for word in ("one", "two", "{x}", "three"):
        index = rules.value.index(word)
        assert source.slice(rules.span.part(index, index + len(word))) == word


def test_relocation_reaches_every_span() -> None:
    expr = Parser("{x + 1 for x in f(s)[1] if x in (1, 2)..3}").parse("expr")
    moved = relocated(expr, lambda span: Span(span.start + 7, span.end + 7))
    assert moved == expr
    assert [n.span.start - 7 for n in nodes(moved)] == [n.span.start for n in nodes(expr)]
    assert isinstance(moved, msgspec.Struct)
