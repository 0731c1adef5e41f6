"""Output texts are taken apart into words and holes, each hole with its place."""

from __future__ import annotations

import pytest

from gamespec.diagnostics import Problems
from gamespec.source import Source, Span
from gamespec.syntax.read import parse_expr
from gamespec.syntax.template import parse_template
from gamespec.syntax.tree import Hole, Text


def pieces(value: str) -> tuple[tuple[str | Hole, ...], list[tuple[str, int]]]:
    """The pieces, and the code and offset of every problem."""
    found = Problems(Source("g", value))
    made = parse_template(Text(value=value, span=Span(100, 100 + len(value))), found)
    return made, [(problem.code, problem.span.start - 100) for problem in found.found if problem.span]


def hole(
    text: str,
    spec: str | None = None,
    name: str | None = None,
    values: tuple[str, ...] | None = None,
    joints: tuple[str, ...] = (),
) -> Hole:
    listed = None if values is None else tuple(parse_expr(value, "hole") for value in values)
    return Hole(expr=parse_expr(text, "hole"), name=name, spec=spec, values=listed, joints=joints)


@pytest.mark.parametrize(
    ("value", "made"),
    [
        ("", ()),
        ("plain", ("plain",)),
        ("{n}", (hole("n", name="n"),)),
        ("Case {case}:", ("Case ", hole("case", name="case"), ":")),
        ("{a}{b}", (hole("a", name="a"), hole("b", name="b"))),
        ("{{{n}}}", ("{", hole("n", name="n"), "}")),
        ("{{n}}", ("{n}",)),
        ("{x:5d}", (hole("x", "5d", "x"),)),
        ("{winning_moves: r, c}", (hole("winning_moves", None, "winning_moves", ("r", "c"), (" ",)),)),
        ("{best_moves:r,f(a, b)}", (hole("best_moves", None, "best_moves", ("r", "f(a, b)"), (",",)),)),
        ("{size({1, 2} | s) : >3d}", (hole("size({1, 2} | s)", ">3d"),)),
        ("{if a == draw then 0 else 1}", (hole("if a == draw then 0 else 1"),)),
        ("{ n + 1 }", (hole("n + 1"),)),
        ("{x:}", (hole("x", "", "x"),)),
    ],
)
def test_pieces(value: str, made: tuple[str | Hole, ...]) -> None:
    assert pieces(value) == (made, [])


@pytest.mark.parametrize(
    ("value", "problems"),
    [
        ("a {n", [("GS040", 2)]),
        ("a } b", [("GS041", 2)]),
        ("a {} b", [("GS042", 2)]),
        ("a { } {:5d}", [("GS042", 2), ("GS042", 6)]),
        ("a {n +}", [("GS001", 5)]),
        ("{a b} {n = 3} {ok}", [("GS001", 3), ("GS011", 9)]),
        ("{n!r}", [("GS010", 2)]),
    ],
)
def test_problems(value: str, problems: list[tuple[str, int]]) -> None:
    assert pieces(value)[1] == problems


def test_places() -> None:
    made, _ = pieces("ab {x + 1:3d} c")
    found = made[1]
    assert isinstance(found, Hole)
    assert (found.span.start, found.span.end) == (103, 113)
    assert (found.expr.span.start, found.expr.span.end) == (104, 109)
