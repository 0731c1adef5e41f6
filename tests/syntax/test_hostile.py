"""Hostile texts end in an ordinary diagnostic, soon, and never in a crash or a Python error."""

from __future__ import annotations

import random
import time

import pytest

from gamespec.diagnostics import Problems, SpecError
from gamespec.source import NOWHERE, Source
from gamespec.syntax.read import parse_expr, read
from gamespec.syntax.template import parse_template
from gamespec.syntax.tree import Text

SECONDS = 3.0
NOISE = random.Random(7)


def noise(size: int) -> str:
    return "".join(NOISE.choice("abc019 ()[]{}\"'+-*/=<>.:,#\n\tmove state let do é𝔘\0") for _ in range(size))


def let(expr: str) -> dict[str, str]:
    """The same expression in a `let` of both spellings."""
    return {"text": f"game g\nlet a = {expr}\n", "yaml": f"game: g\nlet:\n  a: {expr}\n"}


DEEP = 100_000
TEXTS: dict[str, tuple[dict[str, str], str]] = {
    "parentheses": (let("(" * DEEP + "n" + ")" * DEEP), "GS006 GS007"),
    "few parentheses": (let("(" * 300 + "n" + ")" * 300), "GS007"),
    "open parentheses": (let("(" * 20_000), "GS024"),
    "nots": (let("not " * 20_000 + "n"), "GS007"),
    "minuses": (let("1" + " -" * 20_000 + "n"), "GS007"),
    "long sum": (let("1" + "+1" * 250_000), "GS005"),
    "sum": (let("1" + "+1" * 20_000), "GS007"),
    "powers": (let("2" + "**2" * 20_000), "GS007"),
    "ifs": (let("if a then " * 10_000 + "1"), "GS001"),
    "indices": (let("a" + "[1]" * 10_000), "GS007"),
    "many tokens": (let("f(" + "1," * 40_000 + "1)"), "GS006"),
    "braces": (let("{" * 5_000 + "}" * 5_000), "GS007 GS058"),
    "a megabyte of noise": ({"text": noise(1_000_000), "yaml": noise(1_000_000)}, "GS005"),
    "a number": (let("9" * 200_000), "GS008"),
    "open text": ({"text": 'game g "' + "x" * 200_000, "yaml": 'game: "' + "x" * 200_000}, "GS022"),
    "three quotes": ({"text": 'game g """' + '\\"' * 100_000}, "GS022"),
    "brackets in YAML": ({"yaml": "[" * DEEP}, "GS058"),
    "braces in YAML": ({"yaml": "{" * DEEP}, "GS058"),
    "blocks in YAML": ({"yaml": "".join(" " * depth + "a:\n" for depth in range(600))}, "GS058"),
    "items in YAML": ({"yaml": "- " * DEEP}, "GS058"),
    "many items in YAML": ({"yaml": "output:\n" + "  - {line: a}\n" * 15_000}, "GS004 GS006"),
    "many keys in YAML": ({"yaml": "let:\n" + "".join(f"  a{i}: 1\n" for i in range(20_000))}, "GS004 GS006"),
    "aliases": ({"yaml": "a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"}, "GS053 GS054 GS062"),
    "tags": ({"yaml": "game: !!python/object/apply:os.system ['true']\n"}, "GS055"),
    "NUL": ({"text": "game g\0", "yaml": "game: g\0"}, "GS009 GS050"),
    "lone surrogate": ({"text": "game g \ud800", "yaml": "game: \ud800"}, "GS009 GS050"),
    "many faults": ({"text": "game g\n" + "let a = +\n" * 20_000}, "GS001"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "spelling"), [(name, spelling) for name, (texts, _) in TEXTS.items() for spelling in texts]
)
def test_ends_in_a_diagnostic(name: str, spelling: str) -> None:
    texts, codes = TEXTS[name]
    began = time.process_time()
    with pytest.raises(SpecError) as caught:
        read(Source("g", texts[spelling], spelling))
    assert time.process_time() - began < SECONDS
    found = {diagnostic.code for diagnostic in caught.value.diagnostics}
    assert found <= set(codes.split())


@pytest.mark.parametrize("spelling", ["text", "yaml"])
def test_noise(spelling: str) -> None:
    """Whatever is written, reading returns a tree or raises SpecError with places inside the text."""
    for _ in range(300):
        text = noise(NOISE.randrange(1, 120))
        try:
            read(Source("g", text, spelling))
        except SpecError as error:
            for diagnostic in error.diagnostics:
                assert diagnostic.span is not None
                assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text) + 1


def test_nested_just_under_the_limit() -> None:
    """A tree at the limit can be printed and compared: nothing in the package recurses deeper than Python allows."""
    expr = parse_expr("(" * 190 + "n" + ")" * 190, "-D x")
    assert expr == parse_expr("n", "-D x")
    assert len(repr(parse_expr("-" * 190 + "n", "-D x"))) > 190


def test_holes() -> None:
    found = Problems(Source("g", ""), limit=10**6)
    began = time.process_time()
    parse_template(Text(value="{" * 3_000 + "}" * 3_000, span=NOWHERE), found)
    parse_template(Text(value="{n}" * 5_000, span=NOWHERE), found)
    parse_template(Text(value="{n" * 5_000, span=NOWHERE), found)
    assert time.process_time() - began < SECONDS
